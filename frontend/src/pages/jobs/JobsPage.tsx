// The organisation's fair-share jobs.

import { Page } from "@/design/Page";

export function JobsPage() {
  return <Page title="Jobs">{null}</Page>;
}
