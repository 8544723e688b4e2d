// Making a pool and changing its rules.

import { Modal, NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Pool, PoolPolicy } from "@/api/types";
import confirm from "@/design/Confirm.module.css";
import { Form, fieldError } from "@/design/Form";
import { SHARE_POLICIES, sharePolicyLabel, TILTED, TILTS } from "@/states/market";
import classes from "../providers/Node.module.css";

const WHOLE_NUMBERS = [
  ["round_seconds", "Round, seconds"],
  ["notice_seconds", "Notice, seconds"],
  ["min_run_seconds", "Minimum run, seconds"],
  ["restart_seconds", "Restart cost, seconds"],
  ["fee_bps", "Fee, bps"],
] as const;

const FIELDS = [
  ...WHOLE_NUMBERS.map(([field]) => field),
  "share_policy",
  "tilt",
  "phi",
  "limit_cap_per_gpu_hour",
  "admission_cap",
];

export function EditPool({ pool, onClose }: { pool: Pool; onClose: () => void }) {
  const client = useQueryClient();
  const [policy, setPolicy] = useState<PoolPolicy>({});
  const save = useMutation({
    mutationFn: () => answer(api.PATCH("/v1/pools/{id}", { params: { path: { id: pool.id } }, body: policy })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["pools"] });
      onClose();
    },
  });
  const change = (part: PoolPolicy) => setPolicy((now) => ({ ...now, ...part }));
  return (
    <Modal opened onClose={onClose} size={620} title={`Rules of ${pool.name}`} classNames={{ title: confirm.title }}>
      <Form
        submit="Change the rules"
        pending={save.isPending}
        error={save.error}
        fields={FIELDS}
        disabled={Object.keys(policy).length === 0}
        onSubmit={() => save.mutate()}
        aside="From the next round on."
      >
        <Select
          label="Share policy"
          data={SHARE_POLICIES}
          value={policy.share_policy ?? pool.share_policy}
          allowDeselect={false}
          onChange={(value) => value && change({ share_policy: value })}
          error={fieldError(save.error, "share_policy")}
        />
        <Select
          label="Tilt"
          description={`Only ${sharePolicyLabel(TILTED).toLowerCase()} leans anywhere.`}
          data={TILTS}
          value={policy.tilt ?? pool.tilt}
          allowDeselect={false}
          disabled={(policy.share_policy ?? pool.share_policy) !== TILTED}
          onChange={(value) => value && change({ tilt: value })}
          error={fieldError(save.error, "tilt")}
        />
        <div className={classes.fields}>
          {WHOLE_NUMBERS.map(([field, label]) => (
            <NumberInput
              key={field}
              label={label}
              min={0}
              allowDecimal={false}
              value={policy[field] ?? pool[field]}
              onChange={(value) => typeof value === "number" && change({ [field]: value })}
              error={fieldError(save.error, field)}
            />
          ))}
          <TextInput
            label="Phi, 0 to 1"
            inputMode="decimal"
            value={policy.phi ?? pool.phi}
            onChange={(event) => change({ phi: event.currentTarget.value })}
            error={fieldError(save.error, "phi")}
          />
          <TextInput
            label={`Limit cap, ${pool.currency} / GPU·h`}
            inputMode="decimal"
            value={policy.limit_cap_per_gpu_hour ?? pool.limit_cap_per_gpu_hour}
            onChange={(event) => change({ limit_cap_per_gpu_hour: event.currentTarget.value })}
            error={fieldError(save.error, "limit_cap_per_gpu_hour")}
          />
          <TextInput
            label="Most weight of all jobs"
            description="Empty: no cap, and no finish times are promised."
            inputMode="decimal"
            value={policy.admission_cap === undefined ? (pool.admission_cap ?? "") : (policy.admission_cap ?? "")}
            onChange={(event) => change({ admission_cap: event.currentTarget.value.trim() || null })}
            error={fieldError(save.error, "admission_cap")}
          />
        </div>
      </Form>
    </Modal>
  );
}

export function CreatePool({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => answer(api.POST("/v1/pools", { body: { name: name.trim() } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["pools"] });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Make a pool" classNames={{ title: confirm.title }}>
      <Form
        submit="Make it"
        pending={create.isPending}
        error={create.error}
        fields={["name"]}
        disabled={name.trim() === ""}
        onSubmit={() => create.mutate()}
        aside="It starts with the usual rules; edit them afterwards."
      >
        <TextInput
          label="Name"
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
