// A rental's way as steps: those behind it, where it is, those ahead. Times are the server's where it tells them,
// those of the events seen while this page was open otherwise.

import type { Rental } from "@/api/types";
import { isSideStep, RENTAL_PATH, RENTAL_STATES } from "@/states/demand";
import { lookIn } from "@/states/tone";

export interface TimelineStep {
  state: string;
  label: string;
  way: "done" | "here" | "ahead";
  at: string | null;
}

type Timed = Pick<Rental, "state" | "created_at" | "usable_at" | "ended_at" | "state_at">;

export function timeline(rental: Timed, seen: ReadonlyMap<string, string>): TimelineStep[] {
  const path: string[] = RENTAL_PATH.filter((state) => wasReached(rental, state, seen));
  if (isSideStep(rental.state)) path.push(rental.state);
  path.push("ended");
  const here = path.indexOf(rental.state);
  return path.map((state, index) => ({
    state,
    label: lookIn(RENTAL_STATES, state).label,
    way: index < here ? "done" : index === here ? "here" : "ahead",
    at: timeOf(rental, state, seen),
  }));
}

/** An ended rental shows only what it went through as far as is known; a live one shows its whole way. */
function wasReached(rental: Timed, state: string, seen: ReadonlyMap<string, string>): boolean {
  if (rental.ended_at === null || state === "pending") return true;
  return state === "running" ? rental.usable_at !== null : seen.has(state);
}

function timeOf(rental: Timed, state: string, seen: ReadonlyMap<string, string>): string | null {
  const known: Record<string, string | null> = {
    pending: rental.created_at,
    running: rental.usable_at,
    ended: rental.ended_at,
  };
  return known[state] ?? (state === rental.state ? rental.state_at : (seen.get(state) ?? null));
}
