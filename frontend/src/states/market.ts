// Words for what rounds and the ledger report: outcomes, causes, policies, entries.

import type { RoundSummary, SharePolicy, Tilt } from "@/api/types";
import type { StateLook } from "./tone";

export const OUTCOMES: Record<string, StateLook> = {
  granted_entitled: {
    label: "Granted, entitled",
    tone: "good",
    means: "Served from its fair share at the entitlement price.",
  },
  granted_market: { label: "Granted, market", tone: "good", means: "Its limit met the round's price." },
  granted_on_demand: { label: "Granted, on demand", tone: "good", means: "Rented at the posted price." },
  outbid: { label: "Outbid", tone: "warn", means: "Its limit was under the round's price." },
  no_capacity: { label: "No capacity", tone: "bad", means: "No device of its classes was on offer." },
  gang_does_not_fit: {
    label: "Gang does not fit",
    tone: "bad",
    means: "No free block was large enough for the whole gang.",
  },
  over_quota: { label: "Over quota", tone: "bad", means: "The organisation already holds all it may." },
  budget_paused: { label: "Budget paused", tone: "idle", means: "No money was left to hold for this round." },
  min_run_protected: { label: "Minimum run", tone: "busy", means: "Others are inside their minimum run time." },
  awaiting_notice: { label: "Awaiting notice", tone: "busy", means: "Devices are freed when a notice ends." },
};

/** By which right a grant was made. */
export const RIGHTS: Record<string, StateLook> = {
  on_demand: { label: "On demand", tone: "good", means: "Rented at the posted price." },
  entitled: { label: "Entitled", tone: "good", means: "Served from its fair share at the entitlement price." },
  market: { label: "Market", tone: "good", means: "Its limit met the round's price." },
  idle: { label: "Idle", tone: "busy", means: "Devices that nobody else could use, at the entitlement price." },
};

/** How far what an exchange found could be proved. */
export const EXCHANGE_OUTCOMES: Record<string, StateLook> = {
  cleared: { label: "All of it", tone: "good", means: "Prices, floors and who buys." },
  without_floors: { label: "Without floors", tone: "warn", means: "No answer keeps every floor; they were left out." },
  equal_parts: { label: "Nothing", tone: "bad", means: "Jobs got equal parts of every class." },
};

export const CAUSES: Record<RoundSummary["cause"], string> = {
  timer: "on time",
  device_freed: "a device was freed",
  starved: "an entitled job was starved",
  demand: "new demand",
  operator: "asked for by an operator",
};

const SHARE_POLICY_LABELS: Record<SharePolicy, string> = {
  finish_time_fair: "Finish-time fair",
  max_min: "Max-min",
  equal_share: "Equal share",
  nash: "Nash (proportional fairness)",
  makespan: "Least makespan",
  fifo: "First in, first out",
  sjf: "Shortest job first",
  srpt: "Shortest remaining time first",
  las: "Least attained service first",
  themis_auction: "Themis auction",
  oef_cooperative: "OEF, cooperative",
  oef_noncooperative: "OEF, non-cooperative",
  exchange: "Exchange (budgets, bids and asks together)",
};

export const SHARE_POLICIES = Object.entries(SHARE_POLICY_LABELS).map(([value, label]) => ({
  value: value as SharePolicy,
  label,
}));

const TILT_LABELS: Record<Tilt, string> = {
  fair: "Fair: nobody later than on a private share",
  fast: "Fast: everybody soon, some a little late",
};

export const TILTS = Object.entries(TILT_LABELS).map(([value, label]) => ({ value: value as Tilt, label }));

/** The only policy that leans anywhere. */
export const TILTED: SharePolicy = "finish_time_fair";

/** The policy and, where it has one, its tilt, in a few words. */
export function policyInWords(pool: { share_policy: SharePolicy; tilt: Tilt }): string {
  const label = sharePolicyLabel(pool.share_policy);
  return pool.share_policy === TILTED ? `${label}, leaning to ${pool.tilt}` : label;
}

export function sharePolicyLabel(policy: SharePolicy): string {
  return SHARE_POLICY_LABELS[policy];
}
