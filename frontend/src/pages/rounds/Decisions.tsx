// What a round decided: grants, evictions, and why, demand by demand.

import type { Round } from "@/api/types";
import { Abridged } from "@/design/Abridged";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import { Panel } from "@/design/Panel";
import { type Column, Table } from "@/design/Table";
import { useClassNames } from "@/market/className";
import { PER_GPU_HOUR, PRICE_PLACES } from "@/money/format";
import { RENTAL_KINDS } from "@/states/demand";
import { OUTCOMES, RIGHTS } from "@/states/market";
import { Demand } from "./Demand";
import classes from "./Round.module.css";

type Grant = Round["grants"][number];
type Eviction = Round["evictions"][number];

/** What concerns the reader comes first; else the round's order. */
function ownFirst<T>(items: T[], nameOf: (item: T) => string, round: Round): T[] {
  const isOwn = (item: T) => round.own.some((one) => one.id === nameOf(item));
  return [...items.filter(isOwn), ...items.filter((item) => !isOwn(item))];
}

export function Grants({ round, currency }: { round: Round; currency: string }) {
  const nameOf = useClassNames();
  if (round.grants.length === 0) return null;
  const columns: Column<Grant>[] = [
    { key: "demand", header: "Demand", main: true, cell: (grant) => <Demand name={grant.demand} round={round} /> },
    { key: "kind", header: "Kind", cell: (grant) => RENTAL_KINDS[grant.kind] ?? grant.kind },
    { key: "what", header: "Devices", cell: (grant) => `${grant.devices} × ${nameOf(grant.class_id)}` },
    {
      key: "price",
      header: "Price",
      align: "end",
      cell: (grant) => (
        <Amount value={grant.price_per_gpu_hour} currency={currency} per={PER_GPU_HOUR} places={PRICE_PLACES} />
      ),
    },
    { key: "why", header: "Why", cell: (grant) => <StateChip table={RIGHTS} state={grant.why} /> },
  ];
  return (
    <Panel title="Grants" note="Yours link to their page; others are known by their rank in this round." flush>
      <Abridged items={ownFirst(round.grants, (grant) => grant.demand, round)} what="grants">
        {(grants) => (
          <Table
            caption="Grants"
            columns={columns}
            rows={grants}
            rowKey={(grant) => `${grant.demand} ${grant.class_id} ${grant.why}`}
          />
        )}
      </Abridged>
    </Panel>
  );
}

export function Evictions({ round }: { round: Round }) {
  const columns: Column<Eviction>[] = [
    { key: "demand", header: "Demand", main: true, cell: (one) => <Demand name={one.demand} round={round} /> },
    { key: "because", header: "Because", cell: (one) => one.because.replaceAll("_", " ") },
  ];
  return (
    <>
      {round.evictions.length > 0 && (
        <Panel title="Evictions" note="Each was given its notice." flush>
          <Table caption="Evictions" columns={columns} rows={round.evictions} rowKey={(one) => one.demand} />
        </Panel>
      )}
      {round.dropped.length > 0 && (
        <Panel title="Dropped" note="Planned, but no longer possible when the plan was committed." flush>
          <Table caption="Dropped grants" columns={columns} rows={round.dropped} rowKey={(one) => one.demand} />
        </Panel>
      )}
    </>
  );
}

export function Explanations({ round }: { round: Round }) {
  if (round.explanations.length === 0) return null;
  return (
    <Panel title="Explanations" note="One for every demand that was in the round." flush>
      <Abridged items={ownFirst(round.explanations, (one) => one.subject, round)} what="explanations">
        {(explanations) => (
          <ul className={classes.explanations}>
            {explanations.map((one) => (
              <li key={one.subject}>
                <div className={classes.subject}>
                  <Demand name={one.subject} round={round} />
                  <StateChip table={OUTCOMES} state={one.code} />
                </div>
                <p>{one.sentence}</p>
              </li>
            ))}
          </ul>
        )}
      </Abridged>
    </Panel>
  );
}
