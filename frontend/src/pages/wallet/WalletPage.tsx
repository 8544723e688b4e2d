// The organisation's money: what is there, what is held, how fast it goes, and every entry behind those figures.

import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Wallet } from "@/api/types";
import { Amount } from "@/design/Amount";
import { Loading, ProblemNotice } from "@/design/Feedback";
import { Page } from "@/design/Page";
import { Figure, Figures, Panel } from "@/design/Panel";
import { PER_HOUR } from "@/money/format";
import { walletQuery } from "@/queries/wallet";
import { duration } from "@/time/format";
import { EntriesPanel, HoldsPanel } from "./LedgerPanels";
import { UsagePanel } from "./UsagePanel";
import classes from "./Wallet.module.css";

const WARNINGS: Record<NonNullable<Wallet["warning"]>, string> = {
  "24h": "At the present burn the wallet is empty within a day.",
  "1h": "At the present burn the wallet is empty within the hour. Compute stops before it is.",
  "10min": "The wallet is empty within ten minutes. Compute stops before it is.",
};

export function WalletPage() {
  const wallet = useQuery(walletQuery);
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
      <Tabs defaultValue="usage" keepMounted={false}>
        <Tabs.List mb={20}>
          <Tabs.Tab value="usage">Usage</Tabs.Tab>
          <Tabs.Tab value="holds">Holds</Tabs.Tab>
          <Tabs.Tab value="entries">Entries</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="usage">
          <UsagePanel />
        </Tabs.Panel>
        <Tabs.Panel value="holds">
          <HoldsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="entries">
          <EntriesPanel />
        </Tabs.Panel>
      </Tabs>
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
