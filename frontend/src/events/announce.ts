// What is worth saying aloud: state changes of the organisation's own objects, as short sentences.

import { BID_STATES, JOB_STATES, RENTAL_STATES } from "@/states/demand";
import { NODE_STATES } from "@/states/supply";
import { lookIn, type StateLook, type Tone } from "@/states/tone";

export interface Notice {
  id: number;
  text: string;
  tone: Tone;
  /** Where to read more, as a path of this app. */
  to: string | null;
}

const SUBJECTS: Record<string, { name: string; states: Record<string, StateLook>; path: string | null }> = {
  bid: { name: "Bid", states: BID_STATES, path: "/bids/" },
  job: { name: "Job", states: JOB_STATES, path: "/jobs/" },
  rental: { name: "Rental", states: RENTAL_STATES, path: "/rentals/" },
  node: { name: "Node", states: NODE_STATES, path: null },
};

const PLAIN: Record<string, Omit<Notice, "id">> = {
  "wallet.credited": { text: "The wallet was credited.", tone: "good", to: "/wallet" },
  "job.promise_missed": {
    text: "A job was not finished by the time it was promised: a part of what it paid came back.",
    tone: "warn",
    to: "/jobs",
  },
  "wallet.low": { text: "The wallet runs low: see how long it lasts.", tone: "warn", to: "/wallet" },
};

/** Changes that follow from something a person has just done, or are too many to read out. */
const QUIET = new Set([
  "bid.opened",
  "job.queued",
  "rental.pending",
  "rental.pulling",
  "rental.starting",
  "node.enrolled",
]);

export function sentenceFor(kind: string, subject: string): Omit<Notice, "id"> | null {
  if (QUIET.has(kind)) return null;
  const plain = PLAIN[kind];
  if (plain !== undefined) return plain;
  const [noun = "", state = ""] = kind.split(".");
  const known = SUBJECTS[noun];
  if (known === undefined) return null;
  const look = lookIn(known.states, state);
  const text = `${known.name} ${subject.slice(-6)}: ${look.label.toLowerCase()}. ${look.means}`.trim();
  return { text, tone: look.tone, to: known.path && known.path + subject };
}

let notices: Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const SHOWN_MAX = 3;
const SHOWN_MS = 7_000;

export function announce(notice: Omit<Notice, "id">): void {
  const id = nextId++;
  notices = [...notices, { ...notice, id }].slice(-SHOWN_MAX);
  tell();
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  notices = notices.filter((notice) => notice.id !== id);
  tell();
}

export const noticeStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): Notice[] => notices,
};

function tell(): void {
  for (const listener of listeners) listener();
}
