// The one door to the API: typed by the contract, signed by the session, failing as a `Problem`.

import createClient from "openapi-fetch";
import { signedFetch } from "@/session/fetch";
import type { paths } from "./schema";
import { asProblem, problemFrom } from "./problem";

export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  fetch: signedFetch,
  querySerializer: { array: { style: "form", explode: true } },
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The answer's body, or the problem thrown. */
export async function answer<T>(call: Promise<Answer<T>>): Promise<T> {
  let settled: Answer<T>;
  try {
    settled = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw asProblem(error);
  }
  if (!settled.response.ok) throw problemFrom(settled.response, settled.error);
  return settled.data as T;
}
