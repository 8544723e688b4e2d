// One job: its progress beside the reference, its fairness, and why it got what it got.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Job } from "@/api/types";
import { Actions } from "@/design/Actions";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import { Command, Id } from "@/design/Copy";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Moment } from "@/design/Moment";
import { Page } from "@/design/Page";
import { Fact, Facts, Figure, Figures, Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { usePoolEvents } from "@/events/subscribe";
import { useClassNames } from "@/market/className";
import { lagNote, lagText, rhoText } from "@/market/fairness";
import { Explained } from "@/market/Explained";
import { jobAction } from "@/queries/actions";
import { jobQuery } from "@/queries/demand";
import { profilesQuery } from "@/queries/market";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";
import { JOB_STATES } from "@/states/demand";
import { JobProgress } from "./JobProgress";
import { PromisePanel } from "./PromisePanel";

const route = getRouteApi("/own/jobs/$id");

export function JobPage() {
  const { id } = route.useParams();
  const job = useQuery(jobQuery(id));
  if (job.data === undefined) {
    return (
      <Page title="Job">
        {job.isError ? (
          <ProblemNotice error={job.error} retry={() => job.refetch()} />
        ) : (
          <Panel>
            <Loading rows={6} what="Loading the job" />
          </Panel>
        )}
      </Page>
    );
  }
  return <JobSheet job={job.data} />;
}

function JobSheet({ job }: { job: Job }) {
  const client = useQueryClient();
  const role = useSession()?.role;
  const nameOf = useClassNames();
  const profiles = useQuery(profilesQuery);
  usePoolEvents(job.closed_at === null ? job.pool_id : "");
  return (
    <Page
      title={job.name}
      above={<Link to="/jobs">Jobs</Link>}
      lead={
        <span className={classes.inline}>
          <StateChip table={JOB_STATES} state={job.state} />
          <Id value={job.id} />
          {job.rental_id && (
            <Link to="/rentals/$id" params={{ id: job.rental_id }}>
              Open its rental
            </Link>
          )}
        </span>
      }
      actions={
        may(role, "demand") && (
          <Actions
            actions={job.actions}
            subject={`job ${job.name}`}
            send={jobAction(job.id)}
            onDone={() => client.invalidateQueries({ queryKey: ["jobs"] })}
          />
        )
      }
    >
      <Panel
        title="Progress"
        note="The mark on the bar is the reference: where a private, weighted share of the pool would have brought it by now."
      >
        <div style={{ display: "grid", marginBottom: 18 }}>
          <JobProgress job={job} />
        </div>
        <Figures>
          <Figure
            label="Rho"
            note={job.rho === null ? "nothing to compare with yet" : "demand aware; at or below 1 is fair"}
          >
            {rhoText(job.rho)}
          </Figure>
          <Figure label="Lag" note={lagNote(job.lag_seconds)}>
            {lagText(job.lag_seconds)}
          </Figure>
          <Figure label="Spent" note="of its budget, held">
            <Amount value={job.spent} currency={job.currency} size="lg" />
          </Figure>
          <Figure label="Budget">
            <Amount value={job.budget} currency={job.currency} size="lg" />
          </Figure>
        </Figures>
      </Panel>
      {job.promise && <PromisePanel promise={job.promise} currency={job.currency} unit={job.unit} />}
      <Panel title="Why">
        {job.explanation ? (
          <Explained explanation={job.explanation} />
        ) : (
          <Empty title="No round has seen this job yet.">The next one does; its reasons show here at once.</Empty>
        )}
      </Panel>
      <Panel title="Terms">
        <Facts>
          <Fact label="GPU request">
            <code>{job.gpu}</code>
          </Fact>
          <Fact label="Gang">{job.gang}</Fact>
          <Fact label="Weight">{job.weight}</Fact>
          <Fact label="Classes that would do">{job.class_ids.map((one) => nameOf(one)).join(", ")}</Fact>
          <Fact label="Profile">
            {job.profile_id === null
              ? "none: GPU hours"
              : (profiles.data?.find((one) => one.id === job.profile_id)?.name ?? job.profile_id)}
          </Fact>
          <Fact label="Submitted">
            <Moment at={job.created_at} />
          </Fact>
          {job.closed_at && (
            <Fact label="Closed">
              <Moment at={job.closed_at} />
            </Fact>
          )}
        </Facts>
        {job.command && (
          <div style={{ marginTop: 16 }}>
            <Command text={job.command} />
          </div>
        )}
      </Panel>
    </Page>
  );
}
