// Alerts, open ones first.

import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, api } from "@/api/client";
import type { Alert } from "@/api/types";
import { StateChip } from "@/design/Chip";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Moment } from "@/design/Moment";
import { More } from "@/design/More";
import { Panel } from "@/design/Panel";
import { type Column, Table } from "@/design/Table";
import { alertsQuery } from "@/queries/operator";
import { SEVERITIES } from "@/states/supply";

export function AlertsPanel() {
  const client = useQueryClient();
  const alerts = useInfiniteQuery(alertsQuery);
  const resolve = useMutation({
    mutationFn: (id: string) => answer(api.POST("/v1/admin/alerts/{id}/resolve", { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["admin"] }),
  });
  const rows = (alerts.data?.pages.flatMap((page) => page.items) ?? []).sort(
    (a, b) => Number(a.resolved_at !== null) - Number(b.resolved_at !== null),
  );
  const columns: Column<Alert>[] = [
    { key: "message", header: "Alert", main: true, cell: (alert) => alert.message },
    { key: "severity", header: "Severity", cell: (alert) => <StateChip table={SEVERITIES} state={alert.severity} /> },
    { key: "code", header: "Code", cell: (alert) => <code>{alert.code}</code> },
    { key: "raised", header: "Raised", cell: (alert) => <Moment at={alert.raised_at} /> },
    { key: "resolved", header: "Resolved", cell: (alert) => <Moment at={alert.resolved_at} absent="open" /> },
    {
      key: "resolve",
      header: <span className="visually-hidden">Resolve</span>,
      align: "end",
      cell: (alert) =>
        alert.resolved_at === null && (
          <Button
            size="xs"
            variant="default"
            loading={resolve.isPending && resolve.variables === alert.id}
            aria-label={`Resolve ${alert.code}`}
            onClick={() => resolve.mutate(alert.id)}
          >
            Resolve
          </Button>
        ),
    },
  ];
  return (
    <Panel title="Alerts" flush>
      <ProblemNotice
        error={resolve.error ?? alerts.error}
        retry={alerts.isError ? () => alerts.refetch() : undefined}
      />
      {alerts.isPending && <Loading what="Loading alerts" />}
      {alerts.isSuccess && rows.length === 0 && <Empty title="No alert was ever raised.">All is calm.</Empty>}
      {rows.length > 0 && <Table caption="Alerts" columns={columns} rows={rows} rowKey={(alert) => alert.id} />}
      <More query={alerts} />
    </Panel>
  );
}
