// One round.

import { Page } from "@/design/Page";

export function RoundPage() {
  return <Page title="Round">{null}</Page>;
}
