// The board of prices: a row per device class.

import { Button } from "@mantine/core";
import type { Pool, PoolClass } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Empty } from "@/design/Feedback";
import { Meter } from "@/design/Meter";
import { type Column, Table } from "@/design/Table";
import { className, gpuRequest } from "@/market/className";
import { PER_GPU_HOUR, PRICE_PLACES } from "@/money/format";
import { useTicket } from "@/tickets/TicketProvider";
import classes from "./Market.module.css";

interface Props {
  pool: Pool;
  chosen: string | undefined;
  onChoose: (classId: string) => void;
}

export function ClassBoard({ pool, chosen, onChoose }: Props) {
  const ticket = useTicket();
  const { currency } = pool;
  const columns: Column<PoolClass>[] = [
    {
      key: "class",
      header: "Class",
      main: true,
      cell: (one) => (
        <button
          type="button"
          className={classes.choose}
          aria-pressed={one.class_id === chosen}
          onClick={() => onChoose(one.class_id)}
        >
          <span>{className(one)}</span>
          <span className={classes.aside}>{one.mig_profile === null ? one.vendor : `${one.vendor}, MIG slice`}</span>
        </button>
      ),
    },
    {
      key: "price",
      header: "Price now",
      align: "end",
      cell: (one) => (
        <>
          <Amount
            value={one.price_per_gpu_hour}
            currency={currency}
            per={PER_GPU_HOUR}
            places={PRICE_PLACES}
            absent="not cleared yet"
          />
          <Change bps={one.change_24h_bps} />
        </>
      ),
    },
    {
      key: "on_demand",
      header: "On demand from",
      align: "end",
      cell: (one) => <Amount value={one.on_demand_from_per_gpu_hour} currency={currency} absent="none offered" />,
    },
    {
      key: "entitlement",
      header: "Fair share",
      align: "end",
      wideOnly: true,
      cell: (one) => <Amount value={one.entitlement_price_per_gpu_hour} currency={currency} />,
    },
    {
      key: "floor",
      header: "Lowest floor",
      align: "end",
      wideOnly: true,
      cell: (one) => <Amount value={one.floor_from_per_gpu_hour} currency={currency} />,
    },
    {
      key: "devices",
      header: "In use",
      cell: (one) => (
        <Meter
          part={one.devices_leased}
          whole={one.devices}
          label={`${one.devices_leased} of ${one.devices}, ${one.devices_free} free`}
        />
      ),
    },
    {
      key: "bid",
      header: <span className="visually-hidden">Bid</span>,
      align: "end",
      cell: (one) => (
        <Button
          size="xs"
          variant="light"
          aria-label={`Bid on ${className(one)}`}
          onClick={() =>
            ticket.openBid({ pool: pool.id, gpu: gpuRequest(one), limit: one.price_per_gpu_hour ?? undefined })
          }
        >
          Bid
        </Button>
      ),
    },
  ];
  if (pool.classes.length === 0) {
    return (
      <Empty title="No devices in this pool yet.">
        They appear as soon as a provider’s first node is ready. You can already place a bid and wait.
      </Empty>
    );
  }
  return (
    <Table
      caption={`Device classes of pool ${pool.name}`}
      columns={columns}
      rows={pool.classes}
      rowKey={(one) => one.class_id}
      selected={(one) => one.class_id === chosen}
    />
  );
}

function Change({ bps }: { bps: number | null }) {
  if (bps === null) return null;
  const way = bps === 0 ? "flat" : bps > 0 ? "up" : "down";
  const percent = `${(Math.abs(bps) / 100).toFixed(1)} %`;
  return (
    <span className={classes.change}>
      {way === "flat" ? "unchanged" : `${way === "up" ? "↑" : "↓"} ${percent}`}
      <span className="visually-hidden"> {way} in 24 hours</span>
    </span>
  );
}
