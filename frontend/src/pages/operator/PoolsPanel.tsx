// The rules of each pool, and making a new one.

import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Pool } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Fact, Facts, Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { announce } from "@/events/announce";
import { PER_GPU_HOUR } from "@/money/format";
import { poolsQuery } from "@/queries/market";
import { policyInWords } from "@/states/market";
import { duration } from "@/time/format";
import { CreatePool, EditPool } from "./PoolForms";

export function PoolsPanel() {
  const pools = useQuery(poolsQuery);
  const [creating, setCreating] = useState(false);
  return (
    <div className={classes.stack}>
      <div>
        <Button onClick={() => setCreating(true)}>Make a pool</Button>
      </div>
      {pools.isPending && (
        <Panel>
          <Loading what="Loading pools" />
        </Panel>
      )}
      {pools.isError && <ProblemNotice error={pools.error} retry={() => pools.refetch()} />}
      {pools.data?.length === 0 && (
        <Panel>
          <Empty title="There is no pool yet.">Make one; providers then bring nodes into it.</Empty>
        </Panel>
      )}
      {pools.data?.map((pool) => (
        <PoolRules key={pool.id} pool={pool} />
      ))}
      {creating && <CreatePool onClose={() => setCreating(false)} />}
    </div>
  );
}

function PoolRules({ pool }: { pool: Pool }) {
  const client = useQueryClient();
  const [editing, setEditing] = useState(false);
  const clear = useMutation({
    mutationFn: () => answer(api.POST("/v1/pools/{id}/rounds", { params: { path: { id: pool.id } } })),
    onSuccess: () => {
      announce({ text: `A round of ${pool.name} was asked for.`, tone: "good", to: null });
      void client.invalidateQueries({ queryKey: ["pools"] });
    },
  });
  return (
    <Panel
      title={pool.name}
      note={`${pool.nodes} nodes, ${pool.devices} devices, ${pool.live_rentals} rentals, ${pool.open_bids} open bids, ${pool.live_jobs} jobs`}
      actions={
        <>
          <Button size="xs" variant="default" loading={clear.isPending} onClick={() => clear.mutate()}>
            Clear a round now
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => setEditing(true)}
            aria-label={`Edit the rules of ${pool.name}`}
          >
            Edit the rules
          </Button>
        </>
      }
    >
      <ProblemNotice error={clear.error} />
      <Facts>
        <Fact label="Share policy">{policyInWords(pool)}</Fact>
        <Fact label="Price rule">{pool.price_rule.replaceAll("_", " ")}</Fact>
        <Fact label="Owned by fair-share jobs (phi)">{pool.phi}</Fact>
        <Fact label="Round">{duration(pool.round_seconds)}</Fact>
        <Fact label="Notice">{duration(pool.notice_seconds)}</Fact>
        <Fact label="Minimum run">{duration(pool.min_run_seconds)}</Fact>
        <Fact label="Restart costs">{duration(pool.restart_seconds)}</Fact>
        <Fact label="Fee">{pool.fee_bps} bps</Fact>
        <Fact label="Limits capped at">
          <Amount value={pool.limit_cap_per_gpu_hour} currency={pool.currency} per={PER_GPU_HOUR} />
        </Fact>
        <Fact label="Promises finish times">
          {pool.admission_cap === null ? "no" : `to jobs of weight ${pool.admission_cap} in all`}
        </Fact>
      </Facts>
      {editing && <EditPool pool={pool} onClose={() => setEditing(false)} />}
    </Panel>
  );
}
