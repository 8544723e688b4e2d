// The latest rounds, newest first.

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Pool } from "@/api/types";
import { Relative } from "@/design/Moment";
import { Panel } from "@/design/Panel";
import { roundsQuery } from "@/queries/market";
import { CAUSES } from "@/states/market";
import classes from "./Market.module.css";

const SHOWN = 12;

export function RoundStrip({ pool }: { pool: Pool }) {
  const rounds = useInfiniteQuery(roundsQuery(pool.id));
  const latest = rounds.data?.pages[0]?.items.slice(0, SHOWN) ?? [];
  if (latest.length === 0) return null;
  return (
    <Panel
      title="Latest rounds"
      actions={
        <Link to="/rounds" search={{ pool: pool.id }}>
          All rounds
        </Link>
      }
    >
      <ol className={classes.strip} tabIndex={0} aria-label="Latest rounds, newest first">
        {latest.map((round) => (
          <li key={round.number}>
            <Link to="/rounds/$pool/$number" params={{ pool: pool.id, number: String(round.number) }}>
              <b>#{round.number}</b>
              <span>
                <Relative at={round.cleared_at} />
              </span>
              <span>{CAUSES[round.cause]}</span>
              <span>
                {round.granted} of {round.demands} granted
              </span>
              <span>{round.evicted === 0 ? "none evicted" : `${round.evicted} evicted`}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
