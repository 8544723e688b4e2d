// The market: prices now and over time, the book, the rounds, and the offers one can rent at once.

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { usePoolEvents } from "@/events/subscribe";
import { poolsQuery } from "@/queries/market";
import { useSession } from "@/session/session";
import { ClassBoard } from "./ClassBoard";
import { ClassCharts } from "./ClassCharts";
import classes from "./Market.module.css";
import { OffersPanel } from "./OffersPanel";
import { PoolPicker } from "@/market/PoolPicker";
import { PoolPulse } from "./PoolPulse";
import { RoundStrip } from "./RoundStrip";

const route = getRouteApi("/");

export function MarketPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const signedIn = useSession() !== null;
  const pools = useQuery(poolsQuery);
  const pool = pools.data?.find((one) => one.id === search.pool) ?? pools.data?.[0];
  // Unless one is asked for, the class that most people trade in.
  const busiest = pool?.classes.toSorted((a, b) => b.devices_leased - a.devices_leased || b.devices - a.devices)[0];
  const chosen = pool?.classes.find((one) => one.class_id === search.class) ?? busiest;
  const stream = usePoolEvents(pool?.id ?? "");
  return (
    <Page
      title="Market"
      lead="One price per class and round for everyone who bids. Sellers set floors, you set limits, and every round can be checked."
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
      {pools.isPending && (
        <Panel>
          <Loading rows={8} what="Loading the market" />
        </Panel>
      )}
      {pools.isError && <ProblemNotice error={pools.error} retry={() => pools.refetch()} />}
      {pools.data && pool === undefined && (
        <Panel>
          <Empty
            title="This market has no pool yet."
            action={
              <Button component={Link} to={signedIn ? "/operator" : "/login"} variant="default">
                {signedIn ? "Operate" : "Log in"}
              </Button>
            }
          >
            An operator makes the first pool; then providers bring nodes into it.
          </Empty>
        </Panel>
      )}
      {pool && (
        <>
          <PoolPulse pool={pool} stream={stream} />
          <Panel title="Prices now" note="Per GPU and hour, as the last round cleared them." flush>
            <ClassBoard
              pool={pool}
              chosen={chosen?.class_id}
              onChoose={(id) =>
                navigate({ search: (now) => ({ ...now, class: id }), replace: true, resetScroll: false })
              }
            />
          </Panel>
          {chosen && <ClassCharts pool={pool.id} chosen={chosen} />}
          <RoundStrip pool={pool} />
          <div className={classes.offers} id="offers">
            <OffersPanel
              key={pool.id}
              pool={pool.id}
              gpu={search.gpu ?? ""}
              onGpu={(gpu) =>
                navigate({ search: (now) => ({ ...now, gpu: gpu || undefined }), replace: true, resetScroll: false })
              }
            />
          </div>
        </>
      )}
    </Page>
  );
}
