// Making an API key. Its secret is shown once, here, and nowhere again.

import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Scope } from "@/api/types";
import { Command } from "@/design/Copy";
import { Form, fieldError } from "@/design/Form";
import { Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";

const SCOPES: { value: Scope; label: string; description: string }[] = [
  { value: "read", label: "read", description: "everything of the organisation but money" },
  { value: "bids:write", label: "bids:write", description: "place and cancel bids" },
  { value: "jobs:write", label: "jobs:write", description: "submit and cancel jobs" },
  { value: "rentals:write", label: "rentals:write", description: "rent, stop, start, end, open shells" },
  { value: "keys:write", label: "keys:write", description: "add and remove SSH keys" },
  { value: "supply:write", label: "supply:write", description: "nodes and asks" },
  { value: "wallet:read", label: "wallet:read", description: "wallet, holds and usage" },
];
const EXPIRIES = [
  { value: "never", label: "Never", days: null },
  { value: "30", label: "In 30 days", days: 30 },
  { value: "90", label: "In 90 days", days: 90 },
  { value: "365", label: "In a year", days: 365 },
];
const DAY_MS = 86_400_000;

export function CreateApiKey({ onDone }: { onDone: () => unknown }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<Scope[]>(["read"]);
  const [expiry, setExpiry] = useState("90");
  const create = useMutation({
    mutationFn: () => {
      const days = EXPIRIES.find((one) => one.value === expiry)?.days ?? null;
      const expires_at = days === null ? undefined : new Date(Date.now() + days * DAY_MS).toISOString();
      return answer(api.POST("/v1/api-keys", { body: { name: name.trim(), scopes, expires_at } }));
    },
    onSuccess: () => {
      setName("");
      return onDone();
    },
  });
  if (create.data) {
    return (
      <Panel
        title={`The secret of ${create.data.name}`}
        note="Copy it now: it is not shown again, and nobody can look it up."
      >
        <div className={classes.stack}>
          <Command text={create.data.secret} what="secret" />
          <div>
            <Button variant="default" onClick={() => create.reset()}>
              I have it
            </Button>
          </div>
        </div>
      </Panel>
    );
  }
  return (
    <Panel title="Make an API key">
      <Form
        submit="Make the key"
        pending={create.isPending}
        error={create.error}
        fields={["name", "scopes", "expires_at"]}
        disabled={name.trim() === "" || scopes.length === 0}
        onSubmit={() => create.mutate()}
      >
        <TextInput
          label="Name"
          placeholder="nightly-sweeps"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(create.error, "name")}
        />
        <Checkbox.Group
          label="Scopes"
          value={scopes}
          onChange={(chosen) => setScopes(chosen as Scope[])}
          error={fieldError(create.error, "scopes")}
        >
          <div
            style={{
              display: "grid",
              gridTemplateColumns: "repeat(auto-fill, minmax(240px, 1fr))",
              gap: 10,
              marginTop: 6,
            }}
          >
            {SCOPES.map((scope) => (
              <Checkbox key={scope.value} {...scope} />
            ))}
          </div>
        </Checkbox.Group>
        <Select
          label="Expires"
          data={EXPIRIES.map(({ value, label }) => ({ value, label }))}
          value={expiry}
          allowDeselect={false}
          onChange={(value) => value && setExpiry(value)}
          error={fieldError(create.error, "expires_at")}
          maw={240}
        />
      </Form>
    </Panel>
  );
}
