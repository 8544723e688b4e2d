// The charts' figures as tables, folded away until wanted: for screen readers, for copying, for checking.

import { type ReactNode, useState } from "react";
import type { Depth, PricePoint, Prices } from "@/api/types";
import { Moment } from "@/design/Moment";
import { type Column, Table } from "@/design/Table";
import { money, PRICE_PLACES } from "@/money/format";
import classes from "./ChartTables.module.css";

function Folded({ summary, children }: { summary: string; children: () => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      <div className={classes.sheet}>{open && children()}</div>
    </details>
  );
}

export function PriceTable({ prices, name }: { prices: Prices; name: string }) {
  const amount = (field: "open" | "high" | "low" | "close" | "p10" | "p50" | "p90", header: string) => ({
    key: field,
    header,
    align: "end" as const,
    cell: (point: PricePoint) => money(point[field], prices.currency, PRICE_PLACES),
  });
  const count = (field: "supply_devices" | "granted_devices" | "demanded_devices", header: string) => ({
    key: field,
    header,
    align: "end" as const,
    cell: (point: PricePoint) => point[field],
  });
  const columns: Column<PricePoint>[] = [
    { key: "at", header: "At", main: true, cell: (point) => <Moment at={point.at} /> },
    amount("open", "Open"),
    amount("high", "High"),
    amount("low", "Low"),
    amount("close", "Close"),
    amount("p10", "10 %"),
    amount("p50", "Median"),
    amount("p90", "90 %"),
    count("supply_devices", "Supply"),
    count("granted_devices", "Granted"),
    count("demanded_devices", "Demanded"),
  ];
  return (
    <Folded summary="As a table">
      {() => (
        <Table
          caption={`Prices of ${name} per GPU and hour`}
          columns={columns}
          rows={[...prices.points].reverse()}
          rowKey={(point) => point.at}
        />
      )}
    </Folded>
  );
}

interface Step {
  side: "Bid" | "Ask";
  price: string;
  devices: number;
  cumulative: number;
}

export function DepthTable({ depth, name }: { depth: Depth; name: string }) {
  const steps: Step[] = [
    ...depth.bids.map((bid) => ({
      side: "Bid" as const,
      price: bid.limit_per_gpu_hour,
      devices: bid.devices,
      cumulative: bid.cumulative_devices,
    })),
    ...depth.asks.map((ask) => ({
      side: "Ask" as const,
      price: ask.floor_per_gpu_hour,
      devices: ask.devices,
      cumulative: ask.cumulative_devices,
    })),
  ];
  const columns: Column<Step>[] = [
    { key: "price", header: "Limit or floor", main: true, cell: (step) => money(step.price, depth.currency) },
    { key: "side", header: "Side", cell: (step) => step.side },
    { key: "devices", header: "Devices", align: "end", cell: (step) => step.devices },
    { key: "cumulative", header: "Cumulative", align: "end", cell: (step) => step.cumulative },
  ];
  return (
    <Folded summary="As a table">
      {() => (
        <Table
          caption={`Bids and asks for ${name}`}
          columns={columns}
          rows={steps}
          rowKey={(step) => `${step.side} ${step.price}`}
        />
      )}
    </Folded>
  );
}
