// What operators watch and steer.

import { Tabs } from "@mantine/core";
import { Empty } from "@/design/Feedback";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { useSession } from "@/session/session";
import { AlertsPanel } from "./AlertsPanel";
import { OrganisationsPanel } from "./OrganisationsPanel";
import { OverviewPanel } from "./OverviewPanel";
import { PoolsPanel } from "./PoolsPanel";

export function OperatorPage() {
  const operates = useSession()?.user.operator ?? false;
  if (!operates) {
    return (
      <Page title="Operate">
        <Panel>
          <Empty title="This page is for operators.">Whoever runs this market can make you one.</Empty>
        </Panel>
      </Page>
    );
  }
  return (
    <Page title="Operate" lead="The health of the market, the rules of its pools, and credit with a reason.">
      <Tabs defaultValue="overview" keepMounted={false}>
        <Tabs.List mb={20}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="alerts">Alerts</Tabs.Tab>
          <Tabs.Tab value="pools">Pools</Tabs.Tab>
          <Tabs.Tab value="organisations">Organisations</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewPanel />
        </Tabs.Panel>
        <Tabs.Panel value="alerts">
          <AlertsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="pools">
          <PoolsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="organisations">
          <OrganisationsPanel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
