// One rental: where it stands, what it costs, and the way into it.

import { Tabs } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { Rental } from "@/api/types";
import { Actions } from "@/design/Actions";
import { StateChip } from "@/design/Chip";
import { Id } from "@/design/Copy";
import { Loading, ProblemNotice } from "@/design/Feedback";
import { Countdown } from "@/design/Moment";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { useClassNames } from "@/market/className";
import { rentalAction } from "@/queries/actions";
import { rentalQuery } from "@/queries/demand";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";
import { RENTAL_STATES } from "@/states/demand";
import { LogsTab } from "./LogsTab";
import { RentalOverview } from "./RentalOverview";
import { UsageTab } from "./UsageTab";

const Shell = lazy(() => import("./ShellTab").then((module) => ({ default: module.ShellTab })));
const route = getRouteApi("/own/rentals/$id");

export function RentalPage() {
  const { id } = route.useParams();
  const rental = useQuery(rentalQuery(id));
  if (rental.data === undefined) {
    return (
      <Page title="Rental">
        {rental.isError ? (
          <ProblemNotice error={rental.error} retry={() => rental.refetch()} />
        ) : (
          <Panel>
            <Loading rows={8} what="Loading the rental" />
          </Panel>
        )}
      </Page>
    );
  }
  return <RentalSheet rental={rental.data} />;
}

function RentalSheet({ rental }: { rental: Rental }) {
  const { tab = "overview" } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const role = useSession()?.role;
  const nameOf = useClassNames();
  const ended = rental.ended_at !== null;
  return (
    <Page
      title={`${rental.gang} × ${nameOf(rental.class_id, rental.model)}`}
      above={<Link to="/rentals">Rentals</Link>}
      lead={
        <span style={{ display: "inline-flex", flexWrap: "wrap", alignItems: "center", gap: "4px 12px" }}>
          <StateChip table={RENTAL_STATES} state={rental.state} />
          {rental.notice_until && (
            <span>
              released in <Countdown at={rental.notice_until} past="a moment" />
            </span>
          )}
          <Id value={rental.id} />
        </span>
      }
      actions={
        may(role, "demand") && (
          <Actions
            actions={rental.actions}
            subject={`rental ${rental.id.slice(-6)}`}
            send={rentalAction(rental.id)}
            onDone={() => client.invalidateQueries({ queryKey: ["rentals"] })}
          />
        )
      }
    >
      <Tabs
        value={tab}
        onChange={(next) => navigate({ search: { tab: next ?? undefined }, replace: true, resetScroll: false })}
        keepMounted={false}
      >
        <Tabs.List mb={20}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="usage">Usage</Tabs.Tab>
          <Tabs.Tab value="logs">Logs</Tabs.Tab>
          {may(role, "demand") && <Tabs.Tab value="shell">Shell</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <RentalOverview rental={rental} />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <UsageTab rental={rental} />
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          <LogsTab id={rental.id} ended={ended} />
        </Tabs.Panel>
        <Tabs.Panel value="shell">
          <Suspense fallback={<Loading rows={6} what="Loading the terminal" />}>
            <Shell rental={rental} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
