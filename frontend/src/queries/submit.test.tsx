import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { Problem } from "@/api/problem";
import { useSubmit } from "./submit";

const refusal = (status: number) =>
  new Problem({ status, code: "x", title: "x", detail: "x", field: null, request_id: null });

function submitting(outcomes: (Error | "done")[]) {
  const keys: string[] = [];
  const send = async (_: { limit: string }, header: { "Idempotency-Key": string }) => {
    keys.push(header["Idempotency-Key"]);
    const outcome = outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useSubmit(send), { wrapper });
  const press = (limit: string) => act(() => result.current.mutateAsync({ limit }).catch(() => undefined));
  return { keys, press };
}

describe("a submit", () => {
  it("keeps its idempotency key while it is not known whether it got through", async () => {
    const { keys, press } = submitting([new TypeError("offline"), refusal(503), "done"]);
    await press("1.25");
    await press("1.25");
    await press("1.25");
    expect(new Set(keys).size).toBe(1);
  });

  it("takes a fresh key once the server has answered, or when something else is sent", async () => {
    const { keys, press } = submitting([
      refusal(422),
      new TypeError("offline"),
      new TypeError("offline"),
      "done",
      "done",
    ]);
    await press("1.25");
    await press("1.25");
    await press("1.30");
    await press("1.30");
    await press("1.30");
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[1]).not.toBe(keys[2]);
    expect(keys[2]).toBe(keys[3]);
    expect(keys[3]).not.toBe(keys[4]);
  });
});
