// The server's clock as this browser can tell it: countdowns run on it, so a wrong local clock does no harm.

const TOLERATED_MS = 2_000;

let offsetMs = 0;

/** The `Date` header has whole seconds; a small difference is noise, a large one is a wrong clock here. */
export function noteServerTime(response: Response): void {
  const at = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(at)) return;
  const offset = at + 500 - Date.now();
  offsetMs = Math.abs(offset) > TOLERATED_MS ? offset : 0;
}

export function serverNowMs(): number {
  return Date.now() + offsetMs;
}
