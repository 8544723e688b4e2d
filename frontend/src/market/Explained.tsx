// Why a demand got what it got, in words and numbers.

import type { Explanation } from "@/api/types";
import { StateChip } from "@/design/Chip";
import { Moment } from "@/design/Moment";
import { OUTCOMES } from "@/states/market";
import classes from "./Explained.module.css";

export function Explained({ explanation }: { explanation: Explanation }) {
  return (
    <div className={classes.explained}>
      <StateChip table={OUTCOMES} state={explanation.code} />
      <p className={classes.sentence}>{explanation.sentence}</p>
      {explanation.numbers.length > 0 && (
        <dl className={classes.numbers}>
          {explanation.numbers.map(({ name, value, unit }) => (
            <div key={name}>
              <dt>{name.replaceAll("_", " ")}</dt>
              <dd>
                {value} <span>{unit}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className={classes.round}>
        Round {explanation.round_number}, <Moment at={explanation.explained_at} />
      </p>
    </div>
  );
}
