// SSH keys: who may enter what this organisation rents.

import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { SshKey } from "@/api/types";
import { Confirm } from "@/design/Confirm";
import { CopyIcon } from "@/design/Copy";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Form, fieldError } from "@/design/Form";
import { Moment } from "@/design/Moment";
import { Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { type Column, Table } from "@/design/Table";
import { sshKeysQuery } from "@/queries/people";

export function SshKeysPanel({ changes }: { changes: boolean }) {
  const client = useQueryClient();
  const keys = useQuery(sshKeysQuery);
  const [removing, setRemoving] = useState<SshKey | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ["ssh-keys"] });
  const remove = useMutation({
    mutationFn: (id: string) => answer(api.DELETE("/v1/ssh-keys/{id}", { params: { path: { id } } })),
    onSuccess: async () => {
      setRemoving(null);
      await refresh();
    },
  });
  const columns: Column<SshKey>[] = [
    { key: "name", header: "Name", main: true, cell: (key) => key.name },
    {
      key: "fingerprint",
      header: "Fingerprint",
      cell: (key) => (
        <span className={classes.inline} style={{ overflowWrap: "anywhere" }}>
          <code>{key.fingerprint}</code>
          <CopyIcon value={key.public_key} what="public key" />
        </span>
      ),
    },
    { key: "added", header: "Added", cell: (key) => <Moment at={key.created_at} /> },
    {
      key: "remove",
      header: <span className="visually-hidden">Remove</span>,
      align: "end",
      cell: (key) =>
        changes && (
          <Button
            size="xs"
            variant="default"
            c="var(--bad)"
            onClick={() => setRemoving(key)}
            aria-label={`Remove ${key.name}`}
          >
            Remove
          </Button>
        ),
    },
  ];
  return (
    <div className={classes.stack}>
      <Panel title="SSH keys" note="They open every rental of this organisation." flush>
        {keys.isPending && <Loading rows={3} what="Loading SSH keys" />}
        {keys.isError && <ProblemNotice error={keys.error} retry={() => keys.refetch()} />}
        {keys.data?.length === 0 && (
          <Empty title="No key yet.">Add the public half of yours, usually ~/.ssh/id_ed25519.pub.</Empty>
        )}
        {keys.data && keys.data.length > 0 && (
          <Table caption="SSH keys" columns={columns} rows={keys.data} rowKey={(key) => key.id} />
        )}
      </Panel>
      {changes && <AddSshKey onDone={refresh} />}
      {removing && (
        <Confirm
          title={`Remove ${removing.name}?`}
          button="Remove"
          dangerous
          pending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(removing.id)}
          onClose={() => setRemoving(null)}
        >
          It no longer opens any rental, those running now included.
        </Confirm>
      )}
    </div>
  );
}

function AddSshKey({ onDone }: { onDone: () => unknown }) {
  const [name, setName] = useState("");
  const [publicKey, setPublicKey] = useState("");
  const add = useMutation({
    mutationFn: () => answer(api.POST("/v1/ssh-keys", { body: { name: name.trim(), public_key: publicKey.trim() } })),
    onSuccess: async () => {
      setName("");
      setPublicKey("");
      await onDone();
    },
  });
  return (
    <Panel title="Add a key">
      <Form
        submit="Add the key"
        pending={add.isPending}
        error={add.error}
        fields={["name", "public_key"]}
        disabled={name.trim() === "" || publicKey.trim() === ""}
        onSubmit={() => add.mutate()}
      >
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(add.error, "name")}
        />
        <Textarea
          label="Public key"
          placeholder="ssh-ed25519 AAAA… you@laptop"
          autosize
          minRows={2}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mono)" } }}
          value={publicKey}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setPublicKey(text);
            const comment = text.trim().split(/\s+/)[2];
            if (name === "" && comment) setName(comment);
          }}
          error={fieldError(add.error, "public_key")}
        />
      </Form>
    </Panel>
  );
}
