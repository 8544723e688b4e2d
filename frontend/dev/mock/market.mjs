// Two pools with five classes, a week of prices behind them, and rounds that go on clearing.

import { between, chance, decimal, hex, HOUR, id, MINUTE, now, pick, time } from "./ids.mjs";
import { publish } from "./events.mjs";

export const CLASSES = [
  { id: id("class"), vendor: "nvidia", model: "H100", memory_mib: 81920, mig_profile: null, base: 2.1, floor: 1.05 },
  { id: id("class"), vendor: "nvidia", model: "A100", memory_mib: 81920, mig_profile: null, base: 1.22, floor: 0.61 },
  {
    id: id("class"),
    vendor: "nvidia",
    model: "A100",
    memory_mib: 10240,
    mig_profile: "1g.10gb",
    base: 0.21,
    floor: 0.09,
  },
  { id: id("class"), vendor: "nvidia", model: "L40S", memory_mib: 49152, mig_profile: null, base: 0.74, floor: 0.38 },
  {
    id: id("class"),
    vendor: "nvidia",
    model: "RTX 4090",
    memory_mib: 24576,
    mig_profile: null,
    base: 0.36,
    floor: 0.19,
  },
];
export const publicClass = ({ id, vendor, model, memory_mib, mig_profile }) => ({
  id,
  vendor,
  model,
  memory_mib,
  mig_profile,
});
export const classOf = (classId) => CLASSES.find((one) => one.id === classId);

const last = (entry) => entry.history.at(-1);

const PROVIDERS = [
  { id: id("prov"), name: "Atlas Compute" },
  { id: id("prov"), name: "Physics Dept., rack 4" },
  { id: id("prov"), name: "Tangier Data" },
];

function history(one, supply) {
  const points = [];
  let price = one.base;
  const end = Math.floor(now() / MINUTE) * MINUTE;
  for (let at = end - 7 * 24 * HOUR; at <= end; at += MINUTE) {
    const hour = new Date(at).getUTCHours() + new Date(at).getUTCMinutes() / 60;
    const target = one.base * (1 + 0.22 * Math.sin(((hour - 9) / 24) * 2 * Math.PI));
    price = Math.max(one.floor, price + (target - price) * 0.02 + one.base * between(-0.012, 0.012));
    points.push(point(at, price, one, supply));
  }
  return points;
}

function point(at, price, one, supply) {
  const demanded = Math.round(supply * (0.55 + 0.75 * (price / one.base - 0.6)) + between(-1, 2));
  return { at, price, supply, demanded: Math.max(0, demanded), granted: Math.min(supply, Math.max(0, demanded)) };
}

export const POOLS = [
  pool("atrium", "finish_time_fair", "0.40", 30, [64, 48, 14, 32, 96]),
  pool("campus", "max_min", "0.75", 60, [8, 24, 28, 16, 0]),
];

function pool(name, share_policy, phi, round_seconds, sizes) {
  const made = {
    id: id("pool"),
    name,
    currency: "USD",
    share_policy,
    price_rule: "uniform_price",
    round_seconds,
    notice_seconds: 120,
    min_run_seconds: 300,
    restart_seconds: 20,
    fee_bps: 500,
    phi,
    limit_cap_per_gpu_hour: "50",
    version: 3,
    nodes: 0,
    live_rentals: 41,
    open_bids: 63,
    live_jobs: 14,
    classes: [],
    rounds: [],
    number: 18_240,
    clearedAt: now() - 9_000,
    lastHash: hex(64),
  };
  for (const [index, one] of CLASSES.entries()) {
    if (sizes[index] === 0) continue;
    made.classes.push({ class: one, devices: sizes[index], history: history(one, sizes[index]) });
  }
  made.nodes = made.classes.length * 4;
  for (let back = 40; back >= 0; back--) clear(made, now() - 9_000 - back * round_seconds * 1000, true);
  return made;
}

export function clear(target, at = now(), silent = false) {
  if (!silent) {
    for (const entry of target.classes) {
      const one = entry.class;
      const price = Math.max(
        one.floor,
        last(entry).price * (1 + between(-0.018, 0.018)) + (one.base - last(entry).price) * 0.03,
      );
      entry.history.push(point(at, price, one, entry.devices));
    }
  }
  target.number += 1;
  target.clearedAt = at;
  const previous_hash = target.lastHash;
  target.lastHash = hex(64);
  const prices = target.classes.map((entry) => ({
    class_id: entry.class.id,
    price_per_gpu_hour: decimal(last(entry).price, 4),
  }));
  target.rounds.unshift({
    number: target.number,
    id: id("round"),
    cleared_at: time(at),
    cause: pick(["timer", "timer", "timer", "device_freed", "starved", "demand"]),
    plan_milliseconds: Math.round(between(6, 38)),
    demands: Math.round(between(70, 96)),
    granted: Math.round(between(58, 70)),
    evicted: chance() < 0.5 ? 0 : Math.round(between(1, 4)),
    prices,
    hash: target.lastHash,
    previous_hash,
  });
  target.rounds.length = Math.min(target.rounds.length, 120);
  if (!silent) {
    publish(`pool:${target.id}`, "round.cleared", target.id, { number: target.number });
    publish(`pool:${target.id}`, "price.changed", target.id, { prices });
  }
}

export function viewPool(target) {
  return {
    id: target.id,
    name: target.name,
    currency: "USD",
    share_policy: target.share_policy,
    price_rule: target.price_rule,
    round_seconds: target.round_seconds,
    notice_seconds: target.notice_seconds,
    min_run_seconds: target.min_run_seconds,
    restart_seconds: target.restart_seconds,
    fee_bps: target.fee_bps,
    phi: target.phi,
    limit_cap_per_gpu_hour: target.limit_cap_per_gpu_hour,
    last_round: { number: target.number, cleared_at: time(target.clearedAt) },
    next_round_at: time(target.clearedAt + target.round_seconds * 1000),
    classes: target.classes.map((entry) => {
      const { id: class_id, model, vendor, memory_mib, mig_profile, floor, base } = entry.class;
      const { price, granted } = last(entry);
      const before = entry.history.at(-1441)?.price ?? price;
      return {
        class_id,
        model,
        vendor,
        memory_mib,
        mig_profile,
        price_per_gpu_hour: decimal(price, 4),
        on_demand_from_per_gpu_hour: decimal(base * 1.6, 2),
        floor_from_per_gpu_hour: decimal(floor, 2),
        entitlement_price_per_gpu_hour: decimal(floor, 2),
        devices: entry.devices,
        devices_free: entry.devices - granted,
        devices_leased: granted,
        change_24h_bps: Math.round((price / before - 1) * 10_000),
      };
    }),
    nodes: target.nodes,
    devices: target.classes.reduce((sum, entry) => sum + entry.devices, 0),
    live_rentals: target.live_rentals,
    open_bids: target.open_bids,
    live_jobs: target.live_jobs,
    version: target.version,
  };
}

export function viewPrices(target, classId, from, step) {
  const entry = target.classes.find((one) => one.class.id === classId) ?? target.classes[0];
  const buckets = new Map();
  for (const one of entry.history) {
    if (one.at < from) continue;
    const key = Math.floor(one.at / (step * 1000)) * step * 1000;
    buckets.set(key, [...(buckets.get(key) ?? []), one]);
  }
  const points = [...buckets].map(([at, list]) => {
    const prices = list.map((one) => one.price);
    const sorted = [...prices].sort((a, b) => a - b);
    const quantile = (q) => decimal(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))], 4);
    const mean = (field) => Math.round(list.reduce((sum, one) => sum + one[field], 0) / list.length);
    return {
      at: time(at),
      open: decimal(prices[0], 4),
      close: decimal(prices.at(-1), 4),
      high: decimal(sorted.at(-1), 4),
      low: decimal(sorted[0], 4),
      p10: quantile(0.1),
      p50: quantile(0.5),
      p90: quantile(0.9),
      supply_devices: mean("supply"),
      granted_devices: mean("granted"),
      demanded_devices: mean("demanded"),
      rounds: list.length,
    };
  });
  return { class_id: entry.class.id, currency: "USD", step_seconds: step, points };
}

export function viewDepth(target, classId) {
  const entry = target.classes.find((one) => one.class.id === classId) ?? target.classes[0];
  const { price } = last(entry);
  const { base, floor } = entry.class;
  const steps = (count, at, devices) => {
    let cumulative = 0;
    return Array.from({ length: count }, (_, index) => {
      const n = devices(index);
      cumulative += n;
      return { at: decimal(at(index), 4), devices: n, cumulative_devices: cumulative };
    });
  };
  const unit = Math.max(1, Math.round(entry.devices / 14));
  return {
    class_id: entry.class.id,
    currency: "USD",
    round_number: target.number,
    price_per_gpu_hour: decimal(price, 4),
    bids: steps(
      16,
      (index) => base * 1.9 * 0.93 ** index,
      (index) => unit * (1 + (index % 3)),
    ).map(({ at, ...rest }) => ({ limit_per_gpu_hour: at, ...rest })),
    asks: steps(
      8,
      (index) => floor * (1 + index * 0.16),
      (index) => unit * (1 + ((index + 1) % 3)),
    ).map(({ at, ...rest }) => ({ floor_per_gpu_hour: at, ...rest })),
  };
}

export function viewRound(target, number) {
  const summary = target.rounds.find((one) => one.number === number);
  if (summary === undefined) return null;
  const demand = (kind = "bid") => `${kind}_${Math.round(between(1, 90)).toString(16).padStart(32, "0")}`;
  const explanations = [
    ["granted_market", "Granted: the limit of $2.40 is at or above the round's price of $2.12."],
    ["outbid", "Outbid: the price is $2.12, your limit $1.90; a limit of $2.13 would have won."],
    ["gang_does_not_fit", "A gang of 8 does not fit: the largest free block has 4 devices."],
    ["granted_entitled", "Served from its fair share: it was owed 42 s."],
  ].map(([code, sentence]) => ({
    subject: demand(),
    round_number: number,
    code,
    sentence,
    explained_at: summary.cleared_at,
    numbers: [
      { name: "price", value: "2.12", unit: "USD per GPU-hour" },
      { name: "limit", value: "2.40", unit: "USD per GPU-hour" },
    ],
  }));
  return {
    ...summary,
    seed: hex(16),
    plan_hash: hex(64),
    classes: target.classes.map((entry) => ({
      class_id: entry.class.id,
      price_per_gpu_hour: summary.prices.find((one) => one.class_id === entry.class.id).price_per_gpu_hour,
      supply_devices: entry.devices,
      granted_devices: last(entry).granted,
      demanded_devices: last(entry).demanded,
    })),
    outcomes: [
      { code: "granted_entitled", count: 19 },
      { code: "granted_market", count: 31 },
      { code: "granted_on_demand", count: 12 },
      { code: "outbid", count: 14 },
      { code: "gang_does_not_fit", count: 3 },
      { code: "min_run_protected", count: 2 },
    ],
    grants: Array.from({ length: 14 }, () => {
      const entry = pick(target.classes);
      return {
        demand: demand(),
        kind: pick(["bid", "bid", "job", "on_demand"]),
        class_id: entry.class.id,
        devices: pick([1, 1, 2, 4, 8]),
        price_per_gpu_hour: decimal(last(entry).price, 4),
        why: pick(["market", "entitled", "on_demand"]),
      };
    }),
    evictions: Array.from({ length: summary.evicted }, () => ({ demand: demand(), because: "outbid" })),
    dropped: [],
    own: [],
    explanations,
  };
}

const JOBS = Array.from({ length: 14 }, (_, index) => ({
  demand: `job_${(index + 1).toString(16).padStart(32, "0")}`,
  name: null,
  weight: pick(["1", "1", "1", "2"]),
  gang: pick([1, 2, 4, 8]),
  start: between(0.05, 0.9),
  rho: between(0.72, 1.03),
  index,
}));

export function viewFairness(target, own) {
  const drift = (job) => 0.03 * Math.sin(now() / 40_000 + job.index);
  const jobs = JOBS.map((job) => {
    const rho = job.rho + drift(job);
    return {
      demand: job.demand,
      name: job.name,
      weight: job.weight,
      gang: job.gang,
      progress: decimal(job.start, 4),
      rho: rho.toFixed(4),
      entitled: true,
      rho_denominator: "demand_aware",
      lag_seconds: ((rho - 0.95) * 320).toFixed(1),
      entitled_share: (1 / 14).toFixed(4),
    };
  });
  return { round_number: target.number, policy: target.share_policy, jobs: [...own, ...jobs] };
}

const NODE_COUNT = 22;
export const OFFERS = Array.from({ length: NODE_COUNT }, (_, index) => {
  const one = CLASSES[index % CLASSES.length];
  const total = one.mig_profile ? 7 : pick([4, 8, 8]);
  const free = Math.floor(chance() * (total + 1));
  const price = one.base * between(1.45, 1.9);
  return {
    id: id("offer"),
    ask_id: id("ask"),
    pool_id: POOLS[index % 4 === 3 && one.model !== "RTX 4090" ? 1 : 0].id,
    node_id: id("node"),
    provider: pick(PROVIDERS),
    class_id: one.id,
    model: one.model,
    vendor: one.vendor,
    vram_mib: one.memory_mib,
    mig_profile: one.mig_profile,
    region: pick(["eu-west", "eu-north", "ma-rabat", "us-east"]),
    currency: "USD",
    price_per_gpu_hour: decimal(price, 2),
    floor_per_gpu_hour: decimal(one.floor, 2),
    market_price_per_gpu_hour: null,
    min_chunk: pick([1, 1, 1, 2]),
    devices_total: total,
    devices_free: free,
    devices_preemptible: Math.floor((total - free) / 2),
    largest_block: free,
    reliability: Number(between(0.962, 0.9999).toFixed(4)),
    verified: chance() > 0.15,
    nvlink: one.model !== "RTX 4090" && chance() > 0.3,
    inet_down_mbps: pick([1000, 2500, 10000, 25000]),
    driver: "570.86",
    cuda_max: "12.8",
    ends_at: chance() > 0.8 ? time(now() + 30 * 24 * HOUR) : null,
  };
});

export function viewOffers(query) {
  const filters = [];
  let items = OFFERS.map((offer) => {
    const entry = POOLS.find((one) => one.id === offer.pool_id).classes.find((one) => one.class.id === offer.class_id);
    return { ...offer, market_price_per_gpu_hour: entry ? decimal(last(entry).price, 4) : null };
  });
  const pool = query.get("pool");
  if (pool) items = items.filter((offer) => offer.pool_id === pool);
  const gpu = query.get("gpu");
  if (gpu) {
    const asked = parseGpu(gpu);
    for (const [field, op, value] of asked.filters) filters.push({ field, op, value, source: "gpu" });
    items = items.filter(
      (offer) =>
        matchesGpu(asked, offer.model, offer.vram_mib, offer.mig_profile) && offer.largest_block >= asked.least,
    );
  }
  for (const filter of query.getAll("filter")) {
    const [field, op, ...rest] = filter.split(/\s+/);
    const value = rest.join(" ");
    filters.push({ field, op, value, source: "query" });
    items = items.filter((offer) => compare(String(offer[field]), op, value));
  }
  const order = query.get("order") ?? "price_per_gpu_hour";
  const field = order.replace("-", "");
  items.sort((a, b) => (Number(a[field]) - Number(b[field])) * (order.startsWith("-") ? -1 : 1));
  return { items, next_cursor: null, filters };
}

function compare(have, op, want) {
  const [a, b] = [Number(have), Number(want)];
  return (
    {
      eq: have === want,
      neq: have !== want,
      gt: a > b,
      gte: a >= b,
      lt: a < b,
      lte: a <= b,
      in: want.split(",").includes(have),
    }[op] ?? true
  );
}

export function parseGpu(text) {
  const asked = { models: [], memory: null, mig: null, least: 1, filters: [] };
  for (const token of text.split(":")) {
    const memory = /^(\d+)GB(\.\.)?(\d+GB)?$/i.exec(token);
    if (/^\d+(\.\.\d*)?$/.test(token)) asked.least = Number.parseInt(token, 10);
    else if (memory)
      asked.memory = [
        Number(memory[1]) * 1024,
        memory[3] ? Number.parseInt(memory[3], 10) * 1024 : memory[2] ? Infinity : Number(memory[1]) * 1024,
      ];
    else if (/^\d+g\.\d+gb$/.test(token)) asked.mig = token;
    else if (token.toLowerCase() !== "nvidia" && /^[a-z]/i.test(token))
      asked.models = token.split(",").map((name) => name.toLowerCase());
    else if (token.toLowerCase() !== "nvidia")
      return { error: `"${token}" is neither a vendor, a model, memory with a unit, nor a count.` };
  }
  if (asked.models.length) asked.filters.push(["model", "in", asked.models.join(",")]);
  if (asked.memory) asked.filters.push(["vram_mib", "gte", String(asked.memory[0])]);
  asked.filters.push(["devices_free", "gte", String(asked.least)]);
  return asked;
}

export const matchesGpu = (asked, model, memory, mig) =>
  (asked.models.length === 0 || asked.models.includes(model.replaceAll(" ", "").toLowerCase())) &&
  (asked.mig ?? null) === (mig ?? null) &&
  (asked.memory === null || (memory >= asked.memory[0] && memory <= asked.memory[1]));

export const priceNow = (target, classId) => {
  const entry = target.classes.find((one) => one.class.id === classId);
  return entry ? last(entry).price : null;
};

export function run() {
  for (const target of POOLS) setInterval(() => clear(target), target.round_seconds * 1000);
}
