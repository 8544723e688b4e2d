// The figures of one step of a price chart, in the server's own decimals; they double as the chart's legend.

import type { PricePoint } from "@/api/types";
import { Moment } from "@/design/Moment";
import { money, PRICE_PLACES } from "@/money/format";
import type { PriceView } from "./PriceChart";
import classes from "./Readout.module.css";

const PRICES = {
  band: [
    ["Median", "p50", "line"],
    ["10 %", "p10", "band"],
    ["90 %", "p90", "band"],
  ],
  ohlc: [
    ["Open", "open", null],
    ["High", "high", null],
    ["Low", "low", null],
    ["Close", "close", null],
  ],
} as const;

const DEVICES = [
  ["Supply", "supply_devices", "supply"],
  ["Granted", "granted_devices", "line"],
  ["Demanded", "demanded_devices", "demand"],
] as const;

export function PriceReadout({ point, currency, view }: { point: PricePoint; currency: string; view: PriceView }) {
  return (
    <dl className={classes.readout}>
      <div>
        <dt>At</dt>
        <dd>
          <Moment at={point.at} />
        </dd>
      </div>
      {PRICES[view].map(([label, field, colour]) => (
        <div key={field}>
          <dt data-colour={colour}>{label}</dt>
          <dd>{money(point[field], currency, PRICE_PLACES)}</dd>
        </div>
      ))}
      {DEVICES.map(([label, field, colour]) => (
        <div key={field}>
          <dt data-colour={colour}>{label}</dt>
          <dd>{point[field]}</dd>
        </div>
      ))}
    </dl>
  );
}
