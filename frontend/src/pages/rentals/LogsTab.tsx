// The tail of a rental's output.

import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { CopyIcon } from "@/design/Copy";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Panel } from "@/design/Panel";
import { rentalLogsQuery } from "@/queries/demand";
import classes from "./Rental.module.css";

export function LogsTab({ id, ended }: { id: string; ended: boolean }) {
  const logs = useQuery(rentalLogsQuery(id, ended));
  const [following, setFollowing] = useState(!ended);
  const box = useRef<HTMLPreElement>(null);
  const text = logs.data?.text ?? "";
  useEffect(() => {
    if (following && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, following]);
  return (
    <Panel
      title="Logs"
      note={logs.data?.truncated ? "The latest part; earlier output is no longer kept." : undefined}
      actions={
        <>
          <Switch label="Follow" checked={following} onChange={(event) => setFollowing(event.currentTarget.checked)} />
          <CopyIcon value={text} what="logs" />
        </>
      }
    >
      {logs.isPending && <Loading what="Loading logs" />}
      {logs.isError && <ProblemNotice error={logs.error} retry={() => logs.refetch()} />}
      {logs.isSuccess && text === "" && (
        <Empty title="No output yet.">What the command prints to its standard output and error shows here.</Empty>
      )}
      {text !== "" && (
        <pre className={classes.logs} ref={box} tabIndex={0} aria-label="Output of the command">
          {text}
        </pre>
      )}
    </Panel>
  );
}
