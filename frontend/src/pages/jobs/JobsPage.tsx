// The organisation's fair-share jobs.

import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { jobsQuery } from "@/queries/demand";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";
import { JobForm } from "./JobForm";
import { JobsTable } from "./JobsTable";

const SHOWN = [
  { value: "live", label: "Live" },
  { value: "all", label: "All" },
];

export function JobsPage() {
  const role = useSession()?.role;
  const [shown, setShown] = useState("live");
  const [writing, setWriting] = useState(false);
  const jobs = useInfiniteQuery(jobsQuery());
  const every = jobs.data?.pages.flatMap((page) => page.items) ?? [];
  const rows = shown === "all" ? every : every.filter((job) => job.closed_at === null);
  const submit = may(role, "demand") && <Button onClick={() => setWriting(true)}>Submit a job</Button>;
  return (
    <Page
      title="Jobs"
      lead="A job has work to do and a fair share of the pool to do it with. Its rho says how it fares against a private share of its own: at or below 1 it loses nothing by sharing."
      actions={
        <>
          <SegmentedControl aria-label="Which jobs" data={SHOWN} value={shown} onChange={setShown} />
          {submit}
        </>
      }
    >
      <Panel flush>
        {jobs.isPending && <Loading what="Loading jobs" />}
        {jobs.isError && <ProblemNotice error={jobs.error} retry={() => jobs.refetch()} />}
        {jobs.isSuccess && rows.length === 0 && !jobs.hasNextPage && (
          <Empty
            title={every.length === 0 ? "You have submitted no job yet." : "No job is live right now."}
            action={submit}
          >
            Say how much work there is and what it may cost; the pool finishes it as soon as is fair.
          </Empty>
        )}
        {rows.length > 0 && <JobsTable jobs={rows} />}
        <More query={jobs} />
      </Panel>
      {writing && <JobForm onClose={() => setWriting(false)} />}
    </Page>
  );
}
