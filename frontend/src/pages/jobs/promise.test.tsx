import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { JobDryRun, JobPromise } from "@/api/types";
import { JobQuote } from "./JobQuote";
import { PromisePanel } from "./PromisePanel";

const OPEN: JobPromise = {
  finish_by: "2030-01-01T01:06:00.000Z",
  state: "open",
  settled_at: null,
  refund: "0.00",
  transfer_id: null,
  evidence: null,
};

const MISSED: JobPromise = {
  ...OPEN,
  state: "missed",
  settled_at: "2030-01-01T01:06:04.000Z",
  refund: "0.11",
  transfer_id: "trf_0193d5c2a1b07c3e8f4d2a6b9c0e1f23",
  evidence: {
    done: "0.482",
    progress: "0.482",
    paid: "0.20",
    first_round: 1,
    last_round: 66,
    faults: [{ rental_id: "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23", reason: "node_lost" }],
  },
};

const QUOTE: JobDryRun = {
  pool_id: "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23",
  admitted: true,
  finish_by: "2030-01-01T01:06:00.000Z",
  sentence: "It is finished by then.",
  hold: "10.00",
  currency: "USD",
};

function show(element: React.ReactElement): string {
  const { container } = render(<MantineProvider>{element}</MantineProvider>);
  return container.textContent ?? "";
}

describe("a promise", () => {
  it("says by when the job is finished, and nothing of refunds while it stands", () => {
    const text = show(<PromisePanel promise={OPEN} currency="USD" unit="gpu_hours" />);
    expect(text).toContain("Promised");
    expect(text).not.toContain("Came back");
    expect(document.querySelector("time")?.getAttribute("dateTime")).toBe(OPEN.finish_by);
  });

  it("shows what came back and why when it was missed", () => {
    const text = show(<PromisePanel promise={MISSED} currency="USD" unit="gpu_hours" />);
    expect(text).toContain("Missed");
    expect(text).toContain("0.11");
    expect(text).toContain("48 %");
    expect(text).toContain("1 to 66");
    expect(text).toContain("the node was lost");
  });
});

describe("a quote", () => {
  it("tells the finish time, the lack of one, and a closed door apart", () => {
    const { rerender } = render(<JobQuote quote={QUOTE} pending={false} />);
    expect(screen.getByRole("status").textContent).toContain("Finished by");
    rerender(<JobQuote quote={{ ...QUOTE, finish_by: null, sentence: "Why not." }} pending={false} />);
    expect(screen.getByRole("status").textContent).toBe("No finish time is promisedWhy not.");
    rerender(<JobQuote quote={{ ...QUOTE, finish_by: null, admitted: false }} pending={false} />);
    expect(screen.getByRole("status").textContent).toContain("does not take it now");
  });
});
