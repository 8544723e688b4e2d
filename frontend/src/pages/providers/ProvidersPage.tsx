// Providers of the organisation.

import { Page } from "@/design/Page";

export function ProvidersPage() {
  return <Page title="Provide">{null}</Page>;
}
