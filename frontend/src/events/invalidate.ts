// Which cached answers an event makes stale.

import type { QueryClient, QueryKey } from "@tanstack/react-query";

const BY_NOUN: Record<string, QueryKey[]> = {
  bid: [["bids"], ["wallet"]],
  job: [["jobs"], ["wallet"]],
  rental: [["rentals"], ["wallet"]],
  wallet: [["wallet"]],
  node: [["providers"], ["offers"]],
  ask: [["providers"], ["offers"]],
  round: [["pools"], ["offers"], ["dry-run"], ["bids"], ["jobs"]],
  price: [["pools"]],
};

const SETTLE_MS = 150;

/** Invalidates on events, many at once when they come in a burst. */
export function invalidator(client: QueryClient): (kind: string) => void {
  let nouns = new Set<string>();
  return (kind) => {
    const noun = kind.split(".", 1)[0] ?? "";
    if (!(noun in BY_NOUN)) return;
    if (nouns.size === 0) setTimeout(flush, SETTLE_MS);
    nouns.add(noun);
  };

  function flush(): void {
    const keys = [...nouns].flatMap((noun) => BY_NOUN[noun] ?? []);
    nouns = new Set();
    for (const queryKey of new Set(keys.map((key) => JSON.stringify(key)))) {
      void client.invalidateQueries({ queryKey: JSON.parse(queryKey) as QueryKey });
    }
  }
}
