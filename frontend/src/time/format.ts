// Times and durations as people read them.

const DAY = 86_400;

/** `2 d 4 h`, `41 min`, `12 s`: the two largest units, of which the second only where it still matters. */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return s < 600 && s % 60 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${Math.floor(s / 60)} min`;
  if (s < 2 * DAY) return joined(Math.floor(s / 3600), "h", Math.floor((s % 3600) / 60), "min");
  if (s < 365 * DAY) return joined(Math.floor(s / DAY), "d", Math.floor((s % DAY) / 3600), "h");
  return "over a year";
}

function joined(first: number, unit: string, second: number, smaller: string): string {
  return second === 0 ? `${first} ${unit}` : `${first} ${unit} ${second} ${smaller}`;
}

/** A signed duration: `+4 min 10 s` owed, `−12 s` ahead. */
export function signedDuration(seconds: number): string {
  if (Math.abs(seconds) < 0.5) return "0 s";
  return `${seconds < 0 ? "−" : "+"}${duration(Math.abs(seconds))}`;
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

/** `14:02:31` today, `3 Dec 14:02:31` on another day. */
export function moment(at: string, nowMs: number): string {
  const date = new Date(at);
  const today = new Date(nowMs).toDateString() === date.toDateString();
  return today ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
}

export function fullMoment(at: string): string {
  return full.format(new Date(at));
}

/** `12 s ago`, `in 4 min`. */
export function relative(at: string, nowMs: number): string {
  const seconds = (Date.parse(at) - nowMs) / 1000;
  if (Math.abs(seconds) < 1) return "now";
  return seconds < 0 ? `${duration(-seconds)} ago` : `in ${duration(seconds)}`;
}
