// Invariants, loops and counts.

import { useQuery } from "@tanstack/react-query";
import type { Overview } from "@/api/types";
import { Chip } from "@/design/Chip";
import { Loading, ProblemNotice } from "@/design/Feedback";
import { Relative } from "@/design/Moment";
import { Figure, Figures, Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { type Column, Table } from "@/design/Table";
import { overviewQuery } from "@/queries/operator";
import type { StateLook } from "@/states/tone";

const HOLDS: StateLook = { label: "Holds", tone: "good", means: "" };
const VIOLATED: StateLook = { label: "Violated", tone: "bad", means: "" };
const FAILED: StateLook = { label: "Failed", tone: "bad", means: "" };
const RUNS: StateLook = { label: "Runs", tone: "good", means: "" };

type Invariant = Overview["invariants"][number];
type Loop = Overview["loops"][number];

const INVARIANTS: Column<Invariant>[] = [
  { key: "name", header: "Invariant", main: true, cell: (one) => one.name.replaceAll("_", " ") },
  { key: "holds", header: "Now", cell: (one) => <Chip look={one.holds ? HOLDS : VIOLATED} /> },
  { key: "detail", header: "Checked", cell: (one) => one.detail },
];

const LOOPS: Column<Loop>[] = [
  { key: "name", header: "Loop", main: true, cell: (one) => one.name.replaceAll("_", " ") },
  { key: "state", header: "Last run", cell: (one) => <Chip look={one.last_error === null ? RUNS : FAILED} /> },
  { key: "at", header: "When", cell: (one) => (one.last_run_at ? <Relative at={one.last_run_at} /> : "never") },
  { key: "error", header: "Error", cell: (one) => one.last_error },
];

export function OverviewPanel() {
  const overview = useQuery(overviewQuery);
  if (overview.data === undefined) {
    return (
      <Panel>
        {overview.isError ? (
          <ProblemNotice error={overview.error} retry={() => overview.refetch()} />
        ) : (
          <Loading rows={8} what="Loading the overview" />
        )}
      </Panel>
    );
  }
  const { invariants, loops } = overview.data;
  const violated = invariants.filter((one) => !one.holds).length;
  return (
    <div className={classes.stack}>
      <Panel>
        <Figures>
          <Figure label="Invariants" note={violated === 0 ? "all hold" : "see below: money or capacity is at stake"}>
            {violated === 0 ? `${invariants.length} of ${invariants.length} hold` : `${violated} violated`}
          </Figure>
          <Figure label="Open alerts">{overview.data.alerts_open}</Figure>
          <Figure label="Organisations">{overview.data.organisations}</Figure>
          <Figure label="Users">{overview.data.users}</Figure>
        </Figures>
      </Panel>
      <Panel title="Invariants" note="Checked all the time against the whole ledger." flush>
        <Table caption="Invariants" columns={INVARIANTS} rows={invariants} rowKey={(one) => one.name} />
      </Panel>
      <Panel title="Loops" flush>
        <Table caption="Loops" columns={LOOPS} rows={loops} rowKey={(one) => one.name} />
      </Panel>
    </div>
  );
}
