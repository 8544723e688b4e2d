// What a rental has cost up to this second: what was billed, and what has run up since at its present price. The bill
// itself is the server's.

import type { Rental } from "@/api/types";
import { Amount } from "@/design/Amount";
import { useNow } from "@/design/Moment";
import { runningTotal } from "./runningTotal";

export function RunningTotal({ rental, size }: { rental: Rental; size?: "md" | "lg" }) {
  const total = runningTotal(rental, useNow());
  return <Amount value={total} currency={rental.currency} size={size} />;
}
