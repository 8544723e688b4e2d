// Where the two tokens live: the access token in memory only, the refresh token in this browser's storage.

import type { Session } from "@/api/types";

const REFRESH_TOKEN = "souk.refresh_token";

interface AccessToken {
  value: string;
  expires_at_ms: number;
}

let access: AccessToken | null = null;

export function accessToken(): string | null {
  return access?.value ?? null;
}

/** True when the access token has less than `seconds` left. */
export function accessTokenExpiresWithin(seconds: number): boolean {
  return access === null || access.expires_at_ms - Date.now() < seconds * 1000;
}

export function refreshToken(): string | null {
  return localStorage.getItem(REFRESH_TOKEN);
}

export function storeTokens(session: Session): void {
  access = { value: session.access_token, expires_at_ms: Date.now() + session.expires_in_seconds * 1000 };
  localStorage.setItem(REFRESH_TOKEN, session.refresh_token);
}

export function forgetTokens(): void {
  access = null;
  localStorage.removeItem(REFRESH_TOKEN);
}

/** Calls back when another tab signs out (or in as somebody else). */
export function onOtherTabSignedOut(callback: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === REFRESH_TOKEN && event.newValue === null) callback();
  });
}
