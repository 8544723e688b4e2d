// How a state looks. Tones are few, and never the only sign: a state's label always stands beside its colour.

export type Tone = "good" | "busy" | "warn" | "bad" | "idle";

export interface StateLook {
  label: string;
  tone: Tone;
  means: string;
}

const UNKNOWN = (state: string): StateLook => ({ label: state.replaceAll("_", " "), tone: "idle", means: "" });

/** Looks a state up; one that this page does not know yet is shown by its own name. */
export function lookIn(table: Record<string, StateLook>, state: string): StateLook {
  return table[state] ?? UNKNOWN(state);
}
