// Money on screen: the figure, its currency and, smaller, its unit.

import { money } from "@/money/format";
import classes from "./Amount.module.css";

interface Props {
  value: string | null | undefined;
  currency: string;
  per?: string;
  /** At least so many digits after the point, to line figures up. */
  places?: number;
  size?: "md" | "lg" | "xl";
  /** Said in place of a missing value. */
  absent?: string;
}

export function Amount({ value, currency, per, places, size = "md", absent = "—" }: Props) {
  if (value === null || value === undefined) return <span className={classes.absent}>{absent}</span>;
  return (
    <span className={classes.amount} data-size={size}>
      {money(value, currency, places)}
      {per && <span className={classes.per}> {per}</span>}
    </span>
  );
}
