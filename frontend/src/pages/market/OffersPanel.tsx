// What can be rented at once, found by the GPU request grammar and by filters; every filter applied is shown.

import { Select, Switch, TextInput } from "@mantine/core";
import { useDebouncedValue, useHotkeys } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { asProblem } from "@/api/problem";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Panel } from "@/design/Panel";
import { splitFilters } from "@/market/filters";
import { offersQuery } from "@/queries/market";
import classes from "./Market.module.css";
import { OffersTable } from "./OffersTable";

const ORDERS = [
  { value: "price_per_gpu_hour", label: "Cheapest first" },
  { value: "-reliability", label: "Most reliable first" },
  { value: "-devices_free", label: "Most devices free first" },
];

const FILTER_EXAMPLE = "price_per_gpu_hour lte 2.50, verified eq true";

interface Props {
  pool: string;
  gpu: string;
  onGpu: (gpu: string) => void;
}

export function OffersPanel({ pool, gpu, onGpu }: Props) {
  const [text, setText] = useState(gpu);
  const [filterText, setFilterText] = useState("");
  const [freeOnly, setFreeOnly] = useState(true);
  const [order, setOrder] = useState("price_per_gpu_hour");
  const [asked] = useDebouncedValue(text.trim(), 250);
  const [filtered] = useDebouncedValue(filterText, 350);
  const box = useRef<HTMLInputElement>(null);
  useHotkeys([["/", () => box.current?.focus()]]);
  useEffect(() => {
    if (asked !== gpu) onGpu(asked);
    // The address follows the box, not the other way round.
  }, [asked]);

  const filter = [...splitFilters(filtered), ...(freeOnly ? ["devices_free gte 1"] : [])];
  const offers = useInfiniteQuery(
    offersQuery({ pool, gpu: asked || undefined, filter: filter.length > 0 ? filter : undefined, order }),
  );
  const problem = offers.isError ? asProblem(offers.error) : null;
  const items = offers.data?.pages.flatMap((page) => page.items) ?? [];
  const applied = offers.data?.pages[0]?.filters ?? [];
  return (
    <Panel title="Offers" note="Rent at the posted price: yours until you stop it, never outbid." flush>
      <div className={classes.search}>
        <TextInput
          ref={box}
          label="GPU request"
          placeholder="H100,A100:80GB:1..8"
          description="Models, memory with a unit, a count without one, in any order. Press / to come here."
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
          error={problem?.field === "gpu" ? problem.detail : undefined}
        />
        <TextInput
          label="Filters"
          placeholder={FILTER_EXAMPLE}
          description="field op value, separated by commas; op is one of eq neq gt gte lt lte in notin."
          value={filterText}
          spellCheck={false}
          onChange={(event) => setFilterText(event.currentTarget.value)}
          error={problem?.field === "filter" ? problem.detail : undefined}
        />
        <Select
          label="Order"
          data={ORDERS}
          value={order}
          allowDeselect={false}
          onChange={(value) => value && setOrder(value)}
        />
        <Switch
          label="Only what is free now"
          checked={freeOnly}
          onChange={(event) => setFreeOnly(event.currentTarget.checked)}
        />
      </div>
      {applied.length > 0 && (
        <p className={classes.filters}>
          Applied:
          {applied.map(({ field, op, value, source }) => (
            <code key={`${field} ${op} ${value}`} title={`from the ${source}`}>
              {field} {op} {value}
            </code>
          ))}
        </p>
      )}
      {offers.isPending && <Loading what="Loading offers" />}
      {problem && problem.field !== "gpu" && problem.field !== "filter" && (
        <div style={{ padding: "0 20px 14px" }}>
          <ProblemNotice error={problem} retry={() => offers.refetch()} />
        </div>
      )}
      {offers.isSuccess && items.length === 0 && (
        <Empty title="No offer fits this request now.">
          Loosen a filter, look at what is taken too, ask for fewer devices, or place a bid: it waits in the book until
          devices are free at your limit.
        </Empty>
      )}
      {items.length > 0 && <OffersTable offers={items} />}
      <More query={offers} />
    </Panel>
  );
}
