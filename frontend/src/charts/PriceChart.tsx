// A class's price over time: the band between the 10th and 90th percentile with the median, or open, high, low and close.

import { useMemo, useState } from "react";
import uPlot from "uplot";
import type { Prices } from "@/api/types";
import { plotted } from "@/money/plot";
import { timeAxis, valueAxis } from "./axes";
import { candles } from "./candles";
import type { ChartColours } from "./colours";
import { Plot, type PlotOptions } from "./Plot";
import { PriceReadout } from "./PriceReadout";

export type PriceView = "band" | "ohlc";

const PRICE_HEIGHT = 250;
const DEVICES_HEIGHT = 104;
const SYNC = "price";

/** A line needs two ends: until there are enough, points are drawn. */
const fewPoints = (self: uPlot) => (self.data[0]?.length ?? 0) < 3;

const price = (value: number) => value.toFixed(2);

function bandOptions(colours: ChartColours): PlotOptions {
  return {
    ...frame(colours, valueAxis(colours, price)),
    series: [
      {},
      { stroke: "transparent", points: { show: false } },
      { stroke: "transparent", points: { show: false } },
      { stroke: colours.line, width: 2, points: { show: fewPoints } },
    ],
    bands: [{ series: [2, 1], fill: colours.band }],
  };
}

function ohlcOptions(colours: ChartColours): PlotOptions {
  const hidden = { stroke: "transparent", points: { show: false } };
  return {
    ...frame(colours, valueAxis(colours, price)),
    series: [{}, hidden, hidden, hidden, hidden],
    hooks: { draw: [candles(colours)] },
  };
}

function deviceOptions(colours: ChartColours): PlotOptions {
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    ...frame(
      colours,
      valueAxis(colours, (value) => String(value)),
    ),
    scales: { x: { time: true, range: timeRange }, y: { range: (_self, _low, high) => [0, Math.max(1, high * 1.08)] } },
    series: [
      {},
      { stroke: colours.supply, width: 1.5, dash: [4, 4], paths: stepped, points: { show: false } },
      { stroke: colours.line, width: 1.5, fill: colours.band, paths: stepped, points: { show: false } },
      { stroke: colours.demand, width: 1.5, paths: stepped, points: { show: false } },
    ],
  };
}

const SPAN_MIN_SECONDS = 600;

/** A young market has few points: they stand at the right, where the next ones will come. */
function timeRange(_self: uPlot, first: number, last: number): [number, number] {
  return [Math.min(first, last - SPAN_MIN_SECONDS), last];
}

function frame(colours: ChartColours, values: uPlot.Axis): Omit<PlotOptions, "series"> {
  return {
    padding: [10, 8, 0, 0],
    legend: { show: false },
    scales: { x: { time: true, range: timeRange } },
    cursor: { sync: { key: SYNC }, drag: { x: false, y: false }, y: false, points: { size: 7 } },
    axes: [timeAxis(colours), values],
  };
}

export function PriceChart({ prices, name, view }: { prices: Prices; name: string; view: PriceView }) {
  const { points, currency } = prices;
  const [index, setIndex] = useState<number | null>(null);
  const times = useMemo(() => points.map((point) => Date.parse(point.at) / 1000), [points]);
  const priceData = useMemo<uPlot.AlignedData>(() => {
    const fields = view === "band" ? (["p10", "p90", "p50"] as const) : (["open", "high", "low", "close"] as const);
    return [times, ...fields.map((field) => points.map((point) => plotted(point[field])))];
  }, [points, times, view]);
  const deviceData = useMemo<uPlot.AlignedData>(
    () => [
      times,
      points.map((point) => point.supply_devices),
      points.map((point) => point.granted_devices),
      points.map((point) => point.demanded_devices),
    ],
    [points, times],
  );
  const shown = points[index ?? points.length - 1] ?? points.at(-1);
  return (
    <div>
      {shown && <PriceReadout point={shown} currency={currency} view={view} />}
      <Plot
        build={view === "band" ? bandOptions : ohlcOptions}
        data={priceData}
        height={PRICE_HEIGHT}
        label={`Price of ${name} over time. Use the arrow keys to read single steps; the table below has every value.`}
        onIndex={setIndex}
      />
      <Plot
        build={deviceOptions}
        data={deviceData}
        height={DEVICES_HEIGHT}
        label={`Devices of ${name} supplied, granted and demanded over time.`}
        onIndex={setIndex}
      />
    </div>
  );
}
