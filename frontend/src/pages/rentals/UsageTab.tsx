// The bill of a rental, line by line, over the total the server charged.

import { useInfiniteQuery } from "@tanstack/react-query";
import type { Rental } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Panel } from "@/design/Panel";
import { UsageTable } from "@/money/UsageTable";
import { rentalUsageQuery } from "@/queries/demand";
import classes from "./Rental.module.css";

export function UsageTab({ rental }: { rental: Rental }) {
  const usage = useInfiniteQuery(rentalUsageQuery(rental.id, rental.ended_at !== null));
  const lines = usage.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel
      title="Usage"
      note="Intervals as they were metered, to the millisecond. The amounts add up to what was charged."
      flush
    >
      {usage.isPending && <Loading what="Loading usage" />}
      {usage.isError && <ProblemNotice error={usage.error} retry={() => usage.refetch()} />}
      {usage.isSuccess && lines.length === 0 && (
        <Empty title="Nothing has been charged.">
          Billing begins when the rental is usable, not when it was ordered.
        </Empty>
      )}
      {lines.length > 0 && <UsageTable lines={lines} />}
      <More query={usage} />
      <p className={classes.sum}>
        <span>Charged in all</span>
        <Amount value={rental.charged} currency={rental.currency} />
      </p>
    </Panel>
  );
}
