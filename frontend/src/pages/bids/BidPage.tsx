// One bid.

import { Page } from "@/design/Page";

export function BidPage() {
  return <Page title="Bid">{null}</Page>;
}
