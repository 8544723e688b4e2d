// Who belongs to the organisation, and as what.

import { Button, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Member, Role } from "@/api/types";
import { Confirm } from "@/design/Confirm";
import { Loading, ProblemNotice } from "@/design/Feedback";
import { Form, fieldError } from "@/design/Form";
import { Moment } from "@/design/Moment";
import { Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { type Column, Table } from "@/design/Table";
import { membersQuery } from "@/queries/people";
import { may, ROLES } from "@/session/roles";

interface Props {
  organisation: string;
  me: string;
  role: Role;
}

export function MembersPanel({ organisation, me, role }: Props) {
  const client = useQueryClient();
  const members = useQuery(membersQuery(organisation));
  const [removing, setRemoving] = useState<Member | null>(null);
  const manages = may(role, "people");
  const roles = rolesFor(role);
  const refresh = () => client.invalidateQueries({ queryKey: ["members", organisation] });
  const path = (member: Member) => ({ id: organisation, user_id: member.user_id });
  const change = useMutation({
    mutationFn: ({ member, next }: { member: Member; next: Role }) =>
      answer(
        api.PATCH("/v1/organisations/{id}/members/{user_id}", { params: { path: path(member) }, body: { role: next } }),
      ),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (member: Member) =>
      answer(api.DELETE("/v1/organisations/{id}/members/{user_id}", { params: { path: path(member) } })),
    onSuccess: async () => {
      setRemoving(null);
      await refresh();
    },
  });
  const columns: Column<Member>[] = [
    {
      key: "name",
      header: "Member",
      main: true,
      cell: (member) => (
        <>
          {member.display_name}
          {member.user_id === me && " (you)"}
          <br />
          <span className={classes.aside}>{member.email}</span>
        </>
      ),
    },
    {
      key: "role",
      header: "Role",
      cell: (member) =>
        manages && member.user_id !== me && roles.some((one) => one.value === member.role) ? (
          <Select
            size="xs"
            aria-label={`Role of ${member.display_name}`}
            data={roles.map(({ value, label }) => ({ value, label }))}
            value={member.role}
            allowDeselect={false}
            onChange={(next) => next && change.mutate({ member, next: next as Role })}
            maw={150}
          />
        ) : (
          (ROLES.find((one) => one.value === member.role)?.label ?? member.role)
        ),
    },
    { key: "since", header: "Since", cell: (member) => <Moment at={member.created_at} /> },
    {
      key: "remove",
      header: <span className="visually-hidden">Remove</span>,
      align: "end",
      cell: (member) =>
        manages &&
        member.user_id !== me && (
          <Button
            size="xs"
            variant="default"
            c="var(--bad)"
            onClick={() => setRemoving(member)}
            aria-label={`Remove ${member.display_name}`}
          >
            Remove
          </Button>
        ),
    },
  ];
  return (
    <div className={classes.stack}>
      <ProblemNotice error={change.error} />
      <Panel title="Members" flush>
        {members.isPending && <Loading rows={3} what="Loading members" />}
        {members.isError && <ProblemNotice error={members.error} retry={() => members.refetch()} />}
        {members.data && (
          <Table caption="Members" columns={columns} rows={members.data} rowKey={(member) => member.user_id} />
        )}
      </Panel>
      {manages && <AddMember organisation={organisation} roles={roles} onDone={refresh} />}
      {removing && (
        <Confirm
          title={`Remove ${removing.display_name}?`}
          button="Remove"
          dangerous
          pending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(removing)}
          onClose={() => setRemoving(null)}
        >
          They can no longer act for this organisation. What they rented goes on.
        </Confirm>
      )}
    </div>
  );
}

type RoleChoice = (typeof ROLES)[number];

/** Only owners make and unmake owners. */
function rolesFor(role: Role): RoleChoice[] {
  return may(role, "owners") ? ROLES : ROLES.filter((one) => !may(one.value, "owners"));
}

function AddMember({
  organisation,
  roles,
  onDone,
}: {
  organisation: string;
  roles: RoleChoice[];
  onDone: () => unknown;
}) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const add = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/v1/organisations/{id}/members", {
          params: { path: { id: organisation } },
          body: { email: email.trim(), role },
        }),
      ),
    onSuccess: () => {
      setEmail("");
      return onDone();
    },
  });
  return (
    <Panel title="Add a member" note="They need an account of their own first.">
      <Form
        submit="Add"
        pending={add.isPending}
        error={add.error}
        fields={["email", "role"]}
        disabled={email.trim() === ""}
        onSubmit={() => add.mutate()}
      >
        <TextInput
          label="Email"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fieldError(add.error, "email")}
        />
        <Select
          label="Role"
          data={roles.map(({ value, label, means }) => ({ value, label: `${label}: ${means}` }))}
          value={role}
          allowDeselect={false}
          onChange={(value) => value && setRole(value as Role)}
          error={fieldError(add.error, "role")}
        />
      </Form>
    </Panel>
  );
}
