// Times on screen, kept current by one shared clock.

import { useSyncExternalStore } from "react";
import { duration, fullMoment, moment, relative } from "@/time/format";
import { serverNowMs } from "@/time/server";

const listeners = new Set<() => void>();
let nowMs = serverNowMs();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = serverNowMs();
    for (const tell of listeners) tell();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The server's time, once a second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

export function Moment({ at, absent = "—" }: { at: string | null; absent?: string }) {
  const now = useNow();
  if (at === null) return <span style={{ color: "var(--ink-3)" }}>{absent}</span>;
  return (
    <time dateTime={at} title={fullMoment(at)} style={{ whiteSpace: "nowrap" }}>
      {moment(at, now)}
    </time>
  );
}

export function Relative({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={fullMoment(at)} style={{ whiteSpace: "nowrap" }}>
      {relative(at, now)}
    </time>
  );
}

/** Time left until `at`; what to say once it has passed. */
export function Countdown({ at, past }: { at: string; past: string }) {
  const seconds = Math.ceil((Date.parse(at) - useNow()) / 1000);
  return <span>{seconds > 0 ? duration(seconds) : past}</span>;
}
