// The timeline of a rental.

import type { Rental } from "@/api/types";
import { Moment } from "@/design/Moment";
import { transitionsOf } from "@/events/transitions";
import classes from "./Rental.module.css";
import { timeline } from "./timeline";

export function RentalTimeline({ rental }: { rental: Rental }) {
  const steps = timeline(rental, transitionsOf(rental.id));
  return (
    <ol className={classes.path} aria-label="States of the rental">
      {steps.map((step) => (
        <li
          key={step.state}
          className={classes.step}
          data-way={step.way}
          aria-current={step.way === "here" ? "step" : undefined}
        >
          <b>{step.label}</b>
          {step.way !== "ahead" && step.at && (
            <span className={classes.aside}>
              <Moment at={step.at} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
