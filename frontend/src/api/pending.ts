// Routes of docs/API-DESIGN.md that the generated description does not have yet, in the form it will give them.

import type { components, paths as generated } from "./schema";

type Schemas = components["schemas"];
type Reply<T> = { headers: { [name: string]: unknown }; content: { "application/json": T } };
type Failure = { headers: { [name: string]: unknown }; content: { "application/problem+json": Schemas["Problem"] } };
type Id = { path: { id: string } };

export interface Earnings {
  currency: string;
  pending: string;
  available: string;
  from: string;
  to: string;
  gross: string;
  fee: string;
  net: string;
  device_hours: string;
  nodes: { node_id: string; name: string; gross: string; net: string; device_hours: string }[];
  days: { date: string; net: string }[];
}

export interface PoolPolicy {
  share_policy?: string;
  round_seconds?: number;
  notice_seconds?: number;
  min_run_seconds?: number;
  restart_seconds?: number;
  phi?: string;
  fee_bps?: number;
  limit_cap_per_gpu_hour?: string;
}

type Json<T> = { requestBody: { content: { "application/json": T } } };
type Answers<Status extends number, T> = { responses: { [S in Status]: Reply<T> } & { default: Failure } };

interface Missing {
  "/v1/providers/{id}/earnings": {
    get: { parameters: Id & { query?: { from?: string; to?: string } } } & Answers<200, Earnings>;
  };
}

interface MissingMethods {
  "/v1/pools": { post: Json<{ name: string }> & Answers<201, Schemas["Pool"]> };
  "/v1/pools/{id}": { patch: { parameters: Id } & Json<PoolPolicy> & Answers<200, Schemas["Pool"]> };
}

export type paths = Omit<generated, keyof MissingMethods | keyof Missing> &
  Missing & {
    [P in keyof MissingMethods]: Omit<generated[P], keyof MissingMethods[P]> & MissingMethods[P];
  };
