// Prices and quantities of a round, per class.

import type { Round } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Meter } from "@/design/Meter";
import { type Column, Table } from "@/design/Table";
import { useClassNames } from "@/market/className";
import { PER_GPU_HOUR, PRICE_PLACES } from "@/money/format";

type RoundClass = Round["classes"][number];

export function RoundClasses({ classes, currency }: { classes: RoundClass[]; currency: string }) {
  const nameOf = useClassNames();
  const columns: Column<RoundClass>[] = [
    { key: "class", header: "Class", main: true, cell: (one) => nameOf(one.class_id) },
    {
      key: "price",
      header: "Price",
      align: "end",
      cell: (one) => (
        <Amount value={one.price_per_gpu_hour} currency={currency} per={PER_GPU_HOUR} places={PRICE_PLACES} />
      ),
    },
    { key: "supply", header: "Supplied", align: "end", cell: (one) => one.supply_devices },
    { key: "granted", header: "Granted", align: "end", cell: (one) => one.granted_devices },
    { key: "demanded", header: "Demanded", align: "end", cell: (one) => one.demanded_devices },
    {
      key: "use",
      header: "In use",
      cell: (one) => (
        <Meter
          part={one.granted_devices}
          whole={one.supply_devices}
          label={`${one.granted_devices} of ${one.supply_devices}`}
        />
      ),
    },
  ];
  return <Table caption="Prices of the round" columns={columns} rows={classes} rowKey={(one) => one.class_id} />;
}
