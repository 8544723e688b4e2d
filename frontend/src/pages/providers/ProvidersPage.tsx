// The organisation's providers: where supply begins.

import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Provider } from "@/api/types";
import confirm from "@/design/Confirm.module.css";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Form, fieldError } from "@/design/Form";
import { Meter } from "@/design/Meter";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { type Column, Table } from "@/design/Table";
import { providersQuery } from "@/queries/supply";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";

const COLUMNS: Column<Provider>[] = [
  {
    key: "name",
    header: "Provider",
    main: true,
    cell: (provider) => (
      <Link to="/providers/$id" params={{ id: provider.id }}>
        {provider.name}
      </Link>
    ),
  },
  { key: "nodes", header: "Nodes", align: "end", cell: (provider) => provider.nodes },
  {
    key: "devices",
    header: "Earning",
    cell: (provider) => (
      <Meter
        part={provider.devices_leased}
        whole={provider.devices}
        label={`${provider.devices_leased} of ${provider.devices} devices`}
      />
    ),
  },
];

export function ProvidersPage() {
  const role = useSession()?.role;
  const providers = useQuery(providersQuery);
  const [creating, setCreating] = useState(false);
  const create = may(role, "supply") && <Button onClick={() => setCreating(true)}>Create a provider</Button>;
  return (
    <Page
      title="Provide"
      lead="List your own nodes: a price for those who rent, a floor for those who bid. You are paid for every second a device is leased."
      actions={create}
    >
      <Panel flush>
        {providers.isPending && <Loading what="Loading providers" />}
        {providers.isError && <ProblemNotice error={providers.error} retry={() => providers.refetch()} />}
        {providers.data?.length === 0 && (
          <Empty title="This organisation provides nothing yet." action={create}>
            Create a provider, mint a token, run one command on the node: its devices are found and benchmarked by
            themselves.
          </Empty>
        )}
        {providers.data && providers.data.length > 0 && (
          <Table caption="Providers" columns={COLUMNS} rows={providers.data} rowKey={(provider) => provider.id} />
        )}
      </Panel>
      {creating && <CreateProvider onClose={() => setCreating(false)} />}
    </Page>
  );
}

function CreateProvider({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => answer(api.POST("/v1/providers", { body: { name: name.trim() } })),
    onSuccess: (provider) => {
      void client.invalidateQueries({ queryKey: ["providers"] });
      void navigate({ to: "/providers/$id", params: { id: provider.id } });
    },
  });
  return (
    <Modal opened onClose={onClose} title="Create a provider" classNames={{ title: confirm.title }}>
      <Form
        submit="Create"
        pending={create.isPending}
        error={create.error}
        fields={["name"]}
        disabled={name.trim() === ""}
        onSubmit={() => create.mutate()}
      >
        <TextInput
          label="Name"
          description="Tenants see it beside every offer."
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(create.error, "name")}
        />
      </Form>
    </Modal>
  );
}
