// The rounds of a pool, and how fairly its jobs fare right now.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { usePoolEvents } from "@/events/subscribe";
import { PoolPicker } from "@/market/PoolPicker";
import { fairnessQuery, poolsQuery, roundsQuery } from "@/queries/market";
import { FairnessPanel } from "./FairnessPanel";
import { RoundsTable } from "./RoundsTable";

const route = getRouteApi("/rounds");

export function RoundsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const pools = useQuery(poolsQuery);
  const pool = pools.data?.find((one) => one.id === search.pool) ?? pools.data?.[0];
  const rounds = useInfiniteQuery(roundsQuery(pool?.id ?? ""));
  const fairness = useQuery(fairnessQuery(pool?.id ?? ""));
  usePoolEvents(pool?.id ?? "");
  const rows = rounds.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      title="Rounds"
      lead="Every round is on record: what was asked, what was granted and at what price, each hash sealing the one before. Download a record and replay it."
      actions={
        pools.data &&
        pool &&
        pools.data.length > 1 && (
          <PoolPicker
            pools={pools.data}
            chosen={pool.id}
            onChoose={(id) => navigate({ search: { pool: id }, replace: true })}
          />
        )
      }
    >
      {pools.isError && <ProblemNotice error={pools.error} retry={() => pools.refetch()} />}
      {fairness.data && <FairnessPanel fairness={fairness.data} />}
      {fairness.isError && <ProblemNotice error={fairness.error} retry={() => fairness.refetch()} />}
      <Panel title="On record" flush>
        {(pools.isPending || (pool && rounds.isPending)) && <Loading rows={8} what="Loading rounds" />}
        {rounds.isError && <ProblemNotice error={rounds.error} retry={() => rounds.refetch()} />}
        {pools.isSuccess && pool === undefined && (
          <Empty title="There is no pool yet.">Rounds begin with the first one.</Empty>
        )}
        {rounds.isSuccess && rows.length === 0 && (
          <Empty title="No round has been cleared yet.">The first is cleared as soon as there is a demand.</Empty>
        )}
        {pool && rows.length > 0 && <RoundsTable pool={pool} rounds={rows} />}
        <More query={rounds} />
      </Panel>
    </Page>
  );
}
