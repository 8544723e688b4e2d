// A node that exists only in the server: for trying the market out.

import { NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import { Form, fieldError } from "@/design/Form";
import { className } from "@/market/className";
import { deviceClassesQuery } from "@/queries/market";
import classes from "@/tickets/Ticket.module.css";

const CPUS = { cpu_milli: 64_000, memory_mib: 512 * 1024 };

interface Props {
  provider: string;
  pool: string;
  onDone: () => void;
}

export function SimulatedNode({ provider, pool, onDone }: Props) {
  const deviceClasses = useQuery(deviceClassesQuery);
  const [name, setName] = useState("");
  const [classId, setClassId] = useState<string | null>(null);
  const [count, setCount] = useState<number | string>(8);
  const add = useMutation({
    mutationFn: (devices: { class_id: string; count: number }[]) =>
      answer(
        api.POST("/v1/providers/{id}/nodes", {
          params: { path: { id: provider } },
          body: { pool_id: pool, name: name.trim(), hardware: { ...CPUS, devices } },
        }),
      ),
    onSuccess: onDone,
  });
  return (
    <Form
      submit="Add the node"
      pending={add.isPending}
      error={add.error}
      fields={["name"]}
      disabled={name.trim() === "" || classId === null || typeof count !== "number"}
      onSubmit={() => classId !== null && typeof count === "number" && add.mutate([{ class_id: classId, count }])}
    >
      <TextInput
        label="Name"
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(add.error, "name")}
      />
      <div className={classes.pair}>
        <Select
          label="Class"
          data={(deviceClasses.data ?? []).map((one) => ({ value: one.id, label: className(one) }))}
          value={classId}
          onChange={setClassId}
          searchable
        />
        <NumberInput label="Devices" min={1} max={16} allowDecimal={false} value={count} onChange={setCount} />
      </div>
    </Form>
  );
}
