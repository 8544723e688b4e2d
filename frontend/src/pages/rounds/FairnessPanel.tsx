// How the pool's fair-share jobs fare: a dot each, and a table of the same.

import { Link } from "@tanstack/react-router";
import type { Fairness, FairnessJob } from "@/api/types";
import { DotPlot } from "@/charts/DotPlot";
import { Empty } from "@/design/Feedback";
import { Panel } from "@/design/Panel";
import { type Column, Table } from "@/design/Table";
import { rankText } from "@/market/rank";
import { sharePolicyLabel } from "@/states/market";
import { lagText, rhoText } from "@/market/fairness";

/** Only one's own jobs come with their names; others are known by their rank. */
const isOwn = (job: FairnessJob) => job.name !== null;
const nameOf = (job: FairnessJob) => job.name ?? rankText(job.demand);

const COLUMNS: Column<FairnessJob>[] = [
  {
    key: "job",
    header: "Job",
    main: true,
    cell: (job) =>
      isOwn(job) ? (
        <Link to="/jobs/$id" params={{ id: job.demand }}>
          {nameOf(job)}
        </Link>
      ) : (
        <code title={job.demand}>{rankText(job.demand)}</code>
      ),
  },
  { key: "rho", header: "Rho", align: "end", cell: (job) => rhoText(job.rho) },
  { key: "lag", header: "Lag", align: "end", cell: (job) => lagText(job.lag_seconds) },
  { key: "progress", header: "Progress", align: "end", cell: (job) => `${(Number(job.progress) * 100).toFixed(1)} %` },
  { key: "gang", header: "Gang", align: "end", cell: (job) => job.gang },
  { key: "weight", header: "Weight", align: "end", cell: (job) => job.weight },
  {
    key: "share",
    header: "Entitled share",
    align: "end",
    cell: (job) => `${(Number(job.entitled_share) * 100).toFixed(1)} %`,
  },
];

export function FairnessPanel({ fairness }: { fairness: Fairness }) {
  const apart = fairness.jobs.filter((job) => job.rho === null).length;
  const denominator = fairness.jobs[0]?.rho_denominator.replaceAll("_", " ") ?? "demand aware";
  return (
    <Panel
      title="Fairness"
      note={
        fairness.round_number === null
          ? `Policy: ${sharePolicyLabel(fairness.policy)}.`
          : `After round ${fairness.round_number}. Policy: ${sharePolicyLabel(fairness.policy)}; rho with the ${denominator} denominator. Lag is in reference seconds, + is owed.`
      }
    >
      {fairness.jobs.length === 0 ? (
        <Empty title="No fair-share job is live in this pool.">
          Submit one, and its rho shows here after the next round.
        </Empty>
      ) : (
        <>
          <DotPlot jobs={fairness.jobs} isOwn={isOwn} nameOf={nameOf} />
          {apart > 0 && (
            <p style={{ color: "var(--ink-3)", fontSize: 12.5 }}>
              {apart === 1 ? "1 job has" : `${apart} jobs have`} no rho: no node of the pool has what{" "}
              {apart === 1 ? "it asks" : "they ask"} for.
            </p>
          )}
          <details style={{ marginTop: 8 }}>
            <summary style={{ cursor: "pointer", color: "var(--ink-3)", fontSize: 12.5 }}>As a table</summary>
            <div style={{ margin: "8px -20px 0" }}>
              <Table caption="Fairness per job" columns={COLUMNS} rows={fairness.jobs} rowKey={(job) => job.demand} />
            </div>
          </details>
        </>
      )}
    </Panel>
  );
}
