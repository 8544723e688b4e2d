// What a round decided: grants, evictions, and why, demand by demand.

import { Link } from "@tanstack/react-router";
import type { Round } from "@/api/types";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import { Panel } from "@/design/Panel";
import { type Column, Table } from "@/design/Table";
import { useClassNames } from "@/market/className";
import { PER_GPU_HOUR, PRICE_PLACES } from "@/money/format";
import { RENTAL_KINDS } from "@/states/demand";
import { OUTCOMES } from "@/states/market";
import classes from "./Round.module.css";

type Grant = Round["grants"][number];
type Eviction = Round["evictions"][number];

const OWN: Record<string, "/bids/$id" | "/jobs/$id" | "/rentals/$id"> = {
  bid: "/bids/$id",
  job: "/jobs/$id",
  rnt: "/rentals/$id",
};

/** One's own demands come by id and link to their page; others by pseudonym. */
function Demand({ name }: { name: string }) {
  const to = OWN[name.split("_", 1)[0] ?? ""];
  if (to === undefined) return <code>{name}</code>;
  return (
    <Link to={to} params={{ id: name }}>
      yours, <code>…{name.slice(-6)}</code>
    </Link>
  );
}

export function Grants({ round, currency }: { round: Round; currency: string }) {
  const nameOf = useClassNames();
  if (round.grants.length === 0) return null;
  const columns: Column<Grant>[] = [
    { key: "demand", header: "Demand", main: true, cell: (grant) => <Demand name={grant.demand} /> },
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
    { key: "why", header: "Why", cell: (grant) => <StateChip table={OUTCOMES} state={grant.why} /> },
  ];
  return (
    <Panel title="Grants" note="Others appear by pseudonym." flush>
      <Table
        caption="Grants"
        columns={columns}
        rows={round.grants}
        rowKey={(grant) => `${grant.demand} ${grant.class_id} ${grant.why}`}
      />
    </Panel>
  );
}

const EVICTION_COLUMNS: Column<Eviction>[] = [
  { key: "demand", header: "Demand", main: true, cell: (eviction) => <Demand name={eviction.demand} /> },
  { key: "because", header: "Because", cell: (eviction) => eviction.because.replaceAll("_", " ") },
];

export function Evictions({ round }: { round: Round }) {
  if (round.evictions.length === 0) return null;
  return (
    <Panel title="Evictions" note="Each was given its notice." flush>
      <Table
        caption="Evictions"
        columns={EVICTION_COLUMNS}
        rows={round.evictions}
        rowKey={(eviction) => eviction.demand}
      />
    </Panel>
  );
}

export function Explanations({ round }: { round: Round }) {
  if (round.explanations.length === 0) return null;
  return (
    <Panel title="Explanations" note="One for every demand that was in the round." flush>
      <ul className={classes.explanations}>
        {round.explanations.map((one) => (
          <li key={one.subject}>
            <div className={classes.subject}>
              <Demand name={one.subject} />
              <StateChip table={OUTCOMES} state={one.code} />
            </div>
            <p>{one.sentence}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
