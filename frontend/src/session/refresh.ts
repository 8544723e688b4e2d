// Rotates the refresh token. The server treats a second use of an old one as theft and ends the session, so
// there is never more than one rotation under way: one promise inside a tab, one lock across tabs.

import type { Session } from "@/api/types";
import { asProblem, type Problem, problemFrom } from "@/api/problem";
import { session, setSession } from "./session";
import { forgetTokens, refreshToken, storeTokens } from "./tokens";

const LOCK = "souk.refresh";
/** The server saw the same token twice within seconds: somewhere else the new one is already stored, or about to be. */
const RACED = "refresh_raced";

let underway: Promise<Session | null> | null = null;

/**
 * The renewed session, or null when there is none to renew (any more). Throws when souk cannot be reached.
 * Each tab stays with its organisation, whatever another tab has switched to meanwhile.
 */
export function refresh(): Promise<Session | null> {
  underway ??= alone(renew).finally(() => {
    underway = null;
  });
  return underway;
}

/** The same, into another organisation of this user. */
export async function switchOrganisation(organisationId: string): Promise<Session | null> {
  await underway?.catch(() => null);
  underway = alone(() => rotate(organisationId)).finally(() => {
    underway = null;
  });
  return underway;
}

async function renew(): Promise<Session | null> {
  const organisation = session()?.organisation.id;
  if (organisation === undefined) return rotate();
  try {
    return await rotate(organisation);
  } catch (error) {
    // No longer a member there: the session goes on with whatever organisation the server chooses.
    if (asProblem(error).definite) return rotate();
    throw error;
  }
}

async function alone<T>(work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? await navigator.locks.request(LOCK, work) : await work();
}

async function rotate(organisationId?: string): Promise<Session | null> {
  // Read inside the lock: another tab may have rotated while this one waited.
  const token = refreshToken();
  if (token === null) {
    end();
    return null;
  }
  const response = await fetch("/v1/auth/refresh", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ refresh_token: token, organisation_id: organisationId }),
  }).catch((error: unknown) => {
    throw asProblem(error);
  });
  if (response.ok) {
    const renewed = (await response.json()) as Session;
    storeTokens(renewed);
    setSession(renewed);
    return renewed;
  }
  const problem: Problem = problemFrom(response, await response.json().catch(() => null));
  if (problem.code === RACED && refreshToken() !== token) return rotate(organisationId);
  if (!problem.definite) throw problem;
  if (organisationId !== undefined && problem.status !== 401) throw problem;
  end();
  return null;
}

function end(): void {
  forgetTokens();
  setSession(null);
}
