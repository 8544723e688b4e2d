// Rounds, one row each.

import { Link } from "@tanstack/react-router";
import type { Pool, RoundSummary } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Moment } from "@/design/Moment";
import classes from "@/design/Stack.module.css";
import { type Column, Table } from "@/design/Table";
import { className } from "@/market/className";
import { PRICE_PLACES } from "@/money/format";
import { CAUSES } from "@/states/market";

export function RoundsTable({ pool, rounds }: { pool: Pool; rounds: RoundSummary[] }) {
  const columns: Column<RoundSummary>[] = [
    {
      key: "number",
      header: "Round",
      main: true,
      cell: (round) => (
        <>
          <Link to="/rounds/$pool/$number" params={{ pool: pool.id, number: String(round.number) }}>
            #{round.number}
          </Link>
          <br />
          <span className={classes.aside}>
            <Moment at={round.cleared_at} />, {CAUSES[round.cause]}
          </span>
        </>
      ),
    },
    { key: "granted", header: "Granted", align: "end", cell: (round) => `${round.granted} of ${round.demands}` },
    { key: "evicted", header: "Evicted", align: "end", cell: (round) => round.evicted },
    { key: "plan", header: "Planned in", align: "end", cell: (round) => `${round.plan_milliseconds} ms` },
    ...pool.classes.map((one) => ({
      key: one.class_id,
      header: className(one),
      align: "end" as const,
      wideOnly: true,
      cell: (round: RoundSummary) => (
        <Amount
          value={round.prices.find((price) => price.class_id === one.class_id)?.price_per_gpu_hour}
          currency={pool.currency}
          places={PRICE_PLACES}
        />
      ),
    })),
    {
      key: "hash",
      header: "Hash",
      align: "end",
      cell: (round) => <code title={round.hash}>{round.hash.slice(0, 8)}</code>,
    },
  ];
  return (
    <Table
      caption={`Rounds of pool ${pool.name}`}
      columns={columns}
      rows={rounds}
      rowKey={(round) => String(round.number)}
    />
  );
}
