// The states of nodes and devices, and how grave an alert is.

import type { Alert, Node } from "@/api/types";
import type { StateLook } from "./tone";

export const NODE_STATES: Record<Node["state"], StateLook> = {
  enrolling: { label: "Enrolling", tone: "busy", means: "Its agent has reported for the first time." },
  verifying: { label: "Verifying", tone: "busy", means: "Its devices are being benchmarked." },
  ready: { label: "Ready", tone: "good", means: "Its free devices are on offer." },
  draining: { label: "Draining", tone: "warn", means: "No new rentals; it empties as the running ones end." },
  lost: { label: "Lost", tone: "bad", means: "No heartbeat; nothing of it is on offer." },
  quarantined: { label: "Quarantined", tone: "bad", means: "Held back until its faults are explained." },
  retired: { label: "Retired", tone: "idle", means: "Gone for good." },
};

export const DEVICE_STATES: Record<string, StateLook> = {
  free: { label: "Free", tone: "idle", means: "On offer." },
  leased: { label: "Leased", tone: "good", means: "Earning." },
  repartitioning: { label: "Repartitioning", tone: "busy", means: "Its slices are being changed." },
  draining: { label: "Draining", tone: "warn", means: "Not offered any more." },
  faulty: { label: "Faulty", tone: "bad", means: "Not offered until it is repaired." },
};

export const SEVERITIES: Record<Alert["severity"], StateLook> = {
  info: { label: "Info", tone: "idle", means: "" },
  warning: { label: "Warning", tone: "warn", means: "" },
  critical: { label: "Critical", tone: "bad", means: "" },
};
