// A state as a word in its colour.

import { Tooltip } from "@mantine/core";
import { lookIn, type StateLook } from "@/states/tone";
import classes from "./Chip.module.css";

export function Chip({ look, live }: { look: StateLook; live?: boolean }) {
  const chip = (
    <span className={classes.chip} data-tone={look.tone} tabIndex={look.means ? 0 : undefined}>
      <span className={classes.dot} data-live={live || undefined} aria-hidden />
      {look.label}
    </span>
  );
  return look.means ? (
    <Tooltip label={look.means} multiline maw={280}>
      {chip}
    </Tooltip>
  ) : (
    chip
  );
}

export function StateChip({ table, state }: { table: Record<string, StateLook>; state: string }) {
  const look = lookIn(table, state);
  return <Chip look={look} live={look.tone === "busy"} />;
}
