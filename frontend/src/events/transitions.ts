// The state changes seen since this page was opened, so that a timeline can say when each happened.

const seen = new Map<string, Map<string, string>>();
const SUBJECTS_MAX = 500;

export function noteTransition(subject: string, kind: string, at: string): void {
  const state = kind.split(".")[1] ?? kind;
  let states = seen.get(subject);
  if (states === undefined) {
    if (seen.size >= SUBJECTS_MAX) seen.delete(seen.keys().next().value as string);
    states = new Map();
    seen.set(subject, states);
  }
  states.set(state, at);
}

export function transitionsOf(subject: string): ReadonlyMap<string, string> {
  return seen.get(subject) ?? new Map();
}
