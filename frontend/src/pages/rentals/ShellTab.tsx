// A shell on the rented devices. The connection is opened with a ticket that is used once; a new one is asked for
// each time. What is typed goes out as bytes, the terminal's size as messages.

import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { asProblem } from "@/api/problem";
import type { Rental } from "@/api/types";
import { Empty, ProblemNotice } from "@/design/Feedback";
import { Panel } from "@/design/Panel";
import classes from "./Rental.module.css";
import { connect, type Connection, openTerminal } from "./terminal";

type Phase = "connecting" | "open" | "closed";

/** A node may be reconnecting just now: pauses before the next tries, in milliseconds, until somebody has to ask again. */
const RETRY_AFTER = [1000, 2000, 4000];

const WORDS: Record<Phase, string> = {
  connecting: "Connecting…",
  open: "Connected",
  closed: "The connection has ended. What ran in it has ended too, unless it runs under tmux or nohup.",
};

export function ShellTab({ rental }: { rental: Rental }) {
  if (!rental.shell) {
    return (
      <Panel title="Shell">
        <Empty title="No shell can be opened right now.">
          One can once the rental is running on a node whose agent offers it.
        </Empty>
      </Panel>
    );
  }
  return <Shell id={rental.id} />;
}

function Shell({ id }: { id: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [phase, setPhase] = useState<Phase>("connecting");
  const [error, setError] = useState<unknown>(null);
  const [reason, setReason] = useState("");
  const [attempt, setAttempt] = useState(0);
  const failures = useRef(0);

  // A new attempt is a new terminal: the effect depends on it though it does not read it.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let gone = false;
    let connection: Connection | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const terminal = openTerminal(element);
    setPhase("connecting");
    setError(null);
    setReason("");
    const failed = (show: () => void) => {
      const pause = RETRY_AFTER[failures.current];
      failures.current += 1;
      if (pause === undefined) {
        show();
        setPhase("closed");
      } else {
        setPhase("connecting");
        retry = setTimeout(() => setAttempt((count) => count + 1), pause);
      }
    };
    connect(id, terminal, (why, answered) => {
      if (gone) return;
      if (!answered) return failed(() => setReason(why));
      failures.current = 0;
      setReason(why);
      setPhase("closed");
    }).then(
      (made) => {
        connection = made;
        if (gone) made.close();
        else setPhase("open");
      },
      (problem: unknown) => {
        if (!gone) failed(() => setError(asProblem(problem)));
      },
    );
    return () => {
      gone = true;
      clearTimeout(retry);
      connection?.close();
      terminal.dispose();
    };
  }, [id, attempt]);

  const again = () => {
    failures.current = 0;
    setAttempt((count) => count + 1);
  };
  return (
    <Panel title="Shell" note="Ctrl+Shift+Escape leaves the terminal for the page.">
      <div className={classes.bar}>
        <span role="status">
          {WORDS[phase]}
          {phase === "closed" && reason && ` The server said: ${reason}.`}
        </span>
        {phase === "closed" && (
          <Button size="xs" onClick={again}>
            Connect again
          </Button>
        )}
      </div>
      <ProblemNotice error={error} />
      <div className={classes.terminal}>
        <div className={classes.screen} ref={box} />
      </div>
    </Panel>
  );
}
