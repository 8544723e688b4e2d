// Who is signed in, as one small store that components and routes read.

import { useSyncExternalStore } from "react";
import type { Organisation, Role, Session, User } from "@/api/types";

export interface SignedIn {
  user: User;
  organisation: Organisation;
  role: Role;
}

let current: SignedIn | null = null;
const listeners = new Set<() => void>();

export function session(): SignedIn | null {
  return current;
}

export function setSession(next: Session | null): void {
  const unchanged =
    next !== null &&
    current !== null &&
    next.user.id === current.user.id &&
    next.organisation.id === current.organisation.id &&
    next.role === current.role;
  if (unchanged || (next === null && current === null)) return;
  current = next && { user: next.user, organisation: next.organisation, role: next.role };
  for (const listener of listeners) listener();
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): SignedIn | null {
  return useSyncExternalStore(onSessionChange, session);
}
