// What a node asks for one class: shown, edited in place, withdrawn.

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Ask } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Confirm } from "@/design/Confirm";
import { Moment } from "@/design/Moment";
import { PER_GPU_HOUR } from "@/money/format";
import { AskForm } from "./AskForm";
import classes from "./Node.module.css";

interface Props {
  node: string;
  classId: string;
  name: string;
  ask: Ask | undefined;
  currency: string;
  manages: boolean;
  onDone: () => unknown;
}

export function AskRow({ node, classId, name, ask, currency, manages, onDone }: Props) {
  const [editing, setEditing] = useState(false);
  const [withdrawing, setWithdrawing] = useState(false);
  const withdraw = useMutation({
    mutationFn: (id: string) => answer(api.POST("/v1/asks/{id}/withdraw", { params: { path: { id } } })),
    onSuccess: async () => {
      setWithdrawing(false);
      await onDone();
    },
  });
  if (editing) {
    return (
      <AskForm
        node={node}
        classId={classId}
        name={name}
        ask={ask}
        currency={currency}
        onClose={() => setEditing(false)}
        onDone={onDone}
      />
    );
  }
  return (
    <div className={classes.ask}>
      <b>{name}</b>
      {ask ? (
        <>
          <span className={classes.term}>
            <span>Price</span>
            <Amount value={ask.price_per_gpu_hour} currency={ask.currency} per={PER_GPU_HOUR} />
          </span>
          <span className={classes.term}>
            <span>Floor for bids</span>
            <Amount value={ask.floor_per_gpu_hour} currency={ask.currency} per={PER_GPU_HOUR} />
          </span>
          {ask.min_chunk > 1 && (
            <span className={classes.term}>
              <span>At least</span> {ask.min_chunk}
            </span>
          )}
          {ask.ends_at && (
            <span className={classes.term}>
              <span>Until</span>
              <Moment at={ask.ends_at} />
            </span>
          )}
        </>
      ) : (
        <span>Not on offer: set a price and a floor to list it.</span>
      )}
      {manages && (
        <span className={classes.buttons}>
          <Button
            size="xs"
            variant="default"
            onClick={() => setEditing(true)}
            aria-label={`${ask ? "Edit" : "Set"} the ask for ${name}`}
          >
            {ask ? "Edit" : "Set"}
          </Button>
          {ask && (
            <Button
              size="xs"
              variant="default"
              c="var(--bad)"
              onClick={() => setWithdrawing(true)}
              aria-label={`Withdraw the ask for ${name}`}
            >
              Withdraw
            </Button>
          )}
        </span>
      )}
      {withdrawing && ask && (
        <Confirm
          title="Withdraw this ask?"
          button="Withdraw"
          pending={withdraw.isPending}
          error={withdraw.error}
          onConfirm={() => withdraw.mutate(ask.id)}
          onClose={() => setWithdrawing(false)}
        >
          {name} is no longer offered on this node. What is rented goes on at its price.
        </Confirm>
      )}
    </div>
  );
}
