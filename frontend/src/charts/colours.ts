// The palette's chart colours as values a canvas can use.

export interface ChartColours {
  band: string;
  line: string;
  supply: string;
  demand: string;
  grid: string;
  ink: string;
  text: string;
  good: string;
  bad: string;
  font: string;
}

/** Read anew for each scheme: a canvas does not follow CSS variables by itself. */
export function chartColours(element: Element, _scheme: string): ChartColours {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    band: value("--chart-band"),
    line: value("--chart-line"),
    supply: value("--chart-supply"),
    demand: value("--chart-demand"),
    grid: value("--chart-grid"),
    ink: value("--ink"),
    text: value("--ink-3"),
    good: value("--good"),
    bad: value("--bad"),
    font: "12px 'Hanken Grotesk Variable', system-ui, sans-serif",
  };
}
