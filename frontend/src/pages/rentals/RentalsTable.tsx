// Rentals, one row each.

import { Link } from "@tanstack/react-router";
import type { Rental } from "@/api/types";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import { Moment } from "@/design/Moment";
import { type Column, Table } from "@/design/Table";
import { useClassNames } from "@/market/className";
import { PER_HOUR } from "@/money/format";
import { END_REASONS, RENTAL_KINDS, RENTAL_STATES } from "@/states/demand";
import { duration } from "@/time/format";
import classes from "./Rental.module.css";
import { RunningTotal } from "./RunningTotal";

const columnsOf = (nameOf: (classId: string, otherwise: string) => string): Column<Rental>[] => [
  {
    key: "what",
    header: "Rental",
    main: true,
    cell: (rental) => (
      <>
        <Link to="/rentals/$id" params={{ id: rental.id }}>
          {rental.gang} × {nameOf(rental.class_id, rental.model)}
        </Link>
        <br />
        <span className={classes.aside}>
          {RENTAL_KINDS[rental.kind] ?? rental.kind} · {rental.node_name ?? "no node yet"}
        </span>
      </>
    ),
  },
  {
    key: "state",
    header: "State",
    cell: (rental) => (
      <>
        <StateChip table={RENTAL_STATES} state={rental.state} />
        {rental.reason && <div className={classes.aside}>{END_REASONS[rental.reason]}</div>}
      </>
    ),
  },
  {
    key: "now",
    header: "Price now",
    align: "end",
    cell: (rental) => <Amount value={rental.price_per_hour} currency={rental.currency} per={PER_HOUR} />,
  },
  {
    key: "charged",
    header: "Cost",
    align: "end",
    cell: (rental) => <RunningTotal rental={rental} />,
  },
  {
    key: "runway",
    header: "Lasts",
    align: "end",
    cell: (rental) => (rental.runway_seconds === null ? "—" : duration(rental.runway_seconds)),
  },
  { key: "since", header: "Since", align: "end", wideOnly: true, cell: (rental) => <Moment at={rental.created_at} /> },
];

export function RentalsTable({ rentals }: { rentals: Rental[] }) {
  const nameOf = useClassNames();
  return <Table caption="Rentals" columns={columnsOf(nameOf)} rows={rentals} rowKey={(rental) => rental.id} />;
}
