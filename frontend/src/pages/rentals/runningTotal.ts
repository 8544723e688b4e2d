import type { Rental } from "@/api/types";

type Metered = Pick<Rental, "charged" | "metered_to" | "price_per_hour" | "hold">;

/** A decimal, to a hundredth of a cent: never more than what is held beyond what was billed. */
export function runningTotal({ charged, metered_to, price_per_hour, hold }: Metered, now: number): string {
  if (metered_to === null) return charged;
  const seconds = Math.max(0, (now - Date.parse(metered_to)) / 1000);
  const since = Math.min((Number(price_per_hour) * seconds) / 3600, Number(hold));
  return (Number(charged) + since).toFixed(4);
}
