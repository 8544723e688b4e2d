// By when a job that is still being written would be finished.

import type { JobDryRun } from "@/api/types";
import { Moment } from "@/design/Moment";
import classes from "@/tickets/Ticket.module.css";

export function JobQuote({ quote, pending }: { quote: JobDryRun | undefined; pending: boolean }) {
  if (quote === undefined) {
    return (
      <div className={classes.verdict} role="status">
        <p className={classes.hint}>Say what it is to do: the pool answers here by when it is finished.</p>
      </div>
    );
  }
  return (
    <div
      className={classes.verdict}
      data-wins={quote.finish_by !== null || (quote.admitted ? undefined : false)}
      data-pending={pending || undefined}
      role="status"
    >
      <p className={classes.headline}>
        {quote.finish_by !== null ? (
          <>
            Finished by <Moment at={quote.finish_by} />
          </>
        ) : quote.admitted ? (
          "No finish time is promised"
        ) : (
          "The pool does not take it now"
        )}
      </p>
      <p>{quote.sentence}</p>
    </div>
  );
}
