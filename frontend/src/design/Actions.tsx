// Buttons for the actions the server lists as valid now, each with the question it deserves.

import { Button } from "@mantine/core";
import { useState } from "react";
import { asProblem } from "@/api/problem";
import { announce } from "@/events/announce";
import { useSubmit } from "@/queries/submit";
import { ACTIONS } from "@/states/actions";
import { Confirm } from "./Confirm";

interface Props {
  actions: readonly string[];
  /** What is acted on, for the buttons' names: `rental 3f9a1c`. */
  subject: string;
  size?: "xs" | "sm";
  send: (action: string, header: { "Idempotency-Key": string }) => Promise<unknown>;
  onDone: () => unknown;
}

export function Actions({ actions, subject, size = "sm", send, onDone }: Props) {
  const [asking, setAsking] = useState<string | null>(null);
  const submit = useSubmit<string, unknown>(send, async () => {
    setAsking(null);
    await onDone();
  });
  const known = actions.filter((action) => action in ACTIONS);
  const begin = (action: string) => {
    submit.reset();
    if (ACTIONS[action]?.confirm) setAsking(action);
    else
      submit.mutate(action, { onError: (error) => announce({ text: asProblem(error).detail, tone: "bad", to: null }) });
  };
  const question = asking === null ? null : ACTIONS[asking]?.confirm;
  return (
    <>
      {known.map((action) => (
        <Button
          key={action}
          size={size}
          variant="default"
          c={ACTIONS[action]?.dangerous ? "var(--bad)" : undefined}
          loading={submit.isPending && submit.variables === action}
          aria-label={`${ACTIONS[action]?.label} ${subject}`}
          onClick={() => begin(action)}
        >
          {ACTIONS[action]?.label}
        </Button>
      ))}
      {asking !== null && question && (
        <Confirm
          title={question.title}
          button={question.button}
          dangerous={ACTIONS[asking]?.dangerous}
          pending={submit.isPending}
          error={submit.error}
          onConfirm={() => submit.mutate(asking)}
          onClose={() => setAsking(null)}
        >
          {question.text}
        </Confirm>
      )}
    </>
  );
}
