// Sending something that moves money or capacity: one idempotency key per intention, kept until the server has given
// a definite answer, so pressing the button again after a lost connection can never do the thing twice.

import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { asProblem } from "@/api/problem";

interface Attempt {
  key: string;
  intention: string;
}

/** The key to send with `variables`: the last attempt's if this repeats it, a fresh one otherwise. */
export function keyFor(last: Attempt | null, variables: unknown): Attempt {
  const intention = JSON.stringify(variables) ?? "";
  return last?.intention === intention ? last : { key: crypto.randomUUID(), intention };
}

export function useSubmit<Variables, Data>(
  send: (variables: Variables, header: { "Idempotency-Key": string }) => Promise<Data>,
  onDone?: (data: Data, variables: Variables) => unknown,
) {
  const last = useRef<Attempt | null>(null);
  return useMutation({
    mutationFn: async (variables: Variables) => {
      last.current = keyFor(last.current, variables);
      try {
        const data = await send(variables, { "Idempotency-Key": last.current.key });
        last.current = null;
        return data;
      } catch (error) {
        const problem = asProblem(error);
        if (problem.definite) last.current = null;
        throw problem;
      }
    },
    onSuccess: onDone,
  });
}
