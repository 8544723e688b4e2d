// The organisation's bids.

import { Page } from "@/design/Page";

export function BidsPage() {
  return <Page title="Bids">{null}</Page>;
}
