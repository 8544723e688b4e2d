// Ids, decimals and times as the API writes them, and a seeded source of chance.

let state = 20260131;

export function chance() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

export const between = (low, high) => low + chance() * (high - low);
export const pick = (list) => list[Math.floor(chance() * list.length)];
export const hex = (digits) => Array.from({ length: digits }, () => Math.floor(chance() * 16).toString(16)).join("");

let sequence = 0;
/** Time first, like a UUIDv7, so that newer ids sort last. */
export function id(prefix) {
  sequence += 1;
  return `${prefix}_${(Date.now() + sequence).toString(16).padStart(12, "0")}7${hex(19)}`;
}

export const decimal = (value, places = 6) => Number(value).toFixed(places).replace(/0+$/, "").replace(/\.$/, "");
export const time = (ms) => new Date(ms).toISOString();
export const now = () => Date.now();
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
