// Organisations with their balances, and crediting one with a reason.

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AdminOrganisation } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Id } from "@/design/Copy";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Moment } from "@/design/Moment";
import { More } from "@/design/More";
import { Panel } from "@/design/Panel";
import { type Column, Table } from "@/design/Table";
import { adminOrganisationsQuery } from "@/queries/operator";
import { CreditForm } from "./CreditForm";

export function OrganisationsPanel() {
  const organisations = useInfiniteQuery(adminOrganisationsQuery);
  const [crediting, setCrediting] = useState<AdminOrganisation | null>(null);
  const rows = organisations.data?.pages.flatMap((page) => page.items) ?? [];
  const columns: Column<AdminOrganisation>[] = [
    { key: "name", header: "Organisation", main: true, cell: (one) => one.name },
    { key: "id", header: "Id", cell: (one) => <Id value={one.id} /> },
    {
      key: "available",
      header: "Available",
      align: "end",
      cell: (one) => <Amount value={one.available} currency={one.currency} />,
    },
    { key: "held", header: "Held", align: "end", cell: (one) => <Amount value={one.held} currency={one.currency} /> },
    { key: "since", header: "Since", wideOnly: true, cell: (one) => <Moment at={one.created_at} /> },
    {
      key: "credit",
      header: <span className="visually-hidden">Credit</span>,
      align: "end",
      cell: (one) => (
        <Button size="xs" variant="default" onClick={() => setCrediting(one)} aria-label={`Credit ${one.name}`}>
          Credit
        </Button>
      ),
    },
  ];
  return (
    <Panel title="Organisations" flush>
      {organisations.isPending && <Loading what="Loading organisations" />}
      {organisations.isError && <ProblemNotice error={organisations.error} retry={() => organisations.refetch()} />}
      {organisations.isSuccess && rows.length === 0 && <Empty title="Nobody has signed up yet." />}
      {rows.length > 0 && <Table caption="Organisations" columns={columns} rows={rows} rowKey={(one) => one.id} />}
      <More query={organisations} />
      {crediting && <CreditForm organisation={crediting} onClose={() => setCrediting(null)} />}
    </Panel>
  );
}
