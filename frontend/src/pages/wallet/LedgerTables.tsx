// Ledger entries and holds, one row each.

import type { Entry, Hold } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Id } from "@/design/Copy";
import { Moment } from "@/design/Moment";
import { type Column, Table } from "@/design/Table";
import { isNegative, signedMoney } from "@/money/format";
import { Subject } from "./Subject";
import classes from "./Wallet.module.css";

const ENTRY_COLUMNS: Column<Entry>[] = [
  { key: "kind", header: "Entry", main: true, cell: (entry) => entry.kind.replaceAll("_", " ") },
  { key: "at", header: "At", cell: (entry) => <Moment at={entry.created_at} /> },
  { key: "account", header: "Account", cell: (entry) => entry.account },
  { key: "subject", header: "For", cell: (entry) => <Subject id={entry.subject} /> },
  { key: "reason", header: "Reason", wideOnly: true, cell: (entry) => entry.reason },
  {
    key: "amount",
    header: "Amount",
    align: "end",
    cell: (entry) => (
      <span className={isNegative(entry.amount) ? undefined : classes.in}>
        {signedMoney(entry.amount, entry.currency)}
      </span>
    ),
  },
  { key: "transfer", header: "Transfer", wideOnly: true, cell: (entry) => <Id value={entry.transfer_id} /> },
];

export function EntriesTable({ entries }: { entries: Entry[] }) {
  return (
    <Table
      caption="Ledger entries"
      columns={ENTRY_COLUMNS}
      rows={entries}
      rowKey={(entry) => `${entry.transfer_id} ${entry.account} ${entry.amount}`}
    />
  );
}

const HOLD_COLUMNS: Column<Hold>[] = [
  { key: "subject", header: "For", main: true, cell: (hold) => <Subject id={hold.subject} /> },
  { key: "since", header: "Since", cell: (hold) => <Moment at={hold.created_at} /> },
  {
    key: "remaining",
    header: "Remaining",
    align: "end",
    cell: (hold) => <Amount value={hold.remaining} currency={hold.currency} />,
  },
];

export function HoldsTable({ holds }: { holds: Hold[] }) {
  return <Table caption="Holds" columns={HOLD_COLUMNS} rows={holds} rowKey={(hold) => hold.id} />;
}
