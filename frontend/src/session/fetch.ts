// `fetch` with the session's signature: renews a token that is about to lapse, and answers one 401 by renewing and retrying once.

import { noteServerTime } from "@/time/server";
import { refresh } from "./refresh";
import { accessToken, accessTokenExpiresWithin, refreshToken } from "./tokens";

const RENEW_BEFORE_SECONDS = 20;

export async function signedFetch(request: Request): Promise<Response> {
  if (refreshToken() !== null && accessTokenExpiresWithin(RENEW_BEFORE_SECONDS)) await refresh();
  const retry = request.clone();
  const used = accessToken();
  const response = await fetch(signed(request, used));
  noteServerTime(response);
  if (response.status !== 401 || used === null) return response;
  // Another call may have renewed meanwhile: then its token is as good as a new one.
  if (accessToken() === used && (await refresh()) === null) return response;
  const renewed = accessToken();
  return renewed === null ? response : fetch(signed(retry, renewed));
}

function signed(request: Request, token: string | null): Request {
  if (token !== null) request.headers.set("Authorization", `Bearer ${token}`);
  return request;
}
