// A demand by the name under which the reader may know it.

import { Link } from "@tanstack/react-router";
import type { Round } from "@/api/types";
import { rankText } from "@/market/rank";

const PAGES: Record<string, "/bids/$id" | "/jobs/$id" | "/rentals/$id"> = {
  bid: "/bids/$id",
  job: "/jobs/$id",
  rnt: "/rentals/$id",
};

/** One's own demands link to their page; others are known by their rank in the round only. */
export function Demand({ name, round }: { name: string; round: Round }) {
  const kind = name.split("_", 1)[0] ?? "";
  const to = PAGES[kind];
  if (to === undefined || !round.own.some((one) => one.id === name)) {
    return <code title={name}>{rankText(name)}</code>;
  }
  return (
    <Link to={to} params={{ id: name }}>
      your {kind} <code>…{name.slice(-6)}</code>
    </Link>
  );
}
