// What the organisation rents: live ones first, what each costs now, and what it has cost so far.

import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { rentalsQuery } from "@/queries/demand";
import { RentalsTable } from "./RentalsTable";

const SHOWN = [
  { value: "live", label: "Live" },
  { value: "all", label: "All" },
];

export function RentalsPage() {
  const [shown, setShown] = useState("live");
  const rentals = useInfiniteQuery(rentalsQuery());
  const every = rentals.data?.pages.flatMap((page) => page.items) ?? [];
  const rows = shown === "all" ? every : every.filter((rental) => rental.ended_at === null);
  return (
    <Page
      title="Rentals"
      lead="Devices you hold now, by bid, on demand or from your fair share. The meter is the server’s: what it shows is what you pay."
      actions={<SegmentedControl aria-label="Which rentals" data={SHOWN} value={shown} onChange={setShown} />}
    >
      <Panel flush>
        {rentals.isPending && <Loading what="Loading rentals" />}
        {rentals.isError && <ProblemNotice error={rentals.error} retry={() => rentals.refetch()} />}
        {rentals.isSuccess && rows.length === 0 && !rentals.hasNextPage && (
          <Empty
            title={every.length === 0 ? "You have rented nothing yet." : "Nothing is rented right now."}
            action={
              <Button component={Link} to="/">
                Go to the market
              </Button>
            }
          >
            Rent an offer at its posted price, or bid and pay the round’s price.
          </Empty>
        )}
        {rows.length > 0 && <RentalsTable rentals={rows} />}
        <More query={rentals} />
      </Panel>
    </Page>
  );
}
