// Bringing a node in: an enrolment token with its one command, or, where the server allows it, a simulated node.

import { Button, Modal, Select, Tabs } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { answer, api } from "@/api/client";
import confirm from "@/design/Confirm.module.css";
import { Command } from "@/design/Copy";
import { ProblemNotice } from "@/design/Feedback";
import { Countdown } from "@/design/Moment";
import classes from "@/design/Stack.module.css";
import { poolsQuery } from "@/queries/market";
import { SimulatedNode } from "./SimulatedNode";

export function AddNode({ provider, onClose }: { provider: string; onClose: () => void }) {
  const pools = useQuery(poolsQuery);
  const client = useQueryClient();
  const [pool, setPool] = useState<string | null>(null);
  const chosen = pool ?? pools.data?.[0]?.id ?? null;
  const close = () => {
    void client.invalidateQueries({ queryKey: ["providers"] });
    onClose();
  };
  return (
    <Modal opened onClose={close} title="Add a node" size={560} classNames={{ title: confirm.title }}>
      <div className={classes.stack}>
        <Select
          label="Pool"
          description="The trust and network domain the node joins; its devices clear there."
          data={(pools.data ?? []).map((one) => ({ value: one.id, label: one.name }))}
          value={chosen}
          onChange={setPool}
          allowDeselect={false}
        />
        <ProblemNotice error={pools.error} retry={() => pools.refetch()} />
        {chosen !== null && (
          <Tabs defaultValue="agent" keepMounted={false}>
            <Tabs.List mb={16}>
              <Tabs.Tab value="agent">A real node</Tabs.Tab>
              <Tabs.Tab value="simulated">A simulated node</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="agent">
              <Enrolment key={chosen} provider={provider} pool={chosen} />
            </Tabs.Panel>
            <Tabs.Panel value="simulated">
              <SimulatedNode provider={provider} pool={chosen} onDone={close} />
            </Tabs.Panel>
          </Tabs>
        )}
      </div>
    </Modal>
  );
}

function Enrolment({ provider, pool }: { provider: string; pool: string }) {
  const mint = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/v1/providers/{id}/enrolment-tokens", {
          params: { path: { id: provider } },
          body: { pool_id: pool },
        }),
      ),
  });
  const { reset } = mint;
  // A token is for one pool: choosing another one must not leave the old command standing.
  useEffect(() => reset, [pool, reset]);
  if (mint.data === undefined) {
    return (
      <div className={classes.stack}>
        <p>
          A token enrols one node, once. Its agent makes a key of its own, finds the devices and has them benchmarked;
          no secret of yours stays on the node.
        </p>
        <ProblemNotice error={mint.error} />
        <div>
          <Button loading={mint.isPending} onClick={() => mint.mutate()}>
            Mint a token
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={classes.stack}>
      <p>Run this on the node. It is shown only now.</p>
      <Command text={mint.data.command} />
      <p className={classes.aside}>
        The token lapses in <Countdown at={mint.data.expires_at} past="no time: mint another" />. The node shows on the
        provider’s page as soon as it reports.
      </p>
    </div>
  );
}
