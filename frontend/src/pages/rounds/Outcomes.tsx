// Outcomes by code, with their counts as bars.

import type { Round } from "@/api/types";
import { StateChip } from "@/design/Chip";
import { Empty } from "@/design/Feedback";
import { OUTCOMES } from "@/states/market";
import classes from "./Round.module.css";

export function Outcomes({ outcomes }: { outcomes: Round["outcomes"] }) {
  if (outcomes.length === 0) return <Empty title="No demand was in this round." />;
  const most = Math.max(...outcomes.map((one) => one.count));
  return (
    <ul className={classes.outcomes}>
      {outcomes.map((one) => (
        <li key={one.code}>
          <StateChip table={OUTCOMES} state={one.code} />
          <span className={classes.track} aria-hidden>
            <span style={{ width: `${(100 * one.count) / most}%` }} />
          </span>
          <b>{one.count}</b>
        </li>
      ))}
    </ul>
  );
}
