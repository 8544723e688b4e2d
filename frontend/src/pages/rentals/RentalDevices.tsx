// The devices of a rental, by the identity the hardware gives them.

import type { Rental } from "@/api/types";
import { CopyIcon } from "@/design/Copy";
import { type Column, Table } from "@/design/Table";

type Device = Rental["devices"][number];

const COLUMNS: Column<Device>[] = [
  { key: "slot", header: "Slot", main: true, cell: (device) => `Slot ${device.slot}` },
  {
    key: "uuid",
    header: "Device",
    cell: (device) => (
      <span style={{ display: "inline-flex", alignItems: "center", gap: 4, overflowWrap: "anywhere" }}>
        <code>{device.uuid}</code>
        <CopyIcon value={device.uuid} what="device" />
      </span>
    ),
  },
];

export function RentalDevices({ devices }: { devices: Device[] }) {
  return <Table caption="Devices" columns={COLUMNS} rows={devices} rowKey={(device) => device.id} />;
}
