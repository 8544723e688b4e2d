// Lays bids and asks on one price axis. Every price appears with the server's text beside its place on the axis.

import type { Depth } from "@/api/types";
import { plotted } from "@/money/plot";

export interface DepthStep {
  at: number;
  price: string;
  wanted: number;
  offered: number;
}

/** Staircases: what is wanted falls just above each limit, what is offered rises at each floor. */
export function depthSteps(depth: Depth): DepthStep[] {
  const prices = new Map<number, string>();
  for (const text of [
    ...depth.bids.map((bid) => bid.limit_per_gpu_hour),
    ...depth.asks.map((ask) => ask.floor_per_gpu_hour),
  ]) {
    const at = plotted(text);
    if (at !== null) prices.set(at, text);
  }
  const steps: DepthStep[] = [];
  for (const [at, price] of [...prices].sort(([a], [b]) => a - b)) {
    const here = { at, price, wanted: wantedAt(depth, at), offered: offeredAt(depth, at) };
    const before = steps.at(-1);
    if (before !== undefined) {
      const sliver = (at - before.at) * 1e-6;
      const between = { wanted: here.wanted, offered: before.offered };
      steps.push({ ...between, at: before.at + sliver, price: before.price }, { ...between, at: at - sliver, price });
    }
    steps.push(here);
  }
  return steps;
}

function wantedAt(depth: Depth, at: number): number {
  return Math.max(
    0,
    ...depth.bids.filter((bid) => (plotted(bid.limit_per_gpu_hour) ?? 0) >= at).map((bid) => bid.cumulative_devices),
  );
}

function offeredAt(depth: Depth, at: number): number {
  return Math.max(
    0,
    ...depth.asks.filter((ask) => (plotted(ask.floor_per_gpu_hour) ?? 0) <= at).map((ask) => ask.cumulative_devices),
  );
}
