// The organisation's money.

import { Page } from "@/design/Page";

export function WalletPage() {
  return <Page title="Wallet">{null}</Page>;
}
