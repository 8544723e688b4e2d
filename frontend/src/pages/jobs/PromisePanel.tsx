// By when a job was promised to be finished, what became of that, and what was found.

import type { Job, JobPromise } from "@/api/types";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import { Id } from "@/design/Copy";
import { Moment } from "@/design/Moment";
import { Fact, Facts, Panel } from "@/design/Panel";
import { unitWord } from "./quantity";
import { END_REASONS, PROMISE_STATES } from "@/states/demand";

interface Props {
  promise: JobPromise;
  currency: string;
  unit: Job["unit"];
}

export function PromisePanel({ promise, currency, unit }: Props) {
  const { evidence } = promise;
  return (
    <Panel title="Promise" note={PROMISE_STATES[promise.state].means}>
      <Facts>
        <Fact label="State">
          <StateChip table={PROMISE_STATES} state={promise.state} />
        </Fact>
        <Fact label="Finished by">
          <Moment at={promise.finish_by} />
        </Fact>
        {promise.state === "missed" && (
          <Fact label="Came back to the wallet">
            <Amount value={promise.refund} currency={currency} />
          </Fact>
        )}
        {evidence && (
          <>
            <Fact label="Of what it had paid">
              <Amount value={evidence.paid} currency={currency} />
            </Fact>
            <Fact label="Work done by then">
              {evidence.done} {unitWord(unit)} ({Math.floor(Number(evidence.progress) * 100)} %)
            </Fact>
            {evidence.first_round !== null && (
              <Fact label="Rounds">
                {evidence.first_round} to {evidence.last_round}
              </Fact>
            )}
            {evidence.faults.map((fault) => (
              <Fact key={fault.rental_id} label="A rental ended">
                {END_REASONS[fault.reason as keyof typeof END_REASONS] ?? fault.reason}
              </Fact>
            ))}
          </>
        )}
        {promise.transfer_id && (
          <Fact label="Transfer">
            <Id value={promise.transfer_id} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}
