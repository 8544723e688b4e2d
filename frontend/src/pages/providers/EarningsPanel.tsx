// What a provider has earned: in all, per day, per node.

import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Earnings, Provider } from "@/api/types";
import { Bars } from "@/charts/Bars";
import { Amount } from "@/design/Amount";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Figure, Figures, Panel } from "@/design/Panel";
import { type Column, Table } from "@/design/Table";
import { earningsQuery } from "@/queries/supply";

const SPANS = [
  { value: "7", label: "7 d" },
  { value: "30", label: "30 d" },
  { value: "90", label: "90 d" },
];

type NodeEarnings = Earnings["nodes"][number];

export function EarningsPanel({ provider }: { provider: Provider }) {
  const [days, setDays] = useState("30");
  const earnings = useQuery(earningsQuery(provider.id, Number(days)));
  return (
    <Panel
      title="Earnings"
      note="Accrued in the same transaction as the tenant’s charge."
      actions={<SegmentedControl size="xs" aria-label="Time span" data={SPANS} value={days} onChange={setDays} />}
    >
      {earnings.isPending && <Loading rows={4} what="Loading earnings" />}
      {earnings.isError && <ProblemNotice error={earnings.error} retry={() => earnings.refetch()} />}
      {earnings.data && <EarningsSheet earnings={earnings.data} />}
    </Panel>
  );
}

function EarningsSheet({ earnings }: { earnings: Earnings }) {
  const { currency } = earnings;
  const amount = (value: string) => <Amount value={value} currency={currency} />;
  const columns: Column<NodeEarnings>[] = [
    { key: "node", header: "Node", main: true, cell: (node) => node.name },
    { key: "hours", header: "Device hours", align: "end", cell: (node) => node.device_hours },
    { key: "gross", header: "Gross", align: "end", cell: (node) => amount(node.gross) },
    { key: "net", header: "Net", align: "end", cell: (node) => amount(node.net) },
  ];
  return (
    <div style={{ display: "grid", gap: 20 }}>
      <Figures>
        <Figure label="Net in this time">
          <Amount value={earnings.net} currency={currency} size="lg" />
        </Figure>
        <Figure label="Gross">{amount(earnings.gross)}</Figure>
        <Figure label="Fee">{amount(earnings.fee)}</Figure>
        <Figure label="Device hours">{earnings.device_hours}</Figure>
        <Figure label="Pending">{amount(earnings.pending)}</Figure>
        <Figure label="Available">{amount(earnings.available)}</Figure>
      </Figures>
      {earnings.days.length === 0 ? (
        <Empty title="Nothing was earned in this time.">Devices earn from the second a rental on them is usable.</Empty>
      ) : (
        <Bars days={earnings.days} currency={currency} label="Net earnings per day" />
      )}
      {earnings.nodes.length > 0 && (
        <div style={{ margin: "0 -20px -8px" }}>
          <Table caption="Earnings per node" columns={columns} rows={earnings.nodes} rowKey={(node) => node.node_id} />
        </div>
      )}
    </div>
  );
}
