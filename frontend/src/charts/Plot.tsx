// uPlot inside React: follows its box and the colour scheme, and can be read with the arrow keys.

import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import uPlot from "uplot";
import { type ChartColours, chartColours } from "./colours";
import classes from "./Plot.module.css";

export type PlotOptions = Omit<uPlot.Options, "width" | "height">;

interface Props {
  build: (colours: ChartColours) => PlotOptions;
  data: uPlot.AlignedData;
  height: number;
  /** What the chart shows, for those who do not see it. */
  label: string;
  onIndex?: (index: number | null) => void;
}

export function Plot({ build, data, height, label, onIndex }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ data, onIndex });
  latest.current = { data, onIndex };
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new uPlot(
      withIndex({ ...build(chartColours(element, scheme)), width: element.clientWidth, height }, (index) =>
        latest.current.onIndex?.(index),
      ),
      latest.current.data,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [build, height, scheme]);

  useEffect(() => plot.current?.setData(data), [data]);

  const step = (event: KeyboardEvent) => {
    const made = plot.current;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const times = made?.data[0];
    if (made === null || by === undefined || times === undefined || times.length === 0) return;
    event.preventDefault();
    const index = Math.min(times.length - 1, Math.max(0, (made.cursor.idx ?? times.length) + by));
    const left = made.valToPos(times[index] as number, "x");
    made.setCursor({ left, top: made.over.clientHeight / 2 });
  };

  return (
    <div
      className={classes.plot}
      ref={box}
      role="img"
      aria-label={label}
      tabIndex={0}
      onKeyDown={step}
      style={{ height }}
    />
  );
}

function withIndex(options: uPlot.Options, tell: (index: number | null) => void): uPlot.Options {
  const onCursor = (self: uPlot) => tell(self.cursor.idx ?? null);
  return { ...options, hooks: { ...options.hooks, setCursor: [...(options.hooks?.setCursor ?? []), onCursor] } };
}
