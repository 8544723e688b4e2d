// Jobs, one row each.

import { Link } from "@tanstack/react-router";
import type { Job } from "@/api/types";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import classes from "@/design/Stack.module.css";
import { type Column, Table } from "@/design/Table";
import { lagText, rhoText } from "@/market/fairness";
import { JOB_STATES } from "@/states/demand";
import { JobProgress } from "./JobProgress";

const COLUMNS: Column<Job>[] = [
  {
    key: "name",
    header: "Job",
    main: true,
    cell: (job) => (
      <>
        <Link to="/jobs/$id" params={{ id: job.id }}>
          {job.name}
        </Link>
        <br />
        <span className={classes.aside}>
          {job.gpu}, weight {job.weight}
        </span>
      </>
    ),
  },
  { key: "state", header: "State", cell: (job) => <StateChip table={JOB_STATES} state={job.state} /> },
  { key: "progress", header: "Progress and reference", cell: (job) => <JobProgress job={job} /> },
  {
    key: "rho",
    header: "Rho",
    align: "end",
    cell: (job) => rhoText(job.rho),
  },
  {
    key: "lag",
    header: "Lag",
    align: "end",
    cell: (job) => lagText(job.lag_seconds),
  },
  {
    key: "spent",
    header: "Spent",
    align: "end",
    cell: (job) => (
      <>
        <Amount value={job.spent} currency={job.currency} />
        <br />
        <span className={classes.aside}>
          of <Amount value={job.budget} currency={job.currency} />
        </span>
      </>
    ),
  },
];

export function JobsTable({ jobs }: { jobs: Job[] }) {
  return <Table caption="Fair-share jobs" columns={COLUMNS} rows={jobs} rowKey={(job) => job.id} />;
}
