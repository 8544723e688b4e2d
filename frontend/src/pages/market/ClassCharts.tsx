// One class in depth: its price over time and its book, each also as a table.

import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { PoolClass } from "@/api/types";
import type { PriceView } from "@/charts/PriceChart";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Panel } from "@/design/Panel";
import { className } from "@/market/className";
import { depthQuery, PRICE_RANGES, pricesQuery } from "@/queries/market";
import { DepthTable, PriceTable } from "./ChartTables";
import classes from "./Market.module.css";

const PriceChart = lazy(() => import("@/charts/PriceChart").then((module) => ({ default: module.PriceChart })));
const DepthChart = lazy(() => import("@/charts/DepthChart").then((module) => ({ default: module.DepthChart })));

const VIEWS = [
  { value: "band", label: "Band" },
  { value: "ohlc", label: "OHLC" },
];

export function ClassCharts({ pool, chosen }: { pool: string; chosen: PoolClass }) {
  const [rangeLabel, setRangeLabel] = useState<string>("1 h");
  const [view, setView] = useState<PriceView>("band");
  const range = PRICE_RANGES.find((one) => one.label === rangeLabel) ?? PRICE_RANGES[2];
  const prices = useQuery(pricesQuery(pool, chosen.class_id, range));
  const depth = useQuery(depthQuery(pool, chosen.class_id));
  const name = className(chosen);
  return (
    <div className={classes.charts}>
      <Panel
        title={name}
        note="Price over time, and devices supplied, granted and demanded."
        actions={
          <>
            <SegmentedControl
              size="xs"
              aria-label="How to draw prices"
              data={VIEWS}
              value={view}
              onChange={(value) => setView(value as PriceView)}
            />
            <SegmentedControl
              size="xs"
              aria-label="Time span"
              data={PRICE_RANGES.map((one) => one.label)}
              value={rangeLabel}
              onChange={setRangeLabel}
            />
          </>
        }
      >
        {prices.isPending && <Loading rows={9} what="Loading prices" />}
        {prices.isError && <ProblemNotice error={prices.error} retry={() => prices.refetch()} />}
        {prices.data?.points.length === 0 && (
          <Empty title={`No round has priced ${name} in this time.`}>
            Choose a longer span, or wait for the next round.
          </Empty>
        )}
        {prices.data && prices.data.points.length > 0 && (
          <>
            <Suspense fallback={<Loading rows={9} />}>
              <PriceChart prices={prices.data} name={name} view={view} />
            </Suspense>
            <PriceTable prices={prices.data} name={name} />
          </>
        )}
      </Panel>
      <Panel title="Depth" note={`Bids and asks for ${name} in the last round.`}>
        {depth.isPending && <Loading rows={9} what="Loading the book" />}
        {depth.isError && <ProblemNotice error={depth.error} retry={() => depth.refetch()} />}
        {depth.data && depth.data.bids.length + depth.data.asks.length === 0 && (
          <Empty title="The book is empty.">The first bid or ask for this class will show here.</Empty>
        )}
        {depth.data && depth.data.bids.length + depth.data.asks.length > 0 && (
          <>
            <Suspense fallback={<Loading rows={9} />}>
              <DepthChart depth={depth.data} name={name} />
            </Suspense>
            <DepthTable depth={depth.data} name={name} />
          </>
        )}
      </Panel>
    </div>
  );
}
