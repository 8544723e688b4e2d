// One job.

import { Page } from "@/design/Page";

export function JobPage() {
  return <Page title="Job">{null}</Page>;
}
