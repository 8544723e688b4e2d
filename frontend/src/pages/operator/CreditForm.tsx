// Crediting an organisation; the reason goes into the ledger.

import { Modal, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { AdminOrganisation } from "@/api/types";
import confirm from "@/design/Confirm.module.css";
import { Form, fieldError } from "@/design/Form";
import { announce } from "@/events/announce";
import { isDecimal, money } from "@/money/format";
import { useSubmit } from "@/queries/submit";

export function CreditForm({ organisation, onClose }: { organisation: AdminOrganisation; onClose: () => void }) {
  const client = useQueryClient();
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const credit = useSubmit(
    (body: { organisation_id: string; amount: string; reason: string }, header) =>
      answer(api.POST("/v1/credits", { body, params: { header } })),
    (transfer) => {
      announce({
        text: `${organisation.name} was credited ${money(transfer.amount, transfer.currency)}.`,
        tone: "good",
        to: null,
      });
      void client.invalidateQueries({ queryKey: ["admin"] });
      void client.invalidateQueries({ queryKey: ["wallet"] });
      onClose();
    },
  );
  return (
    <Modal opened onClose={onClose} title={`Credit ${organisation.name}`} classNames={{ title: confirm.title }}>
      <Form
        submit="Credit"
        pending={credit.isPending}
        error={credit.error}
        fields={["amount", "reason"]}
        disabled={!isDecimal(amount.trim()) || reason.trim() === ""}
        onSubmit={() =>
          credit.mutate({ organisation_id: organisation.id, amount: amount.trim(), reason: reason.trim() })
        }
      >
        <TextInput
          label={`Amount, ${organisation.currency}`}
          required
          inputMode="decimal"
          data-autofocus
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value.replace(",", "."))}
          error={fieldError(credit.error, "amount")}
        />
        <TextInput
          label="Reason"
          description="The organisation reads it beside the entry."
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fieldError(credit.error, "reason")}
        />
      </Form>
    </Modal>
  );
}
