import { describe, expect, it } from "vitest";
import { isDecimal, money, moneyInBrief, signedMoney } from "./format";

describe("money", () => {
  it("keeps every digit the server sent", () => {
    expect(money("1.25", "USD")).toBe("$1.25");
    expect(money("0.416667", "USD")).toBe("$0.416667");
    expect(money("9007199254740993.000001", "USD")).toBe("$9,007,199,254,740,993.000001");
    expect(money("1234567", "EUR")).toBe("€1,234,567.00");
    expect(money("-0.5", "USD")).toBe("−$0.50");
    expect(money("1.5", "MAD")).toBe("MAD\u20091.50");
    expect(money("2.1", "USD", 4)).toBe("$2.1000");
  });

  it("cuts, and never rounds, where room is short", () => {
    expect(moneyInBrief("1.999999", "USD")).toBe("$1.99");
  });

  it("shows the sign of what comes in", () => {
    expect(signedMoney("600", "USD")).toBe("+$600.00");
    expect(signedMoney("-1.5", "USD")).toBe("−$1.50");
  });

  it("lets only plain decimals be sent", () => {
    expect(["1", "1.25", "0.000001"].every(isDecimal)).toBe(true);
    expect(["", "-1", "1e3", "NaN", "1.", ".5", "1.0000001", "1,5"].some(isDecimal)).toBe(false);
  });
});
