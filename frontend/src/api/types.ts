// The shapes and routes of docs/API-DESIGN.md, in the form openapi-typescript generates.

type Money = string;
type Time = string;

export interface List<T> {
  items: T[];
  next_cursor: string | null;
}
export type Role = "viewer" | "billing" | "member" | "admin" | "owner";

export interface User {
  id: string;
  email: string;
  display_name: string;
  operator: boolean;
}
export interface Organisation {
  id: string;
  name: string;
  currency: string;
  created_at: Time;
}
export interface Session {
  access_token: string;
  token_type: "Bearer";
  expires_in_seconds: number;
  refresh_token: string;
  user: User;
  organisation: Organisation;
  role: Role;
}
export interface Me {
  user: User;
  organisation: Organisation;
  role: Role;
  scopes: string[] | null;
}
export interface Membership {
  organisation: Organisation;
  role: Role;
}
export interface Member {
  user_id: string;
  email: string;
  display_name: string;
  role: Role;
  created_at: Time;
}
export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  created_at: Time;
  expires_at: Time | null;
  last_used_at: Time | null;
}
export interface SshKey {
  id: string;
  name: string;
  fingerprint: string;
  public_key: string;
  created_at: Time;
}

export interface PoolClass {
  class_id: string;
  model: string;
  vendor: string;
  memory_mib: number;
  mig_profile: string | null;
  price_per_gpu_hour: Money | null;
  on_demand_from_per_gpu_hour: Money | null;
  floor_from_per_gpu_hour: Money | null;
  entitlement_price_per_gpu_hour: Money | null;
  devices: number;
  devices_free: number;
  devices_leased: number;
  change_24h_bps: number | null;
}
export interface Pool {
  id: string;
  name: string;
  currency: string;
  share_policy: string;
  price_rule: string;
  round_seconds: number;
  notice_seconds: number;
  min_run_seconds: number;
  restart_seconds: number;
  fee_bps: number;
  phi: string;
  limit_cap_per_gpu_hour: Money;
  last_round: { number: number; cleared_at: Time } | null;
  next_round_at: Time | null;
  classes: PoolClass[];
  nodes: number;
  devices: number;
  live_rentals: number;
  open_bids: number;
  live_jobs: number;
  version: number;
}
export interface PricePoint {
  at: Time;
  open: Money;
  high: Money;
  low: Money;
  close: Money;
  p10: Money;
  p50: Money;
  p90: Money;
  supply_devices: number;
  granted_devices: number;
  demanded_devices: number;
  rounds: number;
}
export interface Prices {
  class_id: string;
  currency: string;
  step_seconds: number;
  points: PricePoint[];
}
export interface Depth {
  class_id: string;
  currency: string;
  round_number: number;
  price_per_gpu_hour: Money | null;
  bids: { limit_per_gpu_hour: Money; devices: number; cumulative_devices: number }[];
  asks: { floor_per_gpu_hour: Money; devices: number; cumulative_devices: number }[];
}
export interface RoundSummary {
  number: number;
  id: string;
  cleared_at: Time;
  cause: "timer" | "device_freed" | "starved" | "demand" | "operator";
  plan_milliseconds: number;
  demands: number;
  granted: number;
  evicted: number;
  prices: { class_id: string; price_per_gpu_hour: Money }[];
  hash: string;
}
export interface Explanation {
  subject: string;
  round_number: number;
  code: string;
  sentence: string;
  numbers: { name: string; value: string; unit: string }[];
  explained_at: Time;
}
export interface Round extends RoundSummary {
  seed: string;
  previous_hash: string;
  plan_hash: string;
  classes: {
    class_id: string;
    price_per_gpu_hour: Money;
    supply_devices: number;
    granted_devices: number;
    demanded_devices: number;
  }[];
  outcomes: { code: string; count: number }[];
  grants: {
    demand: string;
    kind: "on_demand" | "bid" | "job";
    class_id: string;
    devices: number;
    price_per_gpu_hour: Money;
    why: string;
  }[];
  evictions: { demand: string; because: string }[];
  dropped: { demand: string; because: string }[];
  explanations: Explanation[];
}
export interface FairnessJob {
  demand: string;
  name: string | null;
  weight: string;
  gang: number;
  progress: string;
  rho: string;
  rho_denominator: string;
  lag_seconds: string;
  entitled_share: string;
  entitled: boolean;
}
export interface Fairness {
  round_number: number | null;
  policy: string;
  jobs: FairnessJob[];
}
export interface DeviceClass {
  id: string;
  vendor: string;
  model: string;
  memory_mib: number;
  mig_profile: string | null;
}
export interface Profile {
  id: string;
  name: string;
  unit: "steps" | "gpu_hours";
  source: string;
  speeds: { class_id: string; gang: number; units_per_second: string }[];
}
export interface Offer {
  id: string;
  ask_id: string;
  pool_id: string;
  node_id: string;
  provider: { id: string; name: string };
  class_id: string;
  model: string;
  vendor: string;
  vram_mib: number;
  mig_profile: string | null;
  region: string;
  currency: string;
  price_per_gpu_hour: Money;
  floor_per_gpu_hour: Money;
  market_price_per_gpu_hour: Money | null;
  min_chunk: number;
  devices_total: number;
  devices_free: number;
  devices_preemptible: number;
  largest_block: number;
  reliability: number;
  verified: boolean;
  nvlink: boolean;
  inet_down_mbps: number;
  driver: string | null;
  cuda_max: string | null;
  ends_at: Time | null;
}
export interface AppliedFilter {
  field: string;
  op: string;
  value: string;
  source: "query" | "gpu" | "default";
}
export interface Offers extends List<Offer> {
  filters: AppliedFilter[];
}

export interface Quote {
  id: string;
  ask_id: string;
  devices: number;
  class_id: string;
  currency: string;
  price_per_gpu_hour: Money;
  price_per_hour: Money;
  parts: { label: string; per_hour: Money }[];
  hold: Money;
  runway_seconds: number | null;
  created_at: Time;
  expires_at: Time;
}
export interface BidRequest {
  pool_id?: string;
  gpu: string;
  limit_per_gpu_hour: Money;
  ends_at?: Time;
  reenter?: boolean;
  command?: string;
}
export interface Bid {
  id: string;
  pool_id: string;
  gpu: string;
  class_ids: string[];
  gang: number;
  limit_per_gpu_hour: Money;
  currency: string;
  reenter: boolean;
  command: string | null;
  state: string;
  rental_id: string | null;
  hold: Money;
  market_prices: { class_id: string; price_per_gpu_hour: Money | null }[];
  explanation: Explanation | null;
  actions: string[];
  created_at: Time;
  ends_at: Time | null;
  closed_at: Time | null;
  version: number;
}
export interface DryRun {
  would_win: boolean;
  class_id: string | null;
  price_per_gpu_hour: Money | null;
  winning_limit_per_gpu_hour: Money | null;
  code: string;
  sentence: string;
  hold: Money;
  total_per_hour_max: Money;
  currency: string;
  round_number: number;
}
export interface JobRequest {
  pool_id?: string;
  name: string;
  gpu: string;
  work: string;
  profile_id?: string;
  weight?: string;
  budget: Money;
  command?: string;
}
export interface Job {
  id: string;
  pool_id: string;
  name: string;
  gpu: string;
  class_ids: string[];
  gang: number;
  profile_id: string | null;
  unit: string;
  weight: string;
  work: string;
  done: string;
  reference_done: string;
  progress: string;
  state: string;
  rental_id: string | null;
  budget: Money;
  spent: Money;
  currency: string;
  rho: string | null;
  lag_seconds: string | null;
  command: string | null;
  explanation: Explanation | null;
  actions: string[];
  created_at: Time;
  closed_at: Time | null;
  version: number;
}
export interface RentalRequest {
  ask_id: string;
  devices: number;
  quote_id?: string;
  command?: string;
  max_duration_seconds?: number;
  max_spend?: Money;
}
export interface Rental {
  id: string;
  kind: "on_demand" | "bid" | "job";
  origin_id: string;
  pool_id: string;
  provider: { id: string; name: string } | null;
  node_id: string | null;
  node_name: string | null;
  class_id: string;
  model: string;
  gang: number;
  devices: { id: string; uuid: string; slot: number }[];
  state: string;
  reason: string | null;
  billing_class: "free" | "compute" | "storage_only";
  price_per_gpu_hour: Money;
  price_per_hour: Money;
  currency: string;
  charged: Money;
  hold: Money;
  runway_seconds: number | null;
  notice_until: Time | null;
  command: string | null;
  shell: boolean;
  actions: string[];
  created_at: Time;
  state_at: Time;
  usable_at: Time | null;
  ended_at: Time | null;
  version: number;
}
export interface Usage {
  id: string;
  rental_id: string;
  class_id: string;
  devices: number;
  price_per_gpu_hour: Money;
  starts_at: Time;
  ends_at: Time;
  milliseconds: number;
  amount: Money;
  currency: string;
  transfer_id: string | null;
}

export interface Wallet {
  currency: string;
  available: Money;
  held: Money;
  burn_per_hour: Money;
  runway_seconds: number | null;
  warning: "24h" | "1h" | "10min" | null;
}
export interface Entry {
  transfer_id: string;
  kind: string;
  account: "available" | "held";
  amount: Money;
  currency: string;
  subject: string | null;
  reason: string | null;
  created_at: Time;
}
export interface Hold {
  id: string;
  subject: string;
  remaining: Money;
  currency: string;
  created_at: Time;
}
export interface Transfer {
  id: string;
  kind: string;
  currency: string;
  amount: Money;
  subject: string | null;
  reason: string | null;
  created_at: Time;
}

export interface Provider {
  id: string;
  organisation_id: string;
  name: string;
  currency: string;
  nodes: number;
  devices: number;
  devices_leased: number;
  created_at: Time;
}
export interface Device {
  id: string;
  class_id: string;
  uuid: string;
  slot: number;
  state: string;
  rental_id: string | null;
}
export interface Ask {
  id: string;
  node_id: string;
  class_id: string;
  currency: string;
  price_per_gpu_hour: Money;
  floor_per_gpu_hour: Money;
  min_chunk: number;
  ends_at: Time | null;
  withdrawn_at: Time | null;
  created_at: Time;
}
export interface Node {
  id: string;
  provider_id: string;
  pool_id: string;
  name: string;
  adapter: string;
  state: string;
  region: string;
  cpu_milli: number;
  memory_mib: number;
  nvlink: boolean;
  verified: boolean;
  reliability: number;
  heartbeat_at: Time | null;
  devices: Device[];
  asks: Ask[];
  actions: string[];
  created_at: Time;
  version: number;
}
export interface NodeRequest {
  pool_id: string;
  name: string;
  region?: string;
  hardware: {
    cpu_milli: number;
    memory_mib: number;
    nvlink?: boolean;
    inet_down_mbps?: number;
    driver?: string;
    cuda_max?: string;
    devices: { class_id: string; count: number }[];
  };
}
export interface EnrolmentToken {
  id: string;
  token: string;
  expires_at: Time;
  command: string;
}
export interface AskRequest {
  node_id: string;
  class_id: string;
  price_per_gpu_hour: Money;
  floor_per_gpu_hour: Money;
  min_chunk?: number;
  ends_at?: Time;
}
export interface Earnings {
  currency: string;
  pending: Money;
  available: Money;
  from: Time;
  to: Time;
  gross: Money;
  fee: Money;
  net: Money;
  device_hours: string;
  nodes: { node_id: string; name: string; gross: Money; net: Money; device_hours: string }[];
  days: { date: string; net: Money }[];
}

export interface PoolPolicy {
  share_policy?: string;
  round_seconds?: number;
  notice_seconds?: number;
  min_run_seconds?: number;
  restart_seconds?: number;
  phi?: string;
  fee_bps?: number;
  limit_cap_per_gpu_hour?: Money;
}
export interface Overview {
  organisations: number;
  users: number;
  invariants: { name: string; holds: boolean; detail: string }[];
  alerts_open: number;
  loops: { name: string; last_run_at: Time | null; last_error: string | null }[];
}
export interface Alert {
  id: string;
  pool_id: string | null;
  code: string;
  severity: "info" | "warning" | "critical";
  message: string;
  raised_at: Time;
  resolved_at: Time | null;
}
export interface AdminOrganisation {
  id: string;
  name: string;
  currency: string;
  available: Money;
  held: Money;
  created_at: Time;
}
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  field: string | null;
  request_id: string;
}

type Page = { cursor?: string; limit?: number };
type Reply<T> = { headers: { [name: string]: unknown }; content: { "application/json": T } };
type Empty = { headers: { [name: string]: unknown }; content?: never };
type Failure = { headers: { [name: string]: unknown }; content: { "application/problem+json": Problem } };
type Key = { "Idempotency-Key": string };

type None = undefined;
type Part<Name extends string, T> = [T] extends [None] ? { [N in Name]?: never } : { [N in Name]: T };

type Get<T, Path = None, Query = None> = {
  parameters: { query?: Query } & Part<"path", Path>;
  responses: { 200: Reply<T>; default: Failure };
};
type Send<Body, T, Path = None, Header = None, Status extends number = 201> = {
  parameters: Part<"path", Path> & Part<"header", Header>;
  responses: { [S in Status]: T extends null ? Empty : Reply<T> } & { default: Failure };
} & (Body extends null ? { requestBody?: never } : { requestBody: { content: { "application/json": Body } } });
type Id = { id: string };

export interface paths {
  "/v1/auth/register": {
    post: Send<{ email: string; password: string; display_name: string; organisation_name?: string }, Session>;
  };
  "/v1/auth/login": { post: Send<{ email: string; password: string }, Session, None, None, 200> };
  "/v1/auth/refresh": {
    post: Send<{ refresh_token: string; organisation_id?: string }, Session, None, None, 200>;
  };
  "/v1/auth/logout": { post: Send<{ refresh_token: string }, null, None, None, 204> };
  "/v1/me": { get: Get<Me> };
  "/v1/organisations": { get: Get<List<Membership>, None, Page>; post: Send<{ name: string }, Organisation> };
  "/v1/organisations/{id}/members": {
    get: Get<List<Member>, Id, Page>;
    post: Send<{ email: string; role: Role }, Member, Id>;
  };
  "/v1/organisations/{id}/members/{user_id}": {
    patch: Send<{ role: Role }, Member, { id: string; user_id: string }, None, 200>;
    delete: Send<null, null, { id: string; user_id: string }, None, 204>;
  };
  "/v1/api-keys": {
    get: Get<List<ApiKey>, None, Page>;
    post: Send<{ name: string; scopes: string[]; expires_at?: Time }, ApiKey & { secret: string }>;
  };
  "/v1/api-keys/{id}": { delete: Send<null, null, Id, None, 204> };
  "/v1/ssh-keys": {
    get: Get<List<SshKey>, None, Page>;
    post: Send<{ name: string; public_key: string }, SshKey>;
  };
  "/v1/ssh-keys/{id}": { delete: Send<null, null, Id, None, 204> };

  "/v1/pools": { get: Get<List<Pool>, None, Page>; post: Send<{ name: string } & PoolPolicy, Pool> };
  "/v1/pools/{id}": { get: Get<Pool, Id>; patch: Send<PoolPolicy, Pool, Id, None, 200> };
  "/v1/pools/{id}/prices": {
    get: Get<Prices, Id, { class?: string; from?: Time; to?: Time; step_seconds?: number }>;
  };
  "/v1/pools/{id}/depth": { get: Get<Depth, Id, { class?: string }> };
  "/v1/pools/{id}/rounds": { get: Get<List<RoundSummary>, Id, Page>; post: Send<null, null, Id, None, 202> };
  "/v1/pools/{id}/rounds/{number}": { get: Get<Round, { id: string; number: number }> };
  "/v1/pools/{id}/fairness": { get: Get<Fairness, Id> };
  "/v1/device-classes": { get: Get<List<DeviceClass>> };
  "/v1/profiles": { get: Get<List<Profile>, None, Page> };
  "/v1/offers": {
    get: Get<Offers, None, Page & { gpu?: string; pool?: string; filter?: string[]; order?: string }>;
  };

  "/v1/quotes": { post: Send<{ ask_id: string; devices: number }, Quote> };
  "/v1/bids": {
    get: Get<List<Bid>, None, Page & { state?: string }>;
    post: Send<BidRequest, Bid, None, Key>;
  };
  "/v1/bids/dry-run": { post: Send<BidRequest, DryRun, None, None, 200> };
  "/v1/bids/{id}": { get: Get<Bid, Id> };
  "/v1/bids/{id}/explanation": { get: Get<Explanation, Id> };
  "/v1/bids/{id}/cancel": { post: Send<null, Bid, Id, Key, 200> };
  "/v1/jobs": {
    get: Get<List<Job>, None, Page & { state?: string }>;
    post: Send<JobRequest, Job, None, Key>;
  };
  "/v1/jobs/{id}": { get: Get<Job, Id> };
  "/v1/jobs/{id}/explanation": { get: Get<Explanation, Id> };
  "/v1/jobs/{id}/cancel": { post: Send<null, Job, Id, Key, 200> };
  "/v1/rentals": {
    get: Get<List<Rental>, None, Page & { state?: string }>;
    post: Send<RentalRequest, Rental, None, Key>;
  };
  "/v1/rentals/{id}": { get: Get<Rental, Id> };
  "/v1/rentals/{id}/stop": { post: Send<null, Rental, Id, Key, 200> };
  "/v1/rentals/{id}/start": { post: Send<null, Rental, Id, Key, 200> };
  "/v1/rentals/{id}/end": { post: Send<null, Rental, Id, Key, 200> };
  "/v1/rentals/{id}/logs": { get: Get<{ text: string; truncated: boolean }, Id> };
  "/v1/rentals/{id}/usage": { get: Get<List<Usage>, Id, Page> };
  "/v1/rentals/{id}/shells": { post: Send<null, { url: string; expires_at: Time }, Id> };

  "/v1/wallet": { get: Get<Wallet> };
  "/v1/wallet/entries": { get: Get<List<Entry>, None, Page> };
  "/v1/wallet/holds": { get: Get<List<Hold>, None, Page> };
  "/v1/usage": { get: Get<List<Usage>, None, Page & { from?: Time; to?: Time }> };
  "/v1/credits": {
    post: Send<{ organisation_id: string; amount: Money; reason: string }, Transfer, None, Key>;
  };

  "/v1/providers": { get: Get<List<Provider>, None, Page>; post: Send<{ name: string }, Provider> };
  "/v1/providers/{id}/earnings": { get: Get<Earnings, Id, { from?: Time; to?: Time }> };
  "/v1/providers/{id}/nodes": { get: Get<List<Node>, Id, Page>; post: Send<NodeRequest, Node, Id> };
  "/v1/providers/{id}/enrolment-tokens": { post: Send<{ pool_id: string }, EnrolmentToken, Id> };
  "/v1/nodes/{id}": { get: Get<Node, Id> };
  "/v1/nodes/{id}/drain": { post: Send<null, Node, Id, None, 200> };
  "/v1/nodes/{id}/resume": { post: Send<null, Node, Id, None, 200> };
  "/v1/asks": { get: Get<List<Ask>, None, Page & { node_id?: string }>; post: Send<AskRequest, Ask> };
  "/v1/asks/{id}/withdraw": { post: Send<null, Ask, Id, None, 200> };

  "/v1/admin/overview": { get: Get<Overview> };
  "/v1/admin/alerts": { get: Get<List<Alert>, None, Page> };
  "/v1/admin/alerts/{id}/resolve": { post: Send<null, Alert, Id, None, 200> };
  "/v1/admin/organisations": { get: Get<List<AdminOrganisation>, None, Page> };
}
