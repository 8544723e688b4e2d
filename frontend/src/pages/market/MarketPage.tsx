// The market.

import { useQuery } from "@tanstack/react-query";
import { ProblemNotice, Loading } from "@/design/Feedback";
import { Page } from "@/design/Page";
import { poolsQuery } from "@/queries/market";

export function MarketPage() {
  const pools = useQuery(poolsQuery);
  return (
    <Page title="Market">
      {pools.isPending && <Loading />}
      <ProblemNotice error={pools.error} />
      {pools.data?.map((pool) => (
        <p key={pool.id}>{pool.name}</p>
      ))}
    </Page>
  );
}
