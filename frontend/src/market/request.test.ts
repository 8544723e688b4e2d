import { describe, expect, it } from "vitest";
import { className, gpuRequest } from "./className";
import { splitFilters } from "./filters";
import { countIn, withCount } from "./gpuTokens";

describe("a GPU request", () => {
  it("lets its count be read and replaced, wherever it stands", () => {
    expect(countIn("H100:80GB:4")).toBe("4");
    expect(countIn("2:H100")).toBe("2");
    expect(countIn("H100:80GB")).toBeNull();
    expect(withCount("H100:80GB", 8)).toBe("H100:80GB:8");
    expect(withCount("2:H100", 8)).toBe("8:H100");
    expect(withCount("H100:1..8:80GB", 2)).toBe("H100:2:80GB");
    expect(withCount("A100:1g.10gb:1", 2)).toBe("A100:1g.10gb:2");
  });

  it("is made of a class", () => {
    const whole = { model: "RTX 4090", mig_profile: null, memory_mib: 24_576 };
    expect(className(whole)).toBe("RTX 4090 24 GB");
    expect(gpuRequest(whole)).toBe("RTX4090:24GB:1");
    expect(gpuRequest({ model: "A100", mig_profile: "1g.10gb", memory_mib: 10_240 })).toBe("A100:1g.10gb:1");
  });
});

describe("filters", () => {
  it("split at commas, but not inside a list of values", () => {
    expect(splitFilters("price_per_gpu_hour lte 2.50, region in eu-west,eu-north, verified eq true")).toEqual([
      "price_per_gpu_hour lte 2.50",
      "region in eu-west,eu-north",
      "verified eq true",
    ]);
    expect(splitFilters("  ")).toEqual([]);
  });
});
