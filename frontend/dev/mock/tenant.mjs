// One organisation's bids, jobs, rentals and wallet, moving on their own.

import { between, chance, decimal, hex, HOUR, id, MINUTE, now, pick, time } from "./ids.mjs";
import { CLASSES, classOf, matchesGpu, OFFERS, parseGpu, POOLS, priceNow } from "./market.mjs";
import { publish } from "./events.mjs";

export const ORGANISATION = {
  id: id("org"),
  name: "Bab Labs",
  currency: "USD",
  created_at: time(now() - 90 * 24 * HOUR),
};
export const SECOND = { id: id("org"), name: "Rif Vision", currency: "USD", created_at: time(now() - 20 * 24 * HOUR) };
export const USER = { id: id("user"), email: "amina@bablabs.example", display_name: "Amina Idrissi", operator: true };

export const tell = (kind, subject) => publish("organisation", kind, subject);

const explanation = (subject, code, sentence, numbers) => ({
  subject,
  round_number: POOLS[0].number,
  code,
  sentence,
  numbers,
  explained_at: time(now() - 9000),
});
const perHour = "USD per GPU-hour";

export const rentals = [];
export const bids = [];
export const jobs = [];

const node = (name) => ({ node_id: id("node"), node_name: name, provider: OFFERS[0].provider });

function rental(fields) {
  const one = classOf(fields.class_id);
  const made = {
    id: id("rnt"),
    kind: "on_demand",
    origin_id: id("ask"),
    pool_id: POOLS[0].id,
    ...node("atlas-07"),
    model: one.model,
    gang: 1,
    state: "running",
    reason: null,
    billing_class: "compute",
    price_per_gpu_hour: "1",
    currency: "USD",
    charged: 0,
    hold: "5",
    runway_seconds: null,
    notice_until: null,
    command: null,
    shell: true,
    created: now() - 3 * HOUR,
    state_at: time(now() - 3 * HOUR + 40_000),
    usable_at: time(now() - 3 * HOUR + 40_000),
    ended_at: null,
    version: 4,
    ...fields,
  };
  made.devices ??= Array.from({ length: made.gang }, (_, slot) => ({
    id: id("dev"),
    uuid: `GPU-${hex(8)}-${hex(4)}-${hex(4)}-${hex(12)}`,
    slot,
  }));
  rentals.unshift(made);
  return made;
}

rental({
  class_id: CLASSES[4].id,
  gang: 1,
  price_per_gpu_hour: "0.58",
  state: "ended",
  reason: "tenant",
  billing_class: "free",
  charged: 1.740161,
  hold: "0",
  ended_at: time(now() - 20 * HOUR),
  created: now() - 23 * HOUR,
  usable_at: time(now() - 23 * HOUR + 32_000),
  state_at: time(now() - 20 * HOUR),
  node_name: "rif-02",
});
rental({
  class_id: CLASSES[1].id,
  gang: 4,
  kind: "bid",
  price_per_gpu_hour: "1.31",
  state: "ended",
  reason: "preempted",
  billing_class: "free",
  charged: 7.4236,
  hold: "0",
  ended_at: time(now() - 6 * HOUR),
  created: now() - 7.5 * HOUR,
  usable_at: time(now() - 7.4 * HOUR),
  state_at: time(now() - 6 * HOUR),
});
rental({
  class_id: CLASSES[0].id,
  gang: 8,
  price_per_gpu_hour: "3.36",
  charged: 78.144,
  hold: "26.88",
  command: "torchrun --nproc-per-node 8 train.py --config base.yaml",
  runway_seconds: 61_200,
  node_name: "atlas-01",
});
rental({
  class_id: CLASSES[1].id,
  gang: 2,
  kind: "bid",
  price_per_gpu_hour: "1.2534",
  charged: 2.9102,
  hold: "3.2",
  created: now() - 70 * MINUTE,
  usable_at: time(now() - 69 * MINUTE),
  state_at: time(now() - 69 * MINUTE),
});
rental({
  class_id: CLASSES[3].id,
  gang: 1,
  price_per_gpu_hour: "1.18",
  state: "stopped",
  billing_class: "storage_only",
  charged: 4.02,
  hold: "0.4",
  state_at: time(now() - 30 * MINUTE),
  node_name: "physics-3",
});
rental({
  class_id: CLASSES[2].id,
  gang: 1,
  price_per_gpu_hour: "0.33",
  state: "pulling",
  billing_class: "free",
  charged: 0,
  hold: "0.33",
  created: now() - 25_000,
  usable_at: null,
  state_at: time(now() - 8_000),
  node_name: "physics-1",
});

const ACTIONS = { running: ["stop", "end"], notice: ["end"], stopped: ["start", "end"], ended: [], stopping: [] };
const steps = ["pending", "provisioning", "pulling", "starting", "running"];

export function viewRental({ created, charged, ...rest }) {
  const billed = rest.billing_class === "compute";
  const per = billed ? Number(rest.price_per_gpu_hour) * rest.gang : rest.billing_class === "storage_only" ? 0.012 : 0;
  return {
    ...rest,
    price_per_hour: decimal(per),
    charged: decimal(charged),
    created_at: time(created),
    actions: ACTIONS[rest.state] ?? ["end"],
  };
}

export function act(one, action) {
  const next = { stop: "stopped", start: "running", end: "ended" }[action];
  Object.assign(one, {
    state: next,
    state_at: time(now()),
    billing_class: { stopped: "storage_only", running: "compute", ended: "free" }[next],
    version: one.version + 1,
  });
  if (next === "ended") Object.assign(one, { ended_at: time(now()), reason: "tenant", hold: "0", notice_until: null });
  tell(`rental.${next}`, one.id);
}

export function usage(one) {
  const lines = [];
  const cost = Number(one.price_per_gpu_hour) * one.gang;
  let left = one.charged;
  let end = Date.parse(one.ended_at ?? time(now()));
  while (left > 1e-9 && lines.length < 12) {
    const amount = Math.min(left, cost * between(0.24, 0.26));
    const milliseconds = Math.round((amount / cost) * HOUR);
    lines.push({
      id: id("usage"),
      rental_id: one.id,
      class_id: one.class_id,
      devices: one.gang,
      price_per_gpu_hour: one.price_per_gpu_hour,
      starts_at: time(end - milliseconds),
      ends_at: time(end),
      milliseconds,
      amount: decimal(amount),
      currency: "USD",
      transfer_id: id("xfer"),
    });
    end -= milliseconds;
    left -= amount;
  }
  return lines;
}

function bid(fields) {
  const made = {
    id: id("bid"),
    pool_id: POOLS[0].id,
    gang: 1,
    currency: "USD",
    reenter: true,
    command: null,
    state: "open",
    rental_id: null,
    hold: "2",
    explanation: null,
    ends_at: null,
    closed_at: null,
    version: 2,
    created: now() - HOUR,
    ...fields,
  };
  bids.unshift(made);
  return made;
}

bid({
  gpu: "RTX4090:4",
  class_ids: [CLASSES[4].id],
  gang: 4,
  limit_per_gpu_hour: "0.28",
  state: "cancelled",
  hold: "0",
  closed_at: time(now() - 26 * HOUR),
  created: now() - 30 * HOUR,
});
bid({
  gpu: "A100:80GB:2",
  class_ids: [CLASSES[1].id],
  gang: 2,
  limit_per_gpu_hour: "1.60",
  state: "allocated",
  rental_id: rentals.find((one) => one.kind === "bid" && !one.ended_at).id,
  hold: "3.2",
});
const losing = bid({
  gpu: "H100:80GB:4",
  class_ids: [CLASSES[0].id],
  gang: 4,
  limit_per_gpu_hour: "1.90",
  hold: "7.6",
  created: now() - 12 * MINUTE,
  command: "python sweep.py",
});
losing.explanation = explanation(
  losing.id,
  "outbid",
  "Outbid: H100 80 GB cleared at $2.12 per GPU-hour, your limit is $1.90. A limit of $2.13 would have won this round.",
  [
    { name: "price", value: "2.12", unit: perHour },
    { name: "your limit", value: "1.90", unit: perHour },
    { name: "winning limit", value: "2.13", unit: perHour },
    { name: "devices asked", value: "4", unit: "devices" },
  ],
);
bids[1].explanation = explanation(
  bids[1].id,
  "granted_market",
  "Granted: your limit of $1.60 is above the round's price of $1.2534, which is what you pay.",
  [
    { name: "price", value: "1.2534", unit: perHour },
    { name: "your limit", value: "1.60", unit: perHour },
  ],
);

export function viewBid({ created, ...rest }) {
  const target = POOLS.find((one) => one.id === rest.pool_id);
  const market_prices = rest.class_ids.map((class_id) => ({
    class_id,
    price_per_gpu_hour: decimal(priceNow(target, class_id) ?? 0, 4),
  }));
  return { ...rest, market_prices, created_at: time(created), actions: rest.closed_at ? [] : ["cancel"] };
}

export function dryRun(body) {
  const asked = parseGpu(body.gpu ?? "");
  if (asked.error) return { problem: [422, "gpu_request_malformed", asked.error, "gpu"] };
  const target = POOLS.find((one) => one.id === body.pool_id) ?? POOLS[0];
  const fitting = target.classes
    .map((entry) => entry.class)
    .filter((one) => matchesGpu(asked, one.model, one.memory_mib, one.mig_profile));
  if (fitting.length === 0)
    return {
      problem: [
        422,
        "gpu_request_unknown",
        "No class of this pool matches the request. Try a model that the market lists.",
        "gpu",
      ],
    };
  const limit = Number(body.limit_per_gpu_hour);
  if (limit > 50)
    return {
      problem: [
        422,
        "bid_limit_above_cap",
        "The limit is above this pool's cap of $50.00 per GPU-hour.",
        "limit_per_gpu_hour",
      ],
    };
  const [best] = fitting.sort((a, b) => priceNow(target, a.id) - priceNow(target, b.id));
  const price = priceNow(target, best.id);
  const wins = limit >= price;
  return {
    fitting,
    asked,
    target,
    view: {
      would_win: wins,
      class_id: best.id,
      price_per_gpu_hour: decimal(price, 4),
      winning_limit_per_gpu_hour: decimal(price + 0.01, 4),
      code: wins ? "granted_market" : "outbid",
      sentence: wins
        ? `Your limit is above the price: you would pay $${decimal(price, 4)} per GPU-hour.`
        : `The price is $${decimal(price, 4)}; a limit of $${decimal(price + 0.01, 4)} would win.`,
      hold: decimal(limit * asked.least),
      total_per_hour_max: decimal(limit * asked.least),
      currency: "USD",
      round_number: target.number,
    },
  };
}

export function placeBid(body) {
  const tried = dryRun(body);
  if (tried.problem) return tried;
  const made = bid({
    pool_id: tried.target.id,
    gpu: body.gpu,
    class_ids: tried.fitting.map((one) => one.id),
    gang: tried.asked.least,
    limit_per_gpu_hour: body.limit_per_gpu_hour,
    hold: tried.view.hold,
    command: body.command ?? null,
    ends_at: body.ends_at ?? null,
    reenter: body.reenter ?? true,
    created: now(),
  });
  tell("bid.opened", made.id);
  setTimeout(() => {
    if (!tried.view.would_win || made.closed_at) return;
    const leased = rental({
      class_id: tried.view.class_id,
      gang: made.gang,
      kind: "bid",
      origin_id: made.id,
      price_per_gpu_hour: tried.view.price_per_gpu_hour,
      state: "pending",
      billing_class: "free",
      created: now(),
      state_at: time(now()),
      usable_at: null,
      command: made.command,
    });
    Object.assign(made, {
      state: "allocated",
      rental_id: leased.id,
      explanation: explanation(made.id, "granted_market", tried.view.sentence, []),
    });
    tell("bid.allocated", made.id);
  }, 6000);
  return { view: viewBid(made) };
}

export function rent(body) {
  const offer = OFFERS.find((one) => one.ask_id === body.ask_id);
  const made = rental({
    class_id: offer.class_id,
    gang: body.devices,
    price_per_gpu_hour: offer.price_per_gpu_hour,
    provider: offer.provider,
    node_id: offer.node_id,
    node_name: "atlas-11",
    state: "pending",
    billing_class: "free",
    created: now(),
    state_at: time(now()),
    usable_at: null,
    command: body.command ?? null,
  });
  tell("rental.pending", made.id);
  return viewRental(made);
}

function job(fields) {
  const made = {
    id: id("job"),
    pool_id: POOLS[0].id,
    gpu: "H100,A100:80GB:4",
    class_ids: [CLASSES[0].id, CLASSES[1].id],
    gang: 4,
    profile_id: null,
    unit: "gpu_hours",
    weight: "1",
    state: "running",
    rental_id: null,
    currency: "USD",
    command: null,
    explanation: null,
    closed_at: null,
    version: 5,
    rho: "0.93",
    lag_seconds: "-12.4",
    created: now() - 5 * HOUR,
    ...fields,
  };
  jobs.unshift(made);
  return made;
}

job({
  name: "tokenizer-ablation",
  work: 24,
  done: 24,
  reference: 22.1,
  budget: "40",
  spent: 19.32,
  state: "completed",
  closed_at: time(now() - 2 * HOUR),
  rho: "0.91",
  lag_seconds: "0",
  gang: 2,
});
job({ name: "llama-finetune", work: 120, done: 51.3, reference: 48.2, budget: "180", spent: 63.204 });
job({
  name: "eval-sweep",
  work: 16,
  done: 2.1,
  reference: 2.9,
  budget: "25",
  spent: 2.31,
  state: "queued",
  rho: "1.02",
  lag_seconds: "168.5",
  gang: 1,
  gpu: "A100:80GB:1",
  class_ids: [CLASSES[1].id],
  created: now() - HOUR,
});
jobs[0].explanation = explanation(
  jobs[0].id,
  "min_run_protected",
  "It is owed 168 s; the devices it could use are inside their minimum run time for another 2 min.",
  [
    { name: "lag", value: "168.5", unit: "s" },
    { name: "entitled share", value: "0.071", unit: "of the pool" },
  ],
);
jobs[1].explanation = explanation(
  jobs[1].id,
  "granted_entitled",
  "Served from its fair share on A100 80 GB at the entitlement price of $0.61.",
  [{ name: "entitled share", value: "0.071", unit: "of the pool" }],
);

export function viewJob({ created, done, reference, spent, work, ...rest }) {
  return {
    ...rest,
    work: decimal(work),
    done: decimal(done, 3),
    reference_done: decimal(reference, 3),
    progress: decimal(Math.min(1, done / work), 4),
    spent: decimal(spent),
    created_at: time(created),
    actions: rest.closed_at ? [] : ["cancel"],
  };
}

export function submitJob(body) {
  const tried = dryRun({ ...body, limit_per_gpu_hour: "1" });
  if (tried.problem) return tried;
  const made = job({
    name: body.name,
    gpu: body.gpu,
    class_ids: tried.fitting.map((one) => one.id),
    gang: tried.asked.least,
    work: Number(body.work),
    done: 0,
    reference: 0,
    weight: body.weight ?? "1",
    budget: body.budget,
    spent: 0,
    state: "queued",
    rho: null,
    lag_seconds: "0",
    created: now(),
    command: body.command ?? null,
  });
  tell("job.queued", made.id);
  return { view: viewJob(made) };
}

export const ownFairness = () =>
  jobs
    .filter((one) => !one.closed_at && one.rho !== null)
    .map((one) => ({
      demand: one.id,
      name: one.name,
      weight: one.weight,
      gang: one.gang,
      progress: decimal(one.done / one.work, 4),
      rho: one.rho,
      rho_denominator: "demand_aware",
      lag_seconds: one.lag_seconds,
      entitled_share: "0.0714",
      entitled: true,
    }));

export const wallet = { available: 486.2153, credits: 0 };

export const viewWallet = () => {
  const burn = rentals
    .filter((one) => one.billing_class === "compute")
    .reduce((sum, one) => sum + Number(one.price_per_gpu_hour) * one.gang, 0);
  const held = [...rentals, ...bids]
    .filter((one) => !one.ended_at && !one.closed_at)
    .reduce((sum, one) => sum + Number(one.hold), 0);
  return {
    currency: "USD",
    available: decimal(wallet.available),
    held: decimal(held),
    burn_per_hour: decimal(burn),
    runway_seconds: burn > 0 ? Math.floor((wallet.available / burn) * 3600) : null,
    warning: wallet.available / burn < 24 ? "24h" : null,
    version: Math.floor(now() / 1000),
  };
};

export const entries = Array.from({ length: 34 }, (_, index) => {
  const kind = index === 33 ? "credit" : pick(["usage", "usage", "usage", "hold", "release", "refund"]);
  const amount = {
    credit: 600,
    usage: -between(0.2, 6.8),
    hold: -between(1, 27),
    release: between(1, 9),
    refund: between(0.1, 0.9),
  }[kind];
  return {
    transfer_id: id("xfer"),
    kind,
    account: pick(["available", "held"]),
    amount: decimal(amount),
    currency: "USD",
    subject: kind === "credit" ? null : pick(rentals).id,
    reason:
      kind === "refund" ? "node_lost: charged to the last good heartbeat" : kind === "credit" ? "welcome credit" : null,
    created_at: time(now() - index * 17 * MINUTE),
  };
});

export const viewHolds = () =>
  [...rentals, ...bids]
    .filter((one) => !one.ended_at && !one.closed_at && Number(one.hold) > 0)
    .map((one) => ({
      id: `hold_${one.id.split("_")[1]}`,
      subject: one.id,
      remaining: one.hold,
      currency: "USD",
      created_at: time(one.created),
    }));

export function run() {
  setInterval(() => {
    for (const one of rentals) {
      if (one.billing_class === "compute") {
        const second = (Number(one.price_per_gpu_hour) * one.gang) / 3600;
        one.charged += second;
        wallet.available -= second;
      }
      const at = steps.indexOf(one.state);
      if (at >= 0 && at < 4 && now() - Date.parse(one.state_at) > 4000 && chance() > 0.6) {
        Object.assign(one, { state: steps[at + 1], state_at: time(now()) });
        if (one.state === "running") Object.assign(one, { usable_at: time(now()), billing_class: "compute" });
        tell(`rental.${one.state}`, one.id);
      }
    }
    for (const one of jobs) {
      if (one.state !== "running") continue;
      one.done = Math.min(one.work, one.done + 0.0011);
      one.reference += 0.001;
      one.spent += 0.0007;
    }
  }, 1000);
}
