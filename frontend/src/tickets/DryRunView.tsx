// The answer of the live book to a bid that is still being written.

import { Button } from "@mantine/core";
import type { DryRun } from "@/api/types";
import { Amount } from "@/design/Amount";
import { useClassNames } from "@/market/className";
import { money, PER_GPU_HOUR, PER_HOUR } from "@/money/format";
import classes from "./Ticket.module.css";

interface Props {
  run: DryRun | undefined;
  /** There is enough on the ticket to ask. */
  asked: boolean;
  pending: boolean;
  failed: boolean;
  onUse: (limit: string) => void;
}

export function DryRunView({ run, asked, pending, failed, onUse }: Props) {
  const nameOf = useClassNames();
  if (!asked || failed || run === undefined) {
    return (
      <div className={classes.verdict} role="status">
        <p className={classes.hint}>
          {asked && pending
            ? "Asking the book…"
            : "Say what you want and your limit: the live book answers here, before anything is placed."}
        </p>
      </div>
    );
  }
  const { currency } = run;
  return (
    <div className={classes.verdict} data-wins={run.would_win} data-pending={pending || undefined}>
      <div role="status">
        <p className={classes.headline}>{run.would_win ? "Would win now" : "Would not win now"}</p>
        <p>{run.sentence}</p>
      </div>
      <dl className={classes.parts}>
        <div>
          <dt>Price now{run.class_id ? `, ${nameOf(run.class_id)}` : ""}</dt>
          <dd>
            <Amount value={run.price_per_gpu_hour} currency={currency} per={PER_GPU_HOUR} />
          </dd>
        </div>
        {!run.would_win && run.winning_limit_per_gpu_hour !== null && (
          <div>
            <dt>A limit that would win</dt>
            <dd>
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => onUse(run.winning_limit_per_gpu_hour as string)}
                aria-label={`Use ${money(run.winning_limit_per_gpu_hour, currency)} as the limit`}
              >
                Use {money(run.winning_limit_per_gpu_hour, currency)}
              </Button>
            </dd>
          </div>
        )}
        <div>
          <dt>At most, for the whole gang</dt>
          <dd>
            <Amount value={run.total_per_hour_max} currency={currency} per={PER_HOUR} />
          </dd>
        </div>
        <div>
          <dt>Held from the wallet</dt>
          <dd>
            <Amount value={run.hold} currency={currency} />
          </dd>
        </div>
      </dl>
      <p className={classes.hint}>Against the book of round {run.round_number}. The next round decides.</p>
    </div>
  );
}
