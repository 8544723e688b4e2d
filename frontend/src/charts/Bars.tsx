// Amounts per day as bars. Heights are geometry; the figures shown are the server's text.

import { useState } from "react";
import { money } from "@/money/format";
import { plotted } from "@/money/plot";
import classes from "./Bars.module.css";

interface Props {
  days: { date: string; net: string }[];
  currency: string;
  label: string;
}

export function Bars({ days, currency, label }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const heights = days.map((day) => Math.max(0, plotted(day.net) ?? 0));
  const top = Math.max(...heights, Number.MIN_VALUE);
  const shown = at === null ? days.at(-1) : days[at];
  return (
    <figure className={classes.figure}>
      <figcaption>
        {shown && (
          <>
            {shown.date}: <b>{money(shown.net, currency)}</b>
          </>
        )}
      </figcaption>
      <div className={classes.bars} role="list" aria-label={label} onMouseLeave={() => setAt(null)}>
        {days.map((day, index) => (
          <div
            key={day.date}
            role="listitem"
            className={classes.day}
            aria-label={`${day.date}: ${money(day.net, currency)}`}
            onMouseEnter={() => setAt(index)}
          >
            <span style={{ height: `${(100 * (heights[index] ?? 0)) / top}%` }} />
          </div>
        ))}
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{days[0]?.date}</span>
        <span>{days.at(-1)?.date}</span>
      </div>
    </figure>
  );
}
