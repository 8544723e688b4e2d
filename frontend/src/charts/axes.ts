// Axes that look alike on every chart.

import type uPlot from "uplot";
import type { ChartColours } from "./colours";

const SMALL = 8;

function plainAxis(colours: ChartColours): uPlot.Axis {
  return {
    stroke: colours.text,
    font: colours.font,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    gap: SMALL,
  };
}

export function timeAxis(colours: ChartColours): uPlot.Axis {
  return {
    ...plainAxis(colours),
    grid: { show: false },
    size: 38,
    space: 72,
    values: [
      [86_400, "{D} {MMM}", null, null, null, null, null, null, 1],
      [60, "{HH}:{mm}", "\n{D} {MMM}", null, null, null, null, null, 1],
      [1, "{HH}:{mm}:{ss}", null, null, null, null, null, null, 1],
    ],
  };
}

export function valueAxis(colours: ChartColours, format: (value: number) => string, size = 52): uPlot.Axis {
  return { ...plainAxis(colours), size, space: 34, values: (_self, splits) => splits.map(format) };
}
