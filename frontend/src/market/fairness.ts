// Fairness figures as people read them. They come as decimal strings and are no money: cutting them is harmless.

import { signedDuration } from "@/time/format";

export function rhoText(rho: string | null): string {
  return rho === null ? "—" : Number(rho).toFixed(3);
}

type Decimal = string | number;

export function lagText(seconds: Decimal | null): string {
  return seconds === null ? "—" : signedDuration(Number(seconds));
}

export function lagNote(seconds: Decimal | null): string {
  if (seconds === null) return "not measured yet";
  const lag = Number(seconds);
  if (lag > 0) return "owed to it";
  return lag < 0 ? "ahead of its reference" : "level with its reference";
}
