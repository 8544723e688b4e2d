// What the share policy `exchange` found in a round: prices by which jobs' time was divided, and what floors cost.

import type { Exchange, Round } from "@/api/types";
import { Abridged } from "@/design/Abridged";
import { Amount } from "@/design/Amount";
import { Figure, Figures, Panel } from "@/design/Panel";
import { type Column, Table } from "@/design/Table";
import { useClassNames } from "@/market/className";
import { PER_GPU_HOUR, PER_HOUR, PRICE_PLACES } from "@/money/format";
import { EXCHANGE_OUTCOMES } from "@/states/market";
import { Demand } from "./Demand";

type ExchangeClass = Exchange["classes"][number];
type Subsidy = Exchange["subsidies"][number];

export function ExchangePanel({ exchange, round, currency }: { exchange: Exchange; round: Round; currency: string }) {
  const outcome = EXCHANGE_OUTCOMES[exchange.outcome];
  return (
    <Panel
      title="Exchange"
      note="Jobs’ budgets, bids’ limits and sellers’ asks in one programme. Its prices divide jobs’ time; nobody is charged by them."
      flush
    >
      <div style={{ padding: "16px 20px" }}>
        <Figures>
          <Figure label="Proved" note={outcome?.means}>
            {outcome?.label ?? exchange.outcome}
          </Figure>
          <Figure label="Most envy" note={envyNote(exchange)}>
            {exchange.outcome === "equal_parts" ? "—" : `${(Number(exchange.envy) * 100).toFixed(1)} %`}
          </Figure>
          <Figure label="Subsidised floors" note="jobs that keep their floor only since others pay for it">
            {exchange.subsidies.length}
          </Figure>
        </Figures>
      </div>
      {exchange.classes.length > 0 && <Classes exchange={exchange} round={round} currency={currency} />}
      {exchange.subsidies.length > 0 && <Subsidies exchange={exchange} round={round} currency={currency} />}
    </Panel>
  );
}

function envyNote(exchange: Exchange): string {
  if (exchange.outcome === "equal_parts") return "not known";
  if (Number(exchange.envy) === 0) return "no job prefers another’s devices at these prices";
  return "more worth to one job than its own, if it bought another’s devices with its own rate";
}

interface PartProps {
  exchange: Exchange;
  round: Round;
  currency: string;
}

function Classes({ exchange, round, currency }: PartProps) {
  const nameOf = useClassNames();
  const priceOf = new Map(round.classes.map((one) => [one.class_id, one.price_per_gpu_hour]));
  const columns: Column<ExchangeClass>[] = [
    { key: "class", header: "Class", main: true, cell: (one) => nameOf(one.class_id) },
    {
      key: "price",
      header: "Price in the programme",
      align: "end",
      cell: (one) => (
        <Amount value={one.price_per_gpu_hour} currency={currency} per={PER_GPU_HOUR} places={PRICE_PLACES} />
      ),
    },
    {
      key: "round",
      header: "Round’s price",
      align: "end",
      cell: (one) => (
        <Amount value={priceOf.get(one.class_id)} currency={currency} per={PER_GPU_HOUR} places={PRICE_PLACES} />
      ),
    },
    { key: "jobs", header: "Devices to jobs", align: "end", cell: (one) => Number(one.devices_to_jobs).toFixed(1) },
    { key: "bids", header: "Devices to bids", align: "end", cell: (one) => Number(one.devices_to_bids).toFixed(1) },
  ];
  return (
    <Table caption="Classes in the exchange" columns={columns} rows={exchange.classes} rowKey={(one) => one.class_id} />
  );
}

function Subsidies({ exchange, round, currency }: PartProps) {
  const columns: Column<Subsidy>[] = [
    { key: "job", header: "Job", main: true, cell: (one) => <Demand name={one.demand} round={round} /> },
    {
      key: "subsidy",
      header: "Its floor costs others",
      align: "end",
      cell: (one) => <Amount value={one.per_hour} currency={currency} per={PER_HOUR} places={PRICE_PLACES} />,
    },
  ];
  const dearest = exchange.subsidies.toSorted((a, b) => Number(b.per_hour) - Number(a.per_hour));
  return (
    <Abridged items={dearest} first={5} what="subsidies">
      {(subsidies) => (
        <Table caption="What floors cost" columns={columns} rows={subsidies} rowKey={(one) => one.demand} />
      )}
    </Abridged>
  );
}
