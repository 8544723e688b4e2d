// Where a round stands in the chain of hashes.

import type { Round } from "@/api/types";
import { CopyIcon } from "@/design/Copy";
import classes from "./Round.module.css";

export function HashChain({ round }: { round: Round }) {
  return (
    <dl className={classes.chain}>
      <Hash label={`Round ${round.number - 1}, sealed by this one`} value={round.previous_hash} />
      <Hash label="Plan" value={round.plan_hash} />
      <Hash label={`Round ${round.number}`} value={round.hash} here />
      <Hash label="Seed" value={String(round.seed)} />
    </dl>
  );
}

function Hash({ label, value, here }: { label: string; value: string; here?: boolean }) {
  return (
    <div data-here={here || undefined}>
      <dt>{label}</dt>
      <dd>
        <code>{value}</code>
        <CopyIcon value={value} what={label} />
      </dd>
    </div>
  );
}
