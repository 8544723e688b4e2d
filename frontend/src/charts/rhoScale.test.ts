import { describe, expect, it } from "vitest";
import { rhoScale } from "./rhoScale";

describe("rhoScale", () => {
  it("shows the line at 1 and some air without any job", () => {
    const { low, high, lines } = rhoScale([]);
    expect(low).toBeLessThan(0.7);
    expect(high).toBeCloseTo(1.2);
    expect(lines.map((line) => line.toFixed(1))).toContain("1.0");
  });

  it("has few lines and every job between them, however far one is off", () => {
    for (const worst of [1.3, 2, 4.9, 37, 1e4, 1e6]) {
      const { low, high, lines } = rhoScale([0.02, worst]);
      expect(lines.length).toBeLessThanOrEqual(10);
      expect(lines.length).toBeGreaterThanOrEqual(4);
      expect(low).toBeLessThan(0.02);
      expect(high).toBeGreaterThanOrEqual(worst);
    }
  });
});
