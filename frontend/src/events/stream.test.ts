import { afterEach, describe, expect, it, vi } from "vitest";
import { eventReader, type ServerEvent } from "./parse";
import { backoff, openStream } from "./stream";

function read(...pieces: string[]): ServerEvent[] {
  const events: ServerEvent[] = [];
  const feed = eventReader((event) => events.push(event));
  for (const piece of pieces) feed(piece);
  return events;
}

describe("the event reader", () => {
  it("reads an event whatever pieces it arrives in", () => {
    const text = 'id: 7\nevent: round.cleared\ndata: {"number":3}\n\n';
    const expected = [{ id: "7", kind: "round.cleared", data: '{"number":3}' }];
    expect(read(text)).toEqual(expected);
    expect(read(...text)).toEqual(expected);
    expect(read(text.replaceAll("\n", "\r\n"))).toEqual(expected);
  });

  it("skips comments, joins data lines and keeps the last id", () => {
    expect(read(": still here\n\n", "id: 1\ndata: a\ndata: b\n\n", "data: c\n\n")).toEqual([
      { id: "1", kind: "message", data: "a\nb" },
      { id: "1", kind: "message", data: "c" },
    ]);
  });

  it("holds back an event that is not complete", () => {
    expect(read("id: 1\ndata: a\n")).toEqual([]);
  });
});

function streamOf(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "text/event-stream" } });
}

describe("the stream", () => {
  afterEach(() => vi.useRealTimers());

  it("comes back after its last event, so that none is missed", async () => {
    vi.useFakeTimers();
    const asked: (string | null)[] = [];
    const replies = [streamOf("id: 41\ndata: a\n\nid: 42\ndata: b\n\n"), streamOf("id: 43\ndata: c\n\n")];
    const got: string[] = [];
    const close = openStream({
      path: "/v1/events",
      onEvent: (event) => got.push(event.data),
      fetch: async (request) => {
        asked.push(request.headers.get("Last-Event-ID"));
        return replies.shift() ?? new Promise<Response>(() => undefined);
      },
    });
    await vi.advanceTimersByTimeAsync(5_000);
    close();
    expect(got).toEqual(["a", "b", "c"]);
    expect(asked).toEqual([null, "42", "43"]);
  });

  it("holds no connection while the page is hidden", async () => {
    vi.useFakeTimers();
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    const fetch = vi.fn(async () => new Promise<Response>(() => undefined));
    const close = openStream({ path: "/v1/events", onEvent: () => undefined, fetch });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).not.toHaveBeenCalled();
    visibility.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(10);
    expect(fetch).toHaveBeenCalledTimes(1);
    close();
    visibility.mockRestore();
  });

  it("backs off up to half a minute", () => {
    expect(backoff(0, () => 1)).toBe(500);
    expect(backoff(3, () => 1)).toBe(4_000);
    expect(backoff(50, () => 1)).toBe(30_000);
    expect(backoff(50, () => 0)).toBe(500);
  });
});
