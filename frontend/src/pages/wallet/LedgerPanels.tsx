// Holds and ledger entries, a page at a time.

import { useInfiniteQuery } from "@tanstack/react-query";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Panel } from "@/design/Panel";
import { entriesQuery, holdsQuery } from "@/queries/wallet";
import { EntriesTable, HoldsTable } from "./LedgerTables";

export function HoldsPanel() {
  const holds = useInfiniteQuery(holdsQuery);
  const rows = holds.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel title="Holds" note="Set aside for what may be charged; what is not used comes back." flush>
      {holds.isPending && <Loading rows={3} what="Loading holds" />}
      {holds.isError && <ProblemNotice error={holds.error} retry={() => holds.refetch()} />}
      {holds.isSuccess && rows.length === 0 && (
        <Empty title="Nothing is held.">A bid, a job or a rental sets its hold aside when you place it.</Empty>
      )}
      {rows.length > 0 && <HoldsTable holds={rows} />}
      <More query={holds} />
    </Panel>
  );
}

export function EntriesPanel() {
  const entries = useInfiniteQuery(entriesQuery);
  const rows = entries.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel title="Entries" note="Everything that moved, newest first." flush>
      {entries.isPending && <Loading what="Loading entries" />}
      {entries.isError && <ProblemNotice error={entries.error} retry={() => entries.refetch()} />}
      {entries.isSuccess && rows.length === 0 && (
        <Empty title="Nothing has moved yet.">The first credit and the first charge will show here.</Empty>
      )}
      {rows.length > 0 && <EntriesTable entries={rows} />}
      <More query={entries} />
    </Panel>
  );
}
