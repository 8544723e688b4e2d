// The organisations one belongs to, and founding another.

import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Membership } from "@/api/types";
import { Id } from "@/design/Copy";
import { Loading, ProblemNotice } from "@/design/Feedback";
import { Form, fieldError } from "@/design/Form";
import { Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { type Column, Table } from "@/design/Table";
import { organisationsQuery } from "@/queries/people";
import { switchOrganisation } from "@/session/refresh";
import type { SignedIn } from "@/session/session";

export function OrganisationsPanel({ session }: { session: SignedIn }) {
  const client = useQueryClient();
  const organisations = useQuery(organisationsQuery);
  const [name, setName] = useState("");
  const change = useMutation({ mutationFn: switchOrganisation });
  const found = useMutation({
    mutationFn: () => answer(api.POST("/v1/organisations", { body: { name: name.trim() } })),
    onSuccess: () => {
      setName("");
      return client.invalidateQueries({ queryKey: ["organisations"] });
    },
  });
  const columns: Column<Membership>[] = [
    { key: "name", header: "Organisation", main: true, cell: ({ organisation }) => organisation.name },
    { key: "role", header: "Your role", cell: ({ role }) => role },
    { key: "currency", header: "Currency", cell: ({ organisation }) => organisation.currency },
    { key: "id", header: "Id", cell: ({ organisation }) => <Id value={organisation.id} /> },
    {
      key: "switch",
      header: <span className="visually-hidden">Switch</span>,
      align: "end",
      cell: ({ organisation }) =>
        organisation.id === session.organisation.id ? (
          <span className={classes.aside}>acting for it now</span>
        ) : (
          <Button
            size="xs"
            variant="default"
            loading={change.isPending && change.variables === organisation.id}
            aria-label={`Act for ${organisation.name}`}
            onClick={() => change.mutate(organisation.id)}
          >
            Act for
          </Button>
        ),
    },
  ];
  return (
    <div className={classes.stack}>
      <ProblemNotice error={change.error} />
      <Panel title="Organisations" flush>
        {organisations.isPending && <Loading rows={2} what="Loading organisations" />}
        {organisations.isError && <ProblemNotice error={organisations.error} retry={() => organisations.refetch()} />}
        {organisations.data && (
          <Table
            caption="Organisations"
            columns={columns}
            rows={organisations.data}
            rowKey={({ organisation }) => organisation.id}
          />
        )}
      </Panel>
      <Panel title="Found another" note="With a wallet, members and keys of its own.">
        <Form
          submit="Found it"
          pending={found.isPending}
          error={found.error}
          fields={["name"]}
          disabled={name.trim() === ""}
          onSubmit={() => found.mutate()}
        >
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={fieldError(found.error, "name")}
          />
        </Form>
      </Panel>
    </div>
  );
}
