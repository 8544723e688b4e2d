// A quote: every part of the price, what is held, and how long the wallet lasts with it.

import type { Quote } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Countdown } from "@/design/Moment";
import { PER_GPU_HOUR, PER_HOUR } from "@/money/format";
import { duration } from "@/time/format";
import classes from "./Ticket.module.css";

export function QuoteView({ quote, pending }: { quote: Quote | undefined; pending: boolean }) {
  if (quote === undefined) {
    return (
      <div className={classes.verdict} role="status">
        <p className={classes.hint}>
          {pending ? "Asking for a quote…" : "Say how many devices, and the whole price shows here."}
        </p>
      </div>
    );
  }
  const { currency } = quote;
  return (
    <div className={classes.verdict} data-pending={pending || undefined}>
      <dl className={classes.parts}>
        <div>
          <dt>Price per device</dt>
          <dd>
            <Amount value={quote.price_per_gpu_hour} currency={currency} per={PER_GPU_HOUR} />
          </dd>
        </div>
        {quote.parts.map((part) => (
          <div key={part.label}>
            <dt>{part.label}</dt>
            <dd>
              <Amount value={part.per_hour} currency={currency} per={PER_HOUR} />
            </dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>Total</dt>
          <dd>
            <Amount value={quote.price_per_hour} currency={currency} per={PER_HOUR} />
          </dd>
        </div>
        <div>
          <dt>Held from the wallet at once</dt>
          <dd>
            <Amount value={quote.hold} currency={currency} />
          </dd>
        </div>
        {quote.runway_seconds !== null && (
          <div>
            <dt>The wallet then lasts</dt>
            <dd>{duration(quote.runway_seconds)}</dd>
          </div>
        )}
      </dl>
      <p className={classes.hint}>
        This quote holds for <Countdown at={quote.expires_at} past="no longer: change the count to ask again" />.
      </p>
    </div>
  );
}
