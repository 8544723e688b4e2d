// What the organisation rents.

import { Page } from "@/design/Page";

export function RentalsPage() {
  return <Page title="Rentals">{null}</Page>;
}
