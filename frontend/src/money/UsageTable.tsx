// Metered intervals as bill lines.

import { Link } from "@tanstack/react-router";
import type { Usage } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Id } from "@/design/Copy";
import { Moment } from "@/design/Moment";
import { type Column, Table } from "@/design/Table";
import { useClassNames } from "@/market/className";
import { PER_GPU_HOUR } from "./format";

export function UsageTable({ lines, withRental }: { lines: Usage[]; withRental?: boolean }) {
  const nameOf = useClassNames();
  const columns: Column<Usage>[] = [
    { key: "from", header: "From", main: true, cell: (line) => <Moment at={line.starts_at} /> },
    { key: "to", header: "To", cell: (line) => <Moment at={line.ends_at} /> },
    { key: "class", header: "Devices", cell: (line) => `${line.devices} × ${nameOf(line.class_id)}` },
    { key: "seconds", header: "Seconds", align: "end", cell: (line) => (line.milliseconds / 1000).toFixed(3) },
    {
      key: "price",
      header: "Price",
      align: "end",
      cell: (line) => <Amount value={line.price_per_gpu_hour} currency={line.currency} per={PER_GPU_HOUR} />,
    },
    {
      key: "amount",
      header: "Amount",
      align: "end",
      cell: (line) => <Amount value={line.amount} currency={line.currency} />,
    },
    {
      key: "transfer",
      header: "Transfer",
      wideOnly: true,
      cell: (line) => (line.transfer_id ? <Id value={line.transfer_id} /> : "not settled yet"),
    },
  ];
  if (withRental) {
    columns.splice(1, 0, {
      key: "rental",
      header: "Rental",
      cell: (line) => (
        <Link to="/rentals/$id" params={{ id: line.rental_id }} search={{ tab: "usage" }}>
          <code>…{line.rental_id.slice(-6)}</code>
        </Link>
      ),
    });
  }
  return <Table caption="Usage" columns={columns} rows={lines} rowKey={(line) => line.id} />;
}
