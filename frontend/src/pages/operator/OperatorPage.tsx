// For operators.

import { Page } from "@/design/Page";

export function OperatorPage() {
  return <Page title="Operate">{null}</Page>;
}
