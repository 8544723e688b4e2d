// The pool's heartbeat: when it clears next, and how much is going on in it.

import type { Pool } from "@/api/types";
import { useNow } from "@/design/Moment";
import type { StreamState } from "@/events/stream";
import { policyInWords } from "@/states/market";
import { duration } from "@/time/format";
import classes from "./Market.module.css";
import { Ring } from "./Ring";

const STREAM_WORDS: Record<StreamState, string> = {
  live: "Live",
  connecting: "Connecting",
  waiting: "Reconnecting; figures may be old",
};

export function PoolPulse({ pool, stream }: { pool: Pool; stream: StreamState }) {
  const now = useNow();
  const seconds = pool.next_round_at === null ? null : Math.ceil((Date.parse(pool.next_round_at) - now) / 1000);
  const free = pool.classes.reduce((sum, one) => sum + one.devices_free, 0);
  return (
    <section className={classes.pulse} aria-label={`Pool ${pool.name}`}>
      <div className={classes.next}>
        <Ring share={seconds === null ? 0 : 1 - seconds / pool.round_seconds} />
        <div>
          <span className={classes.aside}>Next round</span>
          <strong>{seconds === null ? "not planned" : seconds > 0 ? `in ${duration(seconds)}` : "clearing…"}</strong>
        </div>
      </div>
      <dl>
        <div>
          <dt>Last round</dt>
          <dd>{pool.last_round ? `#${pool.last_round.number}` : "none yet"}</dd>
        </div>
        <div>
          <dt>Devices free</dt>
          <dd>
            {free} of {pool.devices}
          </dd>
        </div>
        <div>
          <dt>Rentals</dt>
          <dd>{pool.live_rentals}</dd>
        </div>
        <div>
          <dt>Open bids</dt>
          <dd>{pool.open_bids}</dd>
        </div>
        <div>
          <dt>Fair-share jobs</dt>
          <dd>{pool.live_jobs}</dd>
        </div>
        <div>
          <dt>Share policy</dt>
          <dd>{policyInWords(pool)}</dd>
        </div>
      </dl>
      <span className={classes.live} data-state={stream} role="status">
        {STREAM_WORDS[stream]}
      </span>
    </section>
  );
}
