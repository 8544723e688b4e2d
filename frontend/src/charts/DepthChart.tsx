// The book of a class: devices wanted at or above each limit, devices offered at or below each floor. Price runs
// across, devices up; where the two meet, the round clears.

import { useMemo, useState } from "react";
import type uPlot from "uplot";
import type { Depth } from "@/api/types";
import { plotted } from "@/money/plot";
import { valueAxis } from "./axes";
import type { ChartColours } from "./colours";
import { type DepthStep, depthSteps } from "./depthSteps";
import { DepthReadout } from "./DepthReadout";
import { Plot, type PlotOptions } from "./Plot";

const HEIGHT = 354;

export function DepthChart({ depth, name }: { depth: Depth; name: string }) {
  const [index, setIndex] = useState<number | null>(null);
  const steps = useMemo(() => depthSteps(depth), [depth]);
  const clearing = plotted(depth.price_per_gpu_hour);
  const build = useMemo(() => options(clearing), [clearing]);
  const data = useMemo<uPlot.AlignedData>(
    () => [steps.map((step) => step.at), steps.map((step) => step.wanted), steps.map((step) => step.offered)],
    [steps],
  );
  const shown: DepthStep | undefined = index === null ? undefined : steps[index];
  return (
    <div>
      <DepthReadout depth={depth} step={shown} />
      <Plot
        build={build}
        data={data}
        height={HEIGHT}
        label={`Depth of ${name}: bids and asks by price. The table below has every step.`}
        onIndex={setIndex}
      />
    </div>
  );
}

function options(clearing: number | null): (colours: ChartColours) => PlotOptions {
  return (colours) => ({
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
    scales: { x: { time: false }, y: { range: (_self, _low, high) => [0, Math.max(1, high * 1.06)] } },
    axes: [
      { ...valueAxis(colours, (value) => value.toFixed(2)), grid: { show: false }, size: 28, space: 56 },
      valueAxis(colours, (value) => String(value), 40),
    ],
    series: [
      {},
      { stroke: colours.good, width: 2, fill: `${colours.good}1c`, points: { show: false } },
      { stroke: colours.demand, width: 2, fill: `${colours.demand}1c`, points: { show: false } },
    ],
    hooks: { draw: [(self) => clearingLine(self, clearing, colours)] },
  });
}

function clearingLine(self: uPlot, clearing: number | null, colours: ChartColours): void {
  if (clearing === null) return;
  const { ctx, bbox } = self;
  const x = Math.round(self.valToPos(clearing, "x", true)) + 0.5;
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = colours.ink;
  ctx.setLineDash([3, 4]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
