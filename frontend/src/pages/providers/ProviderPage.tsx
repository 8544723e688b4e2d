// One provider: its nodes, what they ask, what they earn.

import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { nodesQuery, providersQuery } from "@/queries/supply";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";
import { AddNode } from "./AddNode";
import { EarningsPanel } from "./EarningsPanel";
import { NodeCard } from "./NodeCard";

const route = getRouteApi("/own/providers/$id");

export function ProviderPage() {
  const { id } = route.useParams();
  const role = useSession()?.role;
  const providers = useQuery(providersQuery);
  const nodes = useInfiniteQuery(nodesQuery(id));
  const [adding, setAdding] = useState(false);
  const provider = providers.data?.find((one) => one.id === id);
  const rows = nodes.data?.pages.flatMap((page) => page.items) ?? [];
  const manages = may(role, "supply");
  const add = manages && <Button onClick={() => setAdding(true)}>Add a node</Button>;
  return (
    <Page
      title={provider?.name ?? "Provider"}
      above={<Link to="/providers">Provide</Link>}
      lead={provider && `${provider.nodes} nodes, ${provider.devices_leased} of ${provider.devices} devices earning.`}
      actions={add}
    >
      {manages && provider && <EarningsPanel provider={provider} />}
      {nodes.isPending && (
        <Panel>
          <Loading rows={6} what="Loading nodes" />
        </Panel>
      )}
      {nodes.isError && <ProblemNotice error={nodes.error} retry={() => nodes.refetch()} />}
      {nodes.isSuccess && rows.length === 0 && (
        <Panel>
          <Empty title="No node yet." action={add}>
            Mint a token and run one command on the node; it shows here as soon as its agent reports.
          </Empty>
        </Panel>
      )}
      {rows.map((node) => (
        <NodeCard key={node.id} node={node} currency={provider?.currency ?? ""} manages={manages} />
      ))}
      <More query={nodes} />
      {adding && <AddNode provider={id} onClose={() => setAdding(false)} />}
    </Page>
  );
}
