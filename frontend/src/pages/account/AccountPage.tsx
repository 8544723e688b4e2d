// Keys and members.

import { Page } from "@/design/Page";

export function AccountPage() {
  return <Page title="Account">{null}</Page>;
}
