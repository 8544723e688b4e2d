// A server-sent event stream over fetch (EventSource cannot carry an Authorization header): resumes after its last
// event, backs off when the server is away, and holds no connection while the page is hidden.

import { signedFetch } from "@/session/fetch";
import { eventReader, type ServerEvent } from "./parse";

const BACKOFF_MIN_MS = 500;
const BACKOFF_MAX_MS = 30_000;
/** The server comments every 15 s: three missed ones mean the connection is dead. */
const SILENCE_MS = 45_000;

export type StreamState = "connecting" | "live" | "waiting";

export interface StreamOptions {
  path: string;
  onEvent: (event: ServerEvent) => void;
  onState?: (state: StreamState) => void;
  fetch?: (request: Request) => Promise<Response>;
}

/** Opens the stream and keeps it open; the returned function closes it for good. */
export function openStream({ path, onEvent, onState, fetch = signedFetch }: StreamOptions): () => void {
  const closed = new AbortController();
  void keepOpen();
  return () => closed.abort();

  async function keepOpen(): Promise<void> {
    let lastId: string | null = null;
    let failures = 0;
    while (!closed.signal.aborted) {
      await visible(closed.signal);
      if (closed.signal.aborted) return;
      onState?.("connecting");
      const attempt = new AbortController();
      const stop = stopWhenHidden(attempt, closed.signal);
      try {
        const headers: Record<string, string> = { Accept: "text/event-stream" };
        if (lastId !== null) headers["Last-Event-ID"] = lastId;
        const request = new Request(new URL(path, location.origin), {
          headers,
          cache: "no-store",
          signal: attempt.signal,
        });
        const response = await fetch(request);
        if (!response.ok || response.body === null) throw new Error(`the stream answered ${response.status}`);
        failures = 0;
        onState?.("live");
        await read(response.body, attempt, (event) => {
          if (event.id !== null) lastId = event.id;
          onEvent(event);
        });
      } catch {
        failures += 1;
      } finally {
        stop();
      }
      if (closed.signal.aborted || document.visibilityState === "hidden") continue;
      onState?.("waiting");
      await pause(backoff(failures), closed.signal);
    }
  }
}

/** Full jitter, doubling up to a bound. */
export function backoff(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** Math.min(failures, 10));
  return BACKOFF_MIN_MS + random() * (ceiling - BACKOFF_MIN_MS);
}

async function read(
  body: ReadableStream<Uint8Array>,
  attempt: AbortController,
  onEvent: (event: ServerEvent) => void,
): Promise<void> {
  const feed = eventReader(onEvent);
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let silence = setTimeout(() => attempt.abort(), SILENCE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(() => attempt.abort(), SILENCE_MS);
      feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(silence);
    await reader.cancel().catch(() => undefined);
  }
}

function stopWhenHidden(attempt: AbortController, closed: AbortSignal): () => void {
  const abort = () => attempt.abort();
  const onVisibility = () => document.visibilityState === "hidden" && abort();
  closed.addEventListener("abort", abort);
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    closed.removeEventListener("abort", abort);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}

function visible(closed: AbortSignal): Promise<void> {
  if (document.visibilityState !== "hidden") return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      document.removeEventListener("visibilitychange", done);
      closed.removeEventListener("abort", done);
      resolve();
    };
    document.addEventListener("visibilitychange", done);
    closed.addEventListener("abort", done);
  });
}

function pause(milliseconds: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      closed.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    closed.addEventListener("abort", done);
  });
}
