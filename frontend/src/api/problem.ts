// What went wrong, in the API's own words (RFC 9457). Everything that fails in a call arrives as a `Problem`.

export interface ProblemBody {
  status: number;
  code: string;
  title: string;
  detail: string;
  field: string | null;
  request_id: string | null;
}

export class Problem extends Error implements ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly field: string | null;
  readonly request_id: string | null;
  readonly retry_after_seconds: number | null;

  constructor(body: ProblemBody, retryAfterSeconds: number | null = null) {
    super(body.detail);
    this.name = "Problem";
    this.status = body.status;
    this.code = body.code;
    this.title = body.title;
    this.detail = body.detail;
    this.field = body.field;
    this.request_id = body.request_id;
    this.retry_after_seconds = retryAfterSeconds;
  }

  /** The server gave a definite answer: sending the same call again would be a new intention. */
  get definite(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429;
  }
}

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** A detail as a sentence: it begins with a capital and ends with a stop. */
export function sentence(detail: string): string {
  const begun = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Reads a failed response's body, whatever sent it: souk itself, a proxy in between, or nobody. */
export function problemFrom(response: Response, body: unknown): Problem {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const retryAfter = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  return new Problem(
    {
      status: response.status,
      code: text(fields.code) ?? `http_${response.status}`,
      title: text(fields.title) ?? `The server answered ${response.status}`,
      detail: sentence(
        text(fields.detail) ?? "The server gave no reason. Try again; if it stays, quote the request id.",
      ),
      field: text(fields.field),
      request_id: text(fields.request_id) ?? response.headers.get("X-Request-Id"),
    },
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

/** Anything thrown, as a problem: a call that never reached souk is one too. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({
    status: 0,
    code: "unreachable",
    title: "souk cannot be reached",
    detail:
      "The call did not get through. Check the connection and try again: the same submit is never carried out twice.",
    field: null,
    request_id: null,
  });
}
