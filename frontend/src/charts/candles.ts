// Draws open, high, low and close: series 1 to 4 of the plot.

import type uPlot from "uplot";
import type { ChartColours } from "./colours";

const WIDTH_MAX = 9;

export function candles(colours: ChartColours): (self: uPlot) => void {
  return (self) => {
    const [times, opens, highs, lows, closes] = self.data;
    if (!times || !opens || !highs || !lows || !closes) return;
    const { ctx } = self;
    const ratio = uPlotRatio();
    const gap = times.length > 1 ? (self.bbox.width / times.length) * 0.7 : WIDTH_MAX;
    const width = Math.max(1, Math.min(WIDTH_MAX * ratio, gap));
    ctx.save();
    ctx.lineWidth = ratio;
    for (let index = 0; index < times.length; index++) {
      const [open, high, low, close] = [opens[index], highs[index], lows[index], closes[index]];
      if (open == null || high == null || low == null || close == null) continue;
      const x = Math.round(self.valToPos(times[index] as number, "x", true));
      const y = (value: number) => Math.round(self.valToPos(value, "y", true));
      const colour = close >= open ? colours.good : colours.bad;
      ctx.strokeStyle = colour;
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.moveTo(x, y(high));
      ctx.lineTo(x, y(low));
      ctx.stroke();
      const top = y(Math.max(open, close));
      ctx.fillRect(x - width / 2, top, width, Math.max(ratio, y(Math.min(open, close)) - top));
    }
    ctx.restore();
  };
}

function uPlotRatio(): number {
  return globalThis.devicePixelRatio || 1;
}
