// What can be done to an object. The server lists the actions that are valid now; this says how each is offered.

export interface ActionLook {
  label: string;
  /** What a person must agree to first; null when it is harmless. */
  confirm: { title: string; text: string; button: string } | null;
  dangerous: boolean;
}

export const ACTIONS: Record<string, ActionLook> = {
  stop: {
    label: "Stop",
    dangerous: false,
    confirm: {
      title: "Stop this rental?",
      text: "The workload stops and compute is no longer billed. The devices may go to others before you start again.",
      button: "Stop",
    },
  },
  start: { label: "Start", dangerous: false, confirm: null },
  end: {
    label: "End",
    dangerous: true,
    confirm: {
      title: "End this rental?",
      text: "The devices are released, what is on the node is wiped, and the last bill line is written. This cannot be undone.",
      button: "End rental",
    },
  },
  cancel: {
    label: "Cancel",
    dangerous: true,
    confirm: {
      title: "Cancel it?",
      text: "It leaves the market, a rental it holds ends, and what is left of its hold returns to your wallet.",
      button: "Cancel it",
    },
  },
  drain: {
    label: "Drain",
    dangerous: false,
    confirm: {
      title: "Drain this node?",
      text: "Its devices are no longer offered. Running rentals go on until they end.",
      button: "Drain",
    },
  },
  resume: { label: "Resume", dangerous: false, confirm: null },
};
