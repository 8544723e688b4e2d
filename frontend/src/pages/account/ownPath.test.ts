import { expect, it } from "vitest";
import { ownPath } from "./ownPath";

it("never leads to another site after signing in", () => {
  expect(ownPath("/bids/bid_1?x=1")).toBe("/bids/bid_1?x=1");
  expect(["https://evil.example", "//evil.example", "/\\evil.example", undefined].map(ownPath)).toEqual([
    "/",
    "/",
    "/",
    "/",
  ]);
});
