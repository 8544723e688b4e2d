// The rounds of a pool.

import { Page } from "@/design/Page";

export function RoundsPage() {
  return <Page title="Rounds">{null}</Page>;
}
