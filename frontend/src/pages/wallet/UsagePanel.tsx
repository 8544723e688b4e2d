// Usage across all rentals for a span of days, and its export.

import { Button, Select } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Panel } from "@/design/Panel";
import { UsageTable } from "@/money/UsageTable";
import { usageQuery } from "@/queries/wallet";
import { exportUsage } from "./exportUsage";

const DAY_MS = 86_400_000;
const SPANS = [
  { value: "1", label: "Last 24 hours" },
  { value: "7", label: "Last 7 days" },
  { value: "31", label: "Last 31 days" },
];

export function UsagePanel() {
  const [days, setDays] = useState("7");
  const period = useMemo(() => ({ from: new Date(Date.now() - Number(days) * DAY_MS).toISOString() }), [days]);
  const usage = useInfiniteQuery(usageQuery(period));
  const download = useMutation({ mutationFn: () => exportUsage(period) });
  const lines = usage.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel
      title="Usage"
      note="Metered intervals of all rentals."
      flush
      actions={
        <>
          <Select
            size="xs"
            aria-label="Span"
            data={SPANS}
            value={days}
            allowDeselect={false}
            onChange={(value) => value && setDays(value)}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            Export as CSV
          </Button>
        </>
      }
    >
      <ProblemNotice error={download.error} retry={() => download.mutate()} />
      {usage.isPending && <Loading what="Loading usage" />}
      {usage.isError && <ProblemNotice error={usage.error} retry={() => usage.refetch()} />}
      {usage.isSuccess && lines.length === 0 && (
        <Empty title="Nothing was metered in this time.">Choose a longer span, or rent something.</Empty>
      )}
      {lines.length > 0 && <UsageTable lines={lines} withRental />}
      <More query={usage} />
    </Panel>
  );
}
