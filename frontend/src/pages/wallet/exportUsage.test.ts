import { expect, it } from "vitest";
import { usageCsv } from "./exportUsage";

it("exports amounts exactly as they came", () => {
  const line = {
    id: "usage_1",
    rental_id: "rent_1",
    class_id: "class_1",
    devices: 4,
    price_per_gpu_hour: "1.250000",
    starts_at: "2026-01-31T12:00:00.000Z",
    ends_at: "2026-01-31T12:05:00.000Z",
    milliseconds: 300_000,
    amount: "0.416667",
    currency: "USD",
    transfer_id: null,
  };
  const [header, row] = usageCsv([line]).split("\r\n");
  expect(header).toContain("amount,currency,transfer_id");
  expect(row).toBe(
    "usage_1,rent_1,class_1,4,1.250000,2026-01-31T12:00:00.000Z,2026-01-31T12:05:00.000Z,300000,0.416667,USD,",
  );
});
