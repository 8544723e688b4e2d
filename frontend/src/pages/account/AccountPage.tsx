// Keys, members and the organisation itself.

import { Tabs } from "@mantine/core";
import { Page } from "@/design/Page";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";
import { ApiKeysPanel } from "./ApiKeysPanel";
import { MembersPanel } from "./MembersPanel";
import { OrganisationsPanel } from "./OrganisationsPanel";
import { SshKeysPanel } from "./SshKeysPanel";

export function AccountPage() {
  const session = useSession();
  if (session === null) return null;
  const admin = may(session.role, "people");
  return (
    <Page
      title={session.organisation.name}
      lead={`You are ${session.user.display_name}, ${session.role} here. Money is in ${session.organisation.currency}.`}
    >
      <Tabs defaultValue="ssh" keepMounted={false}>
        <Tabs.List mb={20}>
          <Tabs.Tab value="ssh">SSH keys</Tabs.Tab>
          {admin && <Tabs.Tab value="api">API keys</Tabs.Tab>}
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="organisations">Organisations</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="ssh">
          <SshKeysPanel changes={may(session.role, "demand")} />
        </Tabs.Panel>
        <Tabs.Panel value="api">
          <ApiKeysPanel />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <MembersPanel organisation={session.organisation.id} me={session.user.id} role={session.role} />
        </Tabs.Panel>
        <Tabs.Panel value="organisations">
          <OrganisationsPanel session={session} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
