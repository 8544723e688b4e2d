// Bids, one row each.

import { Link } from "@tanstack/react-router";
import type { Bid } from "@/api/types";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import { Moment } from "@/design/Moment";
import classes from "@/design/Stack.module.css";
import { type Column, Table } from "@/design/Table";
import { useClassNames } from "@/market/className";
import { PER_GPU_HOUR, PRICE_PLACES } from "@/money/format";
import { BID_STATES } from "@/states/demand";

export function BidsTable({ bids }: { bids: Bid[] }) {
  const nameOf = useClassNames();
  const columns: Column<Bid>[] = [
    {
      key: "gpu",
      header: "Bid",
      main: true,
      cell: (bid) => (
        <>
          <Link to="/bids/$id" params={{ id: bid.id }}>
            {bid.gpu}
          </Link>
          <br />
          <span className={classes.aside}>
            {bid.gang === 1 ? "1 device" : `gang of ${bid.gang}`}
            {bid.reenter ? ", goes back when outbid" : ""}
          </span>
        </>
      ),
    },
    {
      key: "state",
      header: "State",
      cell: (bid) => (
        <>
          <StateChip table={BID_STATES} state={bid.state} />
          {bid.rental_id && (
            <div className={classes.aside}>
              <Link to="/rentals/$id" params={{ id: bid.rental_id }}>
                its rental
              </Link>
            </div>
          )}
        </>
      ),
    },
    {
      key: "limit",
      header: "Limit",
      align: "end",
      cell: (bid) => <Amount value={bid.limit_per_gpu_hour} currency={bid.currency} per={PER_GPU_HOUR} />,
    },
    {
      key: "market",
      header: "Price now",
      align: "end",
      cell: (bid) =>
        bid.market_prices.map((price) => (
          <div key={price.class_id}>
            <span className={classes.aside}>{nameOf(price.class_id)} </span>
            <Amount value={price.price_per_gpu_hour} currency={bid.currency} places={PRICE_PLACES} />
          </div>
        )),
    },
    {
      key: "hold",
      header: "Held",
      align: "end",
      cell: (bid) => <Amount value={bid.hold} currency={bid.currency} />,
    },
    { key: "placed", header: "Placed", align: "end", wideOnly: true, cell: (bid) => <Moment at={bid.created_at} /> },
  ];
  return <Table caption="Bids" columns={columns} rows={bids} rowKey={(bid) => bid.id} />;
}
