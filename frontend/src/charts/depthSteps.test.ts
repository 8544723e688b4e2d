import { expect, it } from "vitest";
import { depthSteps } from "./depthSteps";

it("lets what is wanted fall just above a limit and what is offered rise at a floor", () => {
  const steps = depthSteps({
    class_id: "class_1",
    currency: "USD",
    round_number: 1,
    price_per_gpu_hour: "1.00",
    bids: [
      { limit_per_gpu_hour: "2.00", devices: 1, cumulative_devices: 1 },
      { limit_per_gpu_hour: "1.00", devices: 3, cumulative_devices: 4 },
    ],
    asks: [{ floor_per_gpu_hour: "1.50", devices: 2, cumulative_devices: 2 }],
  });
  expect(steps.map(({ price, wanted, offered }) => [price, wanted, offered])).toEqual([
    ["1.00", 4, 0],
    ["1.00", 1, 0],
    ["1.50", 1, 0],
    ["1.50", 1, 2],
    ["1.50", 1, 2],
    ["2.00", 1, 2],
    ["2.00", 1, 2],
  ]);
});
