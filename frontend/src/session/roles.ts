// What each role may do, as docs/API-DESIGN.md lists it. The server decides; this only hides what it would refuse.

import type { Role } from "@/api/types";

const CAPABILITIES = {
  viewer: ["read"],
  billing: ["read", "money"],
  member: ["read", "demand"],
  admin: ["read", "money", "demand", "supply", "people"],
  owner: ["read", "money", "demand", "supply", "people", "owners"],
} as const satisfies Record<Role, readonly string[]>;

export type Capability = (typeof CAPABILITIES)["owner"][number];

export function may(role: Role | undefined, capability: Capability): boolean {
  return role !== undefined && (CAPABILITIES[role] as readonly string[]).includes(capability);
}

export const ROLES: { value: Role; label: string; means: string }[] = [
  { value: "viewer", label: "Viewer", means: "reads everything but money" },
  { value: "billing", label: "Billing", means: "viewer, and wallet, usage and holds" },
  { value: "member", label: "Member", means: "viewer, and bids, jobs, rentals, shells and SSH keys" },
  { value: "admin", label: "Admin", means: "member and billing, and API keys, providers, nodes, asks and members" },
  { value: "owner", label: "Owner", means: "admin, and makes and unmakes owners" },
];
