// API keys: programs acting for the organisation, each with scopes of its own.

import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { ApiKey } from "@/api/types";
import { Confirm } from "@/design/Confirm";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Moment } from "@/design/Moment";
import { Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { type Column, Table } from "@/design/Table";
import { apiKeysQuery } from "@/queries/people";
import { CreateApiKey } from "./CreateApiKey";

export function ApiKeysPanel() {
  const client = useQueryClient();
  const keys = useQuery(apiKeysQuery);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ["api-keys"] });
  const revoke = useMutation({
    mutationFn: (id: string) => answer(api.DELETE("/v1/api-keys/{id}", { params: { path: { id } } })),
    onSuccess: async () => {
      setRevoking(null);
      await refresh();
    },
  });
  const columns: Column<ApiKey>[] = [
    {
      key: "name",
      header: "Key",
      main: true,
      cell: (key) => (
        <>
          {key.name}
          <br />
          <code className={classes.aside}>{key.prefix}…</code>
        </>
      ),
    },
    { key: "scopes", header: "Scopes", cell: (key) => key.scopes.join(", ") },
    { key: "made", header: "Made", wideOnly: true, cell: (key) => <Moment at={key.created_at} /> },
    { key: "used", header: "Last used", cell: (key) => <Moment at={key.last_used_at} absent="never" /> },
    { key: "expires", header: "Expires", cell: (key) => <Moment at={key.expires_at} absent="never" /> },
    {
      key: "revoke",
      header: <span className="visually-hidden">Revoke</span>,
      align: "end",
      cell: (key) => (
        <Button
          size="xs"
          variant="default"
          c="var(--bad)"
          onClick={() => setRevoking(key)}
          aria-label={`Revoke ${key.name}`}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <div className={classes.stack}>
      <Panel title="API keys" note="A key does no more than its scopes, and no more than its maker may." flush>
        {keys.isPending && <Loading rows={3} what="Loading API keys" />}
        {keys.isError && <ProblemNotice error={keys.error} retry={() => keys.refetch()} />}
        {keys.data?.length === 0 && (
          <Empty title="No API key yet.">Make one for the command line, a script or a pipeline.</Empty>
        )}
        {keys.data && keys.data.length > 0 && (
          <Table caption="API keys" columns={columns} rows={keys.data} rowKey={(key) => key.id} />
        )}
      </Panel>
      <CreateApiKey onDone={refresh} />
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          button="Revoke"
          dangerous
          pending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(revoking.id)}
          onClose={() => setRevoking(null)}
        >
          Whatever uses it is refused from now on.
        </Confirm>
      )}
    </div>
  );
}
