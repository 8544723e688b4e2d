// Things people copy: ids, commands, secrets.

import { CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./Copy.module.css";

export function CopyIcon({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={1600}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : `Copy ${what}`}>
          <button type="button" className={classes.icon} onClick={copy} aria-label={copied ? "Copied" : `Copy ${what}`}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </button>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** An id by its last digits, which differ, with the whole of it to copy. */
export function Id({ value, full }: { value: string; full?: boolean }) {
  const underscore = value.indexOf("_");
  const short = underscore > 0 && value.length > 20 ? `${value.slice(0, underscore)}…${value.slice(-6)}` : value;
  return (
    <span className={classes.id}>
      <code title={value}>{full ? value : short}</code>
      <CopyIcon value={value} what="id" />
    </span>
  );
}

/** A command to paste into a terminal. */
export function Command({ text, what = "command" }: { text: string; what?: string }) {
  return (
    <div className={classes.command}>
      <pre tabIndex={0} aria-label={what}>
        {text}
      </pre>
      <CopyIcon value={text} what={what} />
    </div>
  );
}
