import { expect, test } from "vitest";
import { runningTotal } from "./runningTotal";

const rental = { charged: "1.5", metered_to: "2026-01-01T00:00:00Z", price_per_hour: "3.60", hold: "3.60" };
const at = Date.parse(rental.metered_to);

test("a running rental costs more every second", () => {
  expect(runningTotal(rental, at + 10_000)).toBe("1.5100");
});

test("a rental that is not billed costs what it cost", () => {
  expect(runningTotal({ ...rental, metered_to: null }, at + 10_000)).toBe("1.5");
});

test("no more is shown than is held, and a clock that is behind shows nothing less", () => {
  expect(runningTotal(rental, at + 10 * 3_600_000)).toBe("5.1000");
  expect(runningTotal(rental, at - 5_000)).toBe("1.5000");
});
