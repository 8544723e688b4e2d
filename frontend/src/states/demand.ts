// The states of bids, jobs and rentals: what each is called, how it looks, what it means for the bill.

import type { Bid, Job, JobPromise, Rental } from "@/api/types";
import type { StateLook } from "./tone";

export const BID_STATES: Record<Bid["state"], StateLook> = {
  open: { label: "Open", tone: "busy", means: "In the book; it competes in every round." },
  allocated: { label: "Allocated", tone: "good", means: "It holds devices at the round's price." },
  notice: { label: "Notice", tone: "warn", means: "Outbid: the devices are released when the notice ends." },
  paused: { label: "Paused", tone: "idle", means: "It does not compete until its budget allows." },
  cancelled: { label: "Cancelled", tone: "idle", means: "Withdrawn by you; its hold is released." },
  expired: { label: "Expired", tone: "idle", means: "Its end time passed; its hold is released." },
  exhausted: { label: "Exhausted", tone: "bad", means: "The money held for it ran out." },
};

export const JOB_STATES: Record<Job["state"], StateLook> = {
  queued: { label: "Queued", tone: "busy", means: "It waits for its first devices." },
  running: { label: "Running", tone: "good", means: "It holds devices and makes progress." },
  preempted: { label: "Preempted", tone: "warn", means: "It gave its devices up for now and keeps its claim." },
  completed: { label: "Completed", tone: "good", means: "All of its work is done." },
  failed: { label: "Failed", tone: "bad", means: "Its command failed." },
  cancelled: { label: "Cancelled", tone: "idle", means: "Withdrawn by you." },
};

export const PROMISE_STATES: Record<JobPromise["state"], StateLook> = {
  open: { label: "Promised", tone: "busy", means: "If it is not finished by then, a part of what it paid comes back." },
  kept: { label: "Kept", tone: "good", means: "The work was done in time." },
  missed: { label: "Missed", tone: "bad", means: "The work was not done in time; a part of what it paid came back." },
  void: { label: "Over", tone: "idle", means: "The job ended before, by you, its budget or its command." },
};

export const RENTAL_STATES: Record<Rental["state"], StateLook> = {
  pending: { label: "Pending", tone: "busy", means: "Devices are reserved; the node is about to be told." },
  provisioning: { label: "Provisioning", tone: "busy", means: "The node prepares your devices." },
  pulling: { label: "Pulling", tone: "busy", means: "The image is on its way to the node." },
  starting: { label: "Starting", tone: "busy", means: "Your workload starts." },
  running: { label: "Running", tone: "good", means: "Usable, and billed per second." },
  notice: { label: "Notice", tone: "warn", means: "To be released when the notice ends; billed until then." },
  stopping: { label: "Stopping", tone: "busy", means: "Your workload is being stopped." },
  stopped: { label: "Stopped", tone: "idle", means: "No compute is billed; storage is kept." },
  ended: { label: "Ended", tone: "idle", means: "Devices are released and the bill is final." },
};

/** The way of a rental from order to use, for the timeline. */
export const RENTAL_PATH = ["pending", "provisioning", "pulling", "starting", "running"] as const;

const SIDE_STEPS: readonly string[] = ["notice", "stopping", "stopped"];

/** A step off the path between running and the end. */
export function isSideStep(state: string): boolean {
  return SIDE_STEPS.includes(state);
}

export const END_REASONS: Record<NonNullable<Rental["reason"]>, string> = {
  tenant: "ended by you",
  provider: "ended by the provider",
  preempted: "outbid in a round",
  provisioning_timeout: "the node did not become ready in time; nothing was charged",
  start_failed: "the workload did not start",
  node_lost: "the node was lost; charged to its last good heartbeat",
  device_fault: "a device failed",
  budget: "the budget was used up",
  max_duration: "the time you allowed was over",
  max_spend: "the amount you allowed was spent",
  idle: "it was idle",
  balance: "the balance ran out",
  admin: "ended by an operator",
};

export const BILLING_CLASSES: Record<Rental["billing_class"], StateLook> = {
  free: { label: "Free", tone: "idle", means: "Nothing is billed in this state." },
  compute: { label: "Compute", tone: "good", means: "Devices are billed per second." },
  storage_only: { label: "Storage only", tone: "idle", means: "Only kept storage is billed." },
};

export const RENTAL_KINDS: Record<string, string> = { on_demand: "On demand", bid: "Bid", job: "Fair share" };
