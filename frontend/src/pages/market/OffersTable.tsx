// Offers, one row each.

import { Button } from "@mantine/core";
import type { Offer } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Moment } from "@/design/Moment";
import { type Column, Table } from "@/design/Table";
import { className } from "@/market/className";
import { PER_GPU_HOUR, PRICE_PLACES } from "@/money/format";
import { useTicket } from "@/tickets/TicketProvider";
import classes from "./Market.module.css";

export function OffersTable({ offers }: { offers: Offer[] }) {
  const ticket = useTicket();
  const columns: Column<Offer>[] = [
    {
      key: "class",
      header: "Offer",
      main: true,
      cell: (offer) => (
        <>
          {className({ ...offer, memory_mib: offer.vram_mib })}
          <br />
          <span className={classes.aside}>
            {offer.provider.name} · {offer.region}
          </span>
        </>
      ),
    },
    {
      key: "price",
      header: "Price",
      align: "end",
      cell: (offer) => <Amount value={offer.price_per_gpu_hour} currency={offer.currency} per={PER_GPU_HOUR} />,
    },
    {
      key: "market",
      header: "By bid now",
      align: "end",
      cell: (offer) => (
        <Amount value={offer.market_price_per_gpu_hour} currency={offer.currency} places={PRICE_PLACES} />
      ),
    },
    {
      key: "free",
      header: "Free",
      cell: (offer) => (
        <>
          {offer.devices_free} of {offer.devices_total}
          <br />
          <span className={classes.aside}>
            {offer.largest_block > 1
              ? `up to ${offer.largest_block} together`
              : `${offer.devices_preemptible} more by bid`}
          </span>
        </>
      ),
    },
    {
      key: "trust",
      header: "Reliability",
      cell: (offer) => (
        <>
          {(offer.reliability * 100).toFixed(1)} %
          <br />
          <span className={classes.aside}>{offer.verified ? "verified" : "not verified"}</span>
        </>
      ),
    },
    {
      key: "terms",
      header: "Terms",
      wideOnly: true,
      cell: (offer) => <Terms offer={offer} />,
    },
    {
      key: "rent",
      header: <span className="visually-hidden">Rent</span>,
      align: "end",
      cell: (offer) => (
        <Button
          size="xs"
          variant="light"
          disabled={offer.largest_block < offer.min_chunk}
          aria-label={`${offer.largest_block < offer.min_chunk ? "Taken" : "Rent"}: ${className({ ...offer, memory_mib: offer.vram_mib })} from ${offer.provider.name}`}
          onClick={() => ticket.openRent(offer)}
        >
          {offer.largest_block < offer.min_chunk ? "Taken" : "Rent"}
        </Button>
      ),
    },
  ];
  return <Table caption="Offers to rent at once" columns={columns} rows={offers} rowKey={(offer) => offer.id} />;
}

function Terms({ offer }: { offer: Offer }) {
  const terms = [
    offer.min_chunk > 1 ? `at least ${offer.min_chunk}` : null,
    offer.nvlink ? "NVLink" : null,
    offer.cuda_max ? `CUDA ${offer.cuda_max}` : null,
    offer.inet_down_mbps ? `${offer.inet_down_mbps} Mbit/s down` : null,
  ].filter((term) => term !== null);
  return (
    <span className={classes.terms}>
      {terms.join(" · ")}
      {offer.ends_at && (
        <>
          {" · until "}
          <Moment at={offer.ends_at} />
        </>
      )}
    </span>
  );
}
