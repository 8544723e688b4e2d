// One provider.

import { Page } from "@/design/Page";

export function ProviderPage() {
  return <Page title="Provider">{null}</Page>;
}
