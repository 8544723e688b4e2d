// One rental.

import { Page } from "@/design/Page";

export function RentalPage() {
  return <Page title="Rental">{null}</Page>;
}
