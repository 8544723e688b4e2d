// The session's beginning and end: picked up when the app opens, dropped everywhere at once when it ends.

import { answer, api } from "@/api/client";
import type { Session } from "@/api/types";
import { queryClient } from "@/queries/client";
import { refresh } from "./refresh";
import { onSessionChange, session, setSession } from "./session";
import { forgetTokens, onOtherTabSignedOut, refreshToken, storeTokens } from "./tokens";

let ready: Promise<void> = Promise.resolve();

export function startSession(): void {
  if (refreshToken() !== null) {
    ready = refresh().then(
      () => undefined,
      () => undefined,
    );
  }
  onOtherTabSignedOut(() => {
    forgetTokens();
    setSession(null);
  });
  let known = session()?.organisation.id;
  onSessionChange(() => {
    const organisation = session()?.organisation.id;
    if (organisation === known) return;
    const left = known;
    known = organisation;
    if (left === undefined) {
      // Public answers may now name the caller's own demands.
      void queryClient.invalidateQueries();
      return;
    }
    // Nothing of one organisation may be seen in another.
    queryClient.removeQueries({ type: "inactive" });
    void queryClient.resetQueries();
  });
}

/** Settles once it is known whether somebody is signed in. */
export function sessionReady(): Promise<void> {
  return ready;
}

export function signedIn(next: Session): void {
  storeTokens(next);
  setSession(next);
}

export async function signOut(): Promise<void> {
  const refresh_token = refreshToken();
  forgetTokens();
  setSession(null);
  if (refresh_token !== null)
    await answer(api.POST("/v1/auth/logout", { body: { refresh_token } })).catch(() => undefined);
}
