import { describe, expect, it } from "vitest";
import { timeline } from "./timeline";

const AT = "2026-01-31T12:00:00.000Z";
const LATER = "2026-01-31T12:01:00.000Z";

describe("a rental's timeline", () => {
  it("shows the way ahead of a live rental", () => {
    const steps = timeline(
      { state: "pulling", created_at: AT, state_at: LATER, usable_at: null, ended_at: null },
      new Map(),
    );
    expect(steps.map((step) => `${step.state} ${step.way}`)).toEqual([
      "pending done",
      "provisioning done",
      "pulling here",
      "starting ahead",
      "running ahead",
      "ended ahead",
    ]);
    expect(steps[2]?.at).toBe(LATER);
  });

  it("does not claim that an ended rental ever ran when it did not", () => {
    const steps = timeline(
      { state: "ended", created_at: AT, state_at: LATER, usable_at: null, ended_at: LATER },
      new Map(),
    );
    expect(steps.map((step) => step.state)).toEqual(["pending", "ended"]);
  });

  it("takes the times of the steps between from the events seen", () => {
    const seen = new Map([["pulling", AT]]);
    const steps = timeline(
      { state: "running", created_at: AT, state_at: LATER, usable_at: LATER, ended_at: null },
      seen,
    );
    expect(steps.find((step) => step.state === "pulling")?.at).toBe(AT);
    expect(steps.find((step) => step.state === "starting")?.at).toBeNull();
  });
});
