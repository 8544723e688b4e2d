// Server-sent events: topics, their readers, and what a returning reader has missed.

import { time, now } from "./ids.mjs";

const log = [];
const readers = new Set();
let position = 0;

export function publish(topic, kind, subject, body = {}) {
  position += 1;
  const event = { position, topic, kind, subject, body, at: time(now()) };
  log.push(event);
  if (log.length > 2000) log.shift();
  for (const reader of readers) if (reader.topic === topic) send(reader.response, event);
}

function send(response, { position, kind, subject, body, at }) {
  response.write(
    `id: ${position}\nevent: ${kind}\ndata: ${JSON.stringify({ id: position, kind, subject, body, created_at: at })}\n\n`,
  );
}

export function subscribe(topic, request, response) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.write(": welcome\n\n");
  const since = Number(request.headers["last-event-id"] ?? position);
  for (const event of log) if (event.topic === topic && event.position > since) send(response, event);
  const reader = { topic, response };
  readers.add(reader);
  const beat = setInterval(() => response.write(": still here\n\n"), 15_000);
  request.on("close", () => {
    clearInterval(beat);
    readers.delete(reader);
  });
}
