// Setting an ask; it replaces the live one of the same node and class.

import { Button, NumberInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Ask } from "@/api/types";
import { Form, fieldError } from "@/design/Form";
import { isDecimal } from "@/money/format";
import classes from "./Node.module.css";

const FIELDS = ["price_per_gpu_hour", "floor_per_gpu_hour", "min_chunk", "ends_at"];

interface Props {
  node: string;
  classId: string;
  name: string;
  ask: Ask | undefined;
  currency: string;
  onClose: () => void;
  onDone: () => unknown;
}

export function AskForm({ node, classId, name, ask, currency, onClose, onDone }: Props) {
  const [price, setPrice] = useState(ask?.price_per_gpu_hour ?? "");
  const [floor, setFloor] = useState(ask?.floor_per_gpu_hour ?? "");
  const [chunk, setChunk] = useState<number | string>(ask?.min_chunk ?? 1);
  const [until, setUntil] = useState("");
  const save = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/v1/asks", {
          body: {
            node_id: node,
            class_id: classId,
            price_per_gpu_hour: price.trim(),
            floor_per_gpu_hour: floor.trim(),
            min_chunk: typeof chunk === "number" ? chunk : undefined,
            ends_at: until === "" ? (ask?.ends_at ?? undefined) : new Date(until).toISOString(),
          },
        }),
      ),
    onSuccess: async () => {
      await onDone();
      onClose();
    },
  });
  return (
    <div className={classes.edit}>
      <Form
        submit="Offer at these terms"
        pending={save.isPending}
        error={save.error}
        fields={FIELDS}
        disabled={!isDecimal(price.trim()) || !isDecimal(floor.trim())}
        onSubmit={() => save.mutate()}
        aside={
          <Button variant="default" onClick={onClose}>
            Leave as it is
          </Button>
        }
      >
        <h3>{name}</h3>
        <div className={classes.fields}>
          <TextInput
            label={`Price, ${currency} / GPU·h`}
            description="On demand, frozen when rented."
            inputMode="decimal"
            value={price}
            onChange={(event) => setPrice(event.currentTarget.value.replace(",", "."))}
            error={fieldError(save.error, "price_per_gpu_hour")}
          />
          <TextInput
            label={`Floor, ${currency} / GPU·h`}
            description="No bid wins below it."
            inputMode="decimal"
            value={floor}
            onChange={(event) => setFloor(event.currentTarget.value.replace(",", "."))}
            error={fieldError(save.error, "floor_per_gpu_hour")}
          />
          <NumberInput
            label="At least"
            description="Devices per rental."
            min={1}
            allowDecimal={false}
            value={chunk}
            onChange={setChunk}
            error={fieldError(save.error, "min_chunk")}
          />
          <TextInput
            label="Until"
            description="Empty: until withdrawn."
            type="datetime-local"
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
            error={fieldError(save.error, "ends_at")}
          />
        </div>
      </Form>
    </div>
  );
}
