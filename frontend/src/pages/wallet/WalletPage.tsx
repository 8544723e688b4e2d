// The organisation's money: what is there, what is held, how fast it goes, and every entry behind those figures.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Wallet } from "@/api/contract";
import { Amount } from "@/design/Amount";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { More } from "@/design/More";
import { Page } from "@/design/Page";
import { Figure, Figures, Panel } from "@/design/Panel";
import { PER_HOUR } from "@/money/format";
import { entriesQuery, holdsQuery, walletQuery } from "@/queries/wallet";
import { duration } from "@/time/format";
import { EntriesTable, HoldsTable } from "./LedgerTables";
import { UsagePanel } from "./UsagePanel";
import classes from "./Wallet.module.css";

const WARNINGS: Record<NonNullable<Wallet["warning"]>, string> = {
  "24h": "At the present burn the wallet is empty within a day.",
  "1h": "At the present burn the wallet is empty within the hour. Compute stops before it is.",
  "10min": "The wallet is empty within ten minutes. Compute stops before it is.",
};

export function WalletPage() {
  const wallet = useQuery(walletQuery);
  const entries = useInfiniteQuery(entriesQuery);
  const holds = useInfiniteQuery(holdsQuery);
  const entryRows = entries.data?.pages.flatMap((page) => page.items) ?? [];
  const holdRows = holds.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      title="Wallet"
      lead="Every figure is the sum of ledger entries; corrections are new entries, never changed ones."
    >
      {wallet.isError && <ProblemNotice error={wallet.error} retry={() => wallet.refetch()} />}
      {wallet.data?.warning && (
        <p className={classes.warning} role="alert">
          {WARNINGS[wallet.data.warning]} Ask an operator for credit, or end what you do not need.
        </p>
      )}
      <Panel>{wallet.data ? <Balance wallet={wallet.data} /> : wallet.isPending && <Loading rows={2} />}</Panel>
      <Panel title="Holds" note="Set aside for what may be charged; what is not used comes back." flush>
        {holds.isPending && <Loading rows={3} what="Loading holds" />}
        {holds.isError && <ProblemNotice error={holds.error} retry={() => holds.refetch()} />}
        {holds.isSuccess && holdRows.length === 0 && (
          <Empty title="Nothing is held.">A bid, a job or a rental sets its hold aside when you place it.</Empty>
        )}
        {holdRows.length > 0 && <HoldsTable holds={holdRows} />}
        <More query={holds} />
      </Panel>
      <UsagePanel />
      <Panel title="Entries" note="Everything that moved, newest first." flush>
        {entries.isPending && <Loading what="Loading entries" />}
        {entries.isError && <ProblemNotice error={entries.error} retry={() => entries.refetch()} />}
        {entries.isSuccess && entryRows.length === 0 && (
          <Empty title="Nothing has moved yet.">The first credit and the first charge will show here.</Empty>
        )}
        {entryRows.length > 0 && <EntriesTable entries={entryRows} />}
        <More query={entries} />
      </Panel>
    </Page>
  );
}

function Balance({ wallet }: { wallet: Wallet }) {
  const { currency } = wallet;
  return (
    <Figures>
      <Figure label="Available">
        <Amount value={wallet.available} currency={currency} size="xl" />
      </Figure>
      <Figure label="Held" note="for bids, jobs and rentals">
        <Amount value={wallet.held} currency={currency} size="lg" />
      </Figure>
      <Figure label="Burn" note="what runs now costs this">
        <Amount value={wallet.burn_per_hour} currency={currency} per={PER_HOUR} size="lg" />
      </Figure>
      <Figure label="Lasts" note="at this burn">
        {wallet.runway_seconds === null ? "nothing runs" : duration(wallet.runway_seconds)}
      </Figure>
    </Figures>
  );
}
