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

  // A new attempt is a new terminal: the effect depends on it though it does not read it.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let gone = false;
    let connection: Connection | null = null;
    const terminal = openTerminal(element);
    setPhase("connecting");
    setError(null);
    setReason("");
    connect(id, terminal, (why) => {
      if (gone) return;
      setReason(why);
      setPhase("closed");
    }).then(
      (made) => {
        connection = made;
        if (gone) made.close();
        else setPhase("open");
      },
      (problem: unknown) => {
        if (gone) return;
        setError(asProblem(problem));
        setPhase("closed");
      },
    );
    return () => {
      gone = true;
      connection?.close();
      terminal.dispose();
    };
  }, [id, attempt]);

  return (
    <Panel title="Shell" note="Ctrl+Shift+Escape leaves the terminal for the page.">
      <div className={classes.bar}>
        <span role="status">
          {WORDS[phase]}
          {phase === "closed" && reason && ` The server said: ${reason}.`}
        </span>
        {phase === "closed" && (
          <Button size="xs" onClick={() => setAttempt((count) => count + 1)}>
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
