// A share of a whole, as a bar with its words.

import classes from "./Meter.module.css";

interface Props {
  part: number;
  whole: number;
  label: string;
  /** A second mark on the bar, such as where a reference stands. */
  mark?: number;
}

export function Meter({ part, whole, label, mark }: Props) {
  const percent = (value: number) => `${whole > 0 ? Math.min(100, (100 * value) / whole) : 0}%`;
  return (
    <span className={classes.meter}>
      <span className={classes.bar} aria-hidden>
        <span className={classes.fill} style={{ width: percent(part) }} />
        {mark !== undefined && <span className={classes.mark} style={{ left: percent(mark) }} />}
      </span>
      <span className={classes.label}>{label}</span>
    </span>
  );
}
