// One provider with its nodes, asks and earnings; and what operators see.

import { between, chance, decimal, hex, HOUR, id, now, pick, time } from "./ids.mjs";
import { CLASSES, POOLS } from "./market.mjs";
import { ORGANISATION, SECOND, tell } from "./tenant.mjs";

export const providers = [
  {
    id: id("prov"),
    organisation_id: ORGANISATION.id,
    name: "Bab Labs basement",
    currency: "USD",
    nodes: 3,
    devices: 20,
    devices_leased: 13,
    created_at: time(now() - 60 * 24 * HOUR),
  },
];

export const asks = [];
export const nodes = [];

export function node(provider, name, state, one, count, extra = {}) {
  const made = {
    id: id("node"),
    provider_id: provider,
    pool_id: POOLS[0].id,
    name,
    adapter: "agent",
    state,
    region: "ma-rabat",
    cpu_milli: 96_000,
    memory_mib: 1_048_576,
    nvlink: true,
    verified: true,
    reliability: 0.9987,
    heartbeat_at: time(now() - 3000),
    created_at: time(now() - 50 * 24 * HOUR),
    version: 7,
    ...extra,
  };
  made.devices = Array.from({ length: count }, (_, slot) => ({
    id: id("dev"),
    class_id: one.id,
    uuid: `GPU-${hex(8)}-${hex(4)}-${hex(4)}-${hex(12)}`,
    slot,
    state: state === "lost" ? pick(["free", "faulty"]) : chance() > 0.35 ? "leased" : "free",
    rental_id: null,
  }));
  nodes.push(made);
  ask({
    node_id: made.id,
    class_id: one.id,
    price_per_gpu_hour: decimal(one.base * 1.6, 2),
    floor_per_gpu_hour: decimal(one.floor, 2),
    min_chunk: 1,
  });
  return made;
}

export function ask(body) {
  for (const one of asks)
    if (one.node_id === body.node_id && one.class_id === body.class_id && !one.withdrawn_at)
      one.withdrawn_at = time(now());
  const made = {
    id: id("ask"),
    currency: "USD",
    min_chunk: 1,
    ends_at: null,
    withdrawn_at: null,
    created_at: time(now()),
    ...body,
  };
  asks.unshift(made);
  tell("ask.created", made.id);
  return made;
}

node(providers[0].id, "basement-1", "ready", CLASSES[0], 8);
node(providers[0].id, "basement-2", "draining", CLASSES[3], 4, { nvlink: false });
node(providers[0].id, "attic-1", "lost", CLASSES[4], 8, {
  nvlink: false,
  verified: false,
  reliability: 0.9312,
  heartbeat_at: time(now() - 11 * 60_000),
});

export const viewNode = (one) => ({
  ...one,
  heartbeat_at: one.state === "lost" ? one.heartbeat_at : time(now() - 2000),
  asks: asks.filter((made) => made.node_id === one.id && !made.withdrawn_at),
  actions: { ready: ["drain"], draining: ["resume"] }[one.state] ?? [],
});

export function earnings(days) {
  const list = Array.from({ length: days }, (_, index) => ({
    date: time(now() - (days - 1 - index) * 24 * HOUR).slice(0, 10),
    net: decimal(between(120, 260) * (0.7 + index / days / 2), 2),
  }));
  return {
    currency: "USD",
    pending: "212.441",
    available: "3804.1907",
    from: time(now() - days * 24 * HOUR),
    to: time(now()),
    gross: "5921.07",
    fee: "296.0535",
    net: "5625.0165",
    device_hours: "4120.25",
    nodes: nodes.map((one, index) => ({
      node_id: one.id,
      name: one.name,
      gross: decimal(3000 - index * 900, 2),
      net: decimal(2850 - index * 855, 2),
      device_hours: decimal(2100 - index * 500, 2),
    })),
    days: list,
  };
}

export const alerts = [
  {
    id: id("alert"),
    pool_id: POOLS[0].id,
    code: "node_lost",
    severity: "warning",
    message: "attic-1 has not reported for 11 minutes; two rentals were ended and refunded.",
    raised_at: time(now() - 11 * 60_000),
    resolved_at: null,
  },
  {
    id: id("alert"),
    pool_id: null,
    code: "clarabel_fallback",
    severity: "info",
    message: "The interior point did not certify round 18,231; Clarabel solved it.",
    raised_at: time(now() - 3 * HOUR),
    resolved_at: time(now() - 2 * HOUR),
  },
];

const INVARIANTS = [
  ["debits equal credits", "48,210 transfers sum to zero"],
  ["wallets equal the sum of their entries", "312 wallets"],
  ["holds never exceed balances", "104 live holds"],
  ["no running rental without a hold", "41 rentals"],
  ["no device second billed twice", "1,904,221 seconds checked"],
  ["tenant debit equals provider payable and fees", "to the micro-unit"],
];
const LOOPS = ["round", "expiry", "liveness", "metering", "settlement", "reconcile", "outbox"];

export const overview = () => ({
  organisations: 37,
  users: 112,
  invariants: INVARIANTS.map(([name, detail]) => ({ name, holds: true, detail })),
  alerts_open: alerts.filter((one) => !one.resolved_at).length,
  loops: LOOPS.map((name, index) => ({
    name,
    last_run_at: time(now() - index * 700),
    last_error: name === "reconcile" ? "adapter agent: 1 node did not answer in 5 s" : null,
  })),
});

export const organisations = [ORGANISATION, SECOND].map((one) => ({ ...one, available: "486.2153", held: "41.2" }));
