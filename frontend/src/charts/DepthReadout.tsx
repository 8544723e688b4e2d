// The figures under the cursor of a depth chart, or where the book cleared.

import type { Depth } from "@/api/types";
import { money } from "@/money/format";
import type { DepthStep } from "./depthSteps";
import classes from "./Readout.module.css";

export function DepthReadout({ depth, step }: { depth: Depth; step: DepthStep | undefined }) {
  const price = step?.price ?? depth.price_per_gpu_hour;
  return (
    <dl className={classes.readout}>
      <div>
        <dt>{step ? "At" : "Cleared at"}</dt>
        <dd>{price === null ? "no price yet" : money(price, depth.currency)}</dd>
      </div>
      <div>
        <dt data-colour="bid">Wanted{step ? "" : " in all"}</dt>
        <dd>{step?.wanted ?? depth.bids.at(-1)?.cumulative_devices ?? 0}</dd>
      </div>
      <div>
        <dt data-colour="ask">Offered{step ? "" : " in all"}</dt>
        <dd>{step?.offered ?? depth.asks.at(-1)?.cumulative_devices ?? 0}</dd>
      </div>
    </dl>
  );
}
