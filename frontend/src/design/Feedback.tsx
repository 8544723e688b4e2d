// What a page shows when there is nothing to show: loading, empty, failed. Each says what to do next.

import { Button, Skeleton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { asProblem } from "@/api/problem";
import { CopyIcon } from "./Copy";
import classes from "./Feedback.module.css";

export function Loading({ rows = 4, what = "Loading" }: { rows?: number; what?: string }) {
  return (
    <div className={classes.loading} role="status" aria-label={what}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={18} radius="sm" width={`${94 - ((row * 17) % 40)}%`} />
      ))}
    </div>
  );
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {children && <p>{children}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}

/** A problem in the API's own words, with the id to quote when asking for help. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  if (error === null || error === undefined) return null;
  const problem = asProblem(error);
  return (
    <div className={classes.problem} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p className={classes.title}>{problem.title}</p>
        <p>{problem.detail}</p>
        <p className={classes.trace}>
          <code>{problem.code}</code>
          {problem.request_id && (
            <span>
              request <code>{problem.request_id}</code>
              <CopyIcon value={problem.request_id} what="request id" />
            </span>
          )}
        </p>
      </div>
      {retry && (
        <Button size="xs" variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
