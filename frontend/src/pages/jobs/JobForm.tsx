// Submitting a fair-share job.

import { Drawer, Select, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ChangeEvent, useMemo, useState } from "react";
import { answer, api } from "@/api/client";
import type { JobRequest } from "@/api/types";
import { Form, fieldError } from "@/design/Form";
import { isDecimal } from "@/money/format";
import { jobDryRunQuery } from "@/queries/demand";
import { poolsQuery, profilesQuery } from "@/queries/market";
import { useSubmit } from "@/queries/submit";
import classes from "@/tickets/Ticket.module.css";
import { JobQuote } from "./JobQuote";
import { unitWord } from "./quantity";

const BLANK = { name: "", gpu: "", work: "", weight: "1", budget: "", command: "" };
const FIELDS = [...Object.keys(BLANK), "pool_id", "profile_id"];

export function JobForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const pools = useQuery(poolsQuery);
  const profiles = useQuery(profilesQuery);
  const [pool, setPool] = useState<string | null>(null);
  const [profile, setProfile] = useState<string | null>(null);
  const [form, setForm] = useState(BLANK);
  const submit = useSubmit(
    (body: JobRequest, header) => answer(api.POST("/v1/jobs", { body, params: { header } })),
    (job) => {
      onClose();
      void navigate({ to: "/jobs/$id", params: { id: job.id } });
    },
  );
  const chosenPool = pools.data?.find((one) => one.id === pool) ?? pools.data?.[0];
  const unit = unitWord(profiles.data?.find((one) => one.id === profile)?.unit ?? "gpu_hours");
  const complete = form.name.trim() !== "" && form.gpu.trim() !== "" && isDecimal(form.work) && isDecimal(form.budget);

  const request = useMemo<JobRequest | null>(
    () =>
      complete
        ? {
            pool_id: pool ?? undefined,
            profile_id: profile ?? undefined,
            name: form.name.trim(),
            gpu: form.gpu.trim(),
            work: form.work.trim(),
            weight: form.weight.trim() || undefined,
            budget: form.budget.trim(),
            command: form.command.trim() || undefined,
          }
        : null,
    [complete, pool, profile, form],
  );
  const [settled] = useDebouncedValue(request, 300);
  const quote = useQuery(jobDryRunQuery(settled));

  const input = (field: keyof typeof BLANK) => ({
    value: form[field],
    error: fieldError(submit.error, field),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const { value } = event.currentTarget;
      setForm((current) => ({ ...current, [field]: value }));
    },
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title="Submit a job"
      classNames={{ title: classes.title }}
    >
      <Form
        submit="Submit the job"
        pending={submit.isPending}
        error={submit.error}
        fields={FIELDS}
        disabled={!complete}
        onSubmit={() => request && submit.mutate(request)}
        aside={<span className={classes.hint}>The budget is held at once; what is not used comes back.</span>}
      >
        <TextInput label="Name" required data-autofocus {...input("name")} />
        {pools.data && pools.data.length > 1 && (
          <Select
            label="Pool"
            data={pools.data.map((one) => ({ value: one.id, label: one.name }))}
            value={chosenPool?.id ?? null}
            onChange={setPool}
            allowDeselect={false}
            error={fieldError(submit.error, "pool_id")}
          />
        )}
        <TextInput
          label="GPU request"
          placeholder="H100,A100:80GB:4"
          description="The count is a gang: the job runs on all of them or waits."
          required
          spellCheck={false}
          {...input("gpu")}
        />
        <Select
          label="Profile"
          placeholder="none: count work in GPU hours"
          description="Measured speeds of a workload on each class. They set the reference, so nobody states their own."
          data={(profiles.data ?? []).map((one) => ({ value: one.id, label: one.name }))}
          value={profile}
          onChange={setProfile}
          clearable
          error={fieldError(submit.error, "profile_id")}
        />
        <div className={classes.pair}>
          <TextInput
            label="Work"
            required
            inputMode="decimal"
            rightSection={<span className={classes.unit}>{unit}</span>}
            rightSectionWidth={64}
            {...input("work")}
          />
          <TextInput
            label="Weight"
            description="Its part of the fair share."
            inputMode="decimal"
            {...input("weight")}
          />
        </div>
        <TextInput
          label="Budget"
          description="The most this job may cost in all."
          required
          inputMode="decimal"
          leftSection={<span className={classes.unit}>{chosenPool?.currency}</span>}
          leftSectionWidth={52}
          {...input("budget")}
        />
        <Textarea
          label="Command"
          description="What to run. It must be able to go on after being preempted."
          autosize
          minRows={2}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mono)" } }}
          {...input("command")}
        />
        <JobQuote
          quote={settled === null || quote.isError ? undefined : quote.data}
          pending={quote.isFetching || settled !== request}
        />
      </Form>
    </Drawer>
  );
}
