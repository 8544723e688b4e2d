// The bid ticket: says what one wants and the most one pays, and learns while typing whether it would win.

import { Drawer, SegmentedControl, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { answer, api } from "@/api/client";
import type { BidRequest } from "@/api/types";
import { announce } from "@/events/announce";
import { asProblem } from "@/api/problem";
import { Form, fieldError } from "@/design/Form";
import { countIn, withCount } from "@/market/gpuTokens";
import { isDecimal } from "@/money/format";
import { dryRunQuery } from "@/queries/demand";
import { poolsQuery } from "@/queries/market";
import { useSubmit } from "@/queries/submit";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";
import { DryRunView } from "./DryRunView";
import { ENDS, endOf } from "./ends";
import { SignInFirst } from "./SignInFirst";
import type { BidDraft } from "./TicketProvider";
import classes from "./Ticket.module.css";

const GANGS = [1, 2, 4, 8];
const FIELDS = ["pool_id", "gpu", "limit_per_gpu_hour", "ends_at", "command"];

export function BidTicket({ draft, onClose }: { draft: BidDraft; onClose: () => void }) {
  const session = useSession();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title="Place a bid"
      classNames={{ title: classes.title }}
    >
      {may(session?.role, "demand") ? (
        <BidForm draft={draft} onClose={onClose} />
      ) : (
        <SignInFirst signedIn={session !== null} onClose={onClose} />
      )}
    </Drawer>
  );
}

function BidForm({ draft, onClose }: { draft: BidDraft; onClose: () => void }) {
  const navigate = useNavigate();
  const pools = useQuery(poolsQuery);
  const [pool, setPool] = useState(draft.pool ?? null);
  const [gpu, setGpu] = useState(draft.gpu ?? "");
  const [limit, setLimit] = useState(draft.limit ?? "");
  const [end, setEnd] = useState<string>(ENDS[0].value);
  const [reenter, setReenter] = useState(true);
  const [command, setCommand] = useState("");

  const currency = pools.data?.find((one) => one.id === pool)?.currency ?? pools.data?.[0]?.currency ?? "";
  const priced = useMemo<BidRequest | null>(
    () =>
      gpu.trim() !== "" && isDecimal(limit.trim())
        ? { pool_id: pool ?? undefined, gpu: gpu.trim(), limit_per_gpu_hour: limit.trim() }
        : null,
    [pool, gpu, limit],
  );
  const [settled] = useDebouncedValue(priced, 300);
  const dryRun = useQuery(dryRunQuery(settled));
  const place = useSubmit(
    (body: BidRequest, header) => answer(api.POST("/v1/bids", { body, params: { header } })),
    (bid) => {
      onClose();
      announce({ text: "The bid is in the book. It competes from the next round on.", tone: "good", to: null });
      void navigate({ to: "/bids/$id", params: { id: bid.id } });
    },
  );
  const problem = place.error ?? (settled === priced ? dryRun.error : null);
  const count = countIn(gpu);

  return (
    <Form
      submit="Place the bid"
      pending={place.isPending}
      error={problem}
      fields={FIELDS}
      disabled={priced === null}
      onSubmit={() =>
        priced && place.mutate({ ...priced, ends_at: endOf(end), reenter, command: command.trim() || undefined })
      }
      aside={<span className={classes.hint}>The book shows limits, never names.</span>}
    >
      {pools.data && pools.data.length > 1 && (
        <Select
          label="Pool"
          data={pools.data.map((one) => ({ value: one.id, label: one.name }))}
          value={pool ?? pools.data[0]?.id ?? null}
          onChange={setPool}
          allowDeselect={false}
          error={fieldError(problem, "pool_id")}
        />
      )}
      <TextInput
        label="GPU request"
        placeholder="H100,A100:80GB:2"
        description="Any of the models named, with the memory and count you need. The count is a gang: all or nothing."
        required
        spellCheck={false}
        data-autofocus
        value={gpu}
        onChange={(event) => setGpu(event.currentTarget.value)}
        error={fieldError(problem, "gpu")}
      />
      <div className={classes.row}>
        <span className={classes.label}>Gang</span>
        <SegmentedControl
          size="xs"
          aria-label="Devices in the gang"
          data={GANGS.map(String)}
          value={count ?? ""}
          onChange={(value) => setGpu(withCount(gpu, Number(value)))}
        />
      </div>
      <TextInput
        label="Limit per GPU and hour"
        description="You pay the round’s price, never more than this."
        required
        inputMode="decimal"
        leftSection={<span className={classes.unit}>{currency}</span>}
        leftSectionWidth={52}
        rightSection={<span className={classes.unit}>/ GPU·h</span>}
        rightSectionWidth={74}
        value={limit}
        onChange={(event) => setLimit(event.currentTarget.value.replace(",", "."))}
        error={
          limit !== "" && !isDecimal(limit.trim())
            ? "A decimal number such as 1.25."
            : fieldError(problem, "limit_per_gpu_hour")
        }
      />
      <DryRunView
        run={dryRun.data}
        asked={priced !== null}
        pending={dryRun.isFetching || settled !== priced}
        failed={dryRun.isError && asProblem(dryRun.error).field !== null}
        onUse={setLimit}
      />
      <Select
        label="Ends"
        data={ENDS.map(({ value, label }) => ({ value, label }))}
        value={end}
        allowDeselect={false}
        onChange={(value) => value && setEnd(value)}
        error={fieldError(problem, "ends_at")}
      />
      <Textarea
        label="Command"
        description="What to run when the devices are yours. Empty: open a shell."
        autosize
        minRows={2}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mono)" } }}
        value={command}
        onChange={(event) => setCommand(event.currentTarget.value)}
        error={fieldError(problem, "command")}
      />
      <Switch
        label="Go back to the book when outbid"
        checked={reenter}
        onChange={(event) => setReenter(event.currentTarget.checked)}
      />
    </Form>
  );
}
