import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { asProblem, problemFrom } from "@/api/problem";
import { ProblemNotice } from "./Feedback";
import { fieldError } from "./Form";

const BODY = {
  title: "Limit above the cap",
  status: 422,
  code: "bid_limit_above_cap",
  detail: "The limit is above this pool's cap of $50.00.",
  field: "limit_per_gpu_hour",
  request_id: "req-7",
};

describe("a problem", () => {
  it("is shown with what to do, its code, and the request id to copy", () => {
    const problem = problemFrom(new Response(null, { status: 422 }), BODY);
    render(
      <MantineProvider>
        <ProblemNotice error={problem} />
      </MantineProvider>,
    );
    expect(screen.getByRole("alert").textContent).toContain(BODY.detail);
    expect(screen.getByText("bid_limit_above_cap")).toBeTruthy();
    expect(screen.getByText("req-7")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Copy request id" })).toBeTruthy();
  });

  it("lands at the field it names and at no other", () => {
    const problem = problemFrom(new Response(null, { status: 422 }), BODY);
    expect(fieldError(problem, "limit_per_gpu_hour")).toBe(BODY.detail);
    expect(fieldError(problem, "gpu")).toBeUndefined();
  });

  it("is made of any failed answer, also one that souk did not write", () => {
    const response = new Response("Bad Gateway", {
      status: 502,
      headers: { "X-Request-Id": "req-8", "Retry-After": "3" },
    });
    const problem = problemFrom(response, "Bad Gateway");
    expect(problem).toMatchObject({ status: 502, code: "http_502", request_id: "req-8", retry_after_seconds: 3 });
    expect(problem.definite).toBe(false);
    expect(asProblem(new TypeError("offline")).code).toBe("unreachable");
  });
});
