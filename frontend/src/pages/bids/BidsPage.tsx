// The organisation's bids.

import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { bidsQuery } from "@/queries/demand";
import { useTicket } from "@/tickets/TicketProvider";
import { BidsTable } from "./BidsTable";

const SHOWN = [
  { value: "live", label: "Live" },
  { value: "all", label: "All" },
];

export function BidsPage() {
  const ticket = useTicket();
  const [shown, setShown] = useState("live");
  const bids = useInfiniteQuery(bidsQuery());
  const every = bids.data?.pages.flatMap((page) => page.items) ?? [];
  const rows = shown === "all" ? every : every.filter((bid) => bid.closed_at === null);
  return (
    <Page
      title="Bids"
      lead="A bid stays in the book and competes in every round. You pay the round’s price while it is at or below your limit."
      actions={
        <>
          <SegmentedControl aria-label="Which bids" data={SHOWN} value={shown} onChange={setShown} />
          <Button onClick={() => ticket.openBid({})}>Place a bid</Button>
        </>
      }
    >
      <Panel flush>
        {bids.isPending && <Loading what="Loading bids" />}
        {bids.isError && <ProblemNotice error={bids.error} retry={() => bids.refetch()} />}
        {bids.isSuccess && rows.length === 0 && !bids.hasNextPage && (
          <Empty
            title={every.length === 0 ? "You have placed no bid yet." : "No bid is in the book right now."}
            action={<Button onClick={() => ticket.openBid({})}>Place a bid</Button>}
          >
            Say which GPUs would do and the most you would pay; the ticket shows whether that would win now.
          </Empty>
        )}
        {rows.length > 0 && <BidsTable bids={rows} />}
        <More query={bids} />
      </Panel>
    </Page>
  );
}
