import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Session } from "@/api/types";
import { signedFetch } from "./fetch";
import { refresh, switchOrganisation } from "./refresh";
import { session, setSession } from "./session";
import { accessToken, forgetTokens, refreshToken, storeTokens } from "./tokens";

const ORGANISATION = { id: "org_1", name: "Bab Labs", currency: "USD", created_at: "2026-01-01T00:00:00.000Z" };

function issued(number: number, expiresIn = 600): Session {
  return {
    access_token: `access ${number}`,
    token_type: "Bearer",
    expires_in_seconds: expiresIn,
    refresh_token: `refresh ${number}`,
    user: { id: "user_1", email: "a@b.example", display_name: "A", operator: false },
    organisation: ORGANISATION,
    role: "owner",
  };
}

/** A server that rotates refresh tokens and ends the session when an old one comes back. */
function rotatingServer() {
  const seen: string[] = [];
  let number = 1;
  let ended = false;
  const handle = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request ? input : null;
    const url = request?.url ?? String(input);
    if (url.endsWith("/v1/auth/refresh")) {
      const { refresh_token } = JSON.parse(String(init?.body)) as { refresh_token: string };
      seen.push(refresh_token);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (ended || refresh_token !== `refresh ${number}`) {
        ended = true;
        return Response.json({ code: "refresh_token_reused", detail: "Log in again." }, { status: 401 });
      }
      number += 1;
      return Response.json(issued(number));
    }
    const valid = request?.headers.get("Authorization") === `Bearer access ${number}`;
    return Response.json({ valid }, { status: valid ? 200 : 401 });
  };
  return { seen, handle };
}

const call = () => signedFetch(new Request("http://localhost/v1/bids"));

describe("the session", () => {
  let server: ReturnType<typeof rotatingServer>;

  beforeEach(() => {
    server = rotatingServer();
    vi.stubGlobal("fetch", vi.fn(server.handle));
    storeTokens(issued(1));
    setSession(issued(1));
  });

  afterEach(() => {
    forgetTokens();
    setSession(null);
    vi.unstubAllGlobals();
  });

  it("rotates the refresh token once, however many calls find theirs about to lapse", async () => {
    storeTokens(issued(1, 1));
    const answers = await Promise.all([call(), call(), call(), refresh()]);
    expect(server.seen).toEqual(["refresh 1"]);
    expect(answers.slice(0, 3).map((answer) => (answer as Response).status)).toEqual([200, 200, 200]);
    expect(refreshToken()).toBe("refresh 2");
  });

  it("answers a 401 by renewing once and retrying", async () => {
    storeTokens({ ...issued(1), access_token: "access revoked" });
    const response = await call();
    expect(response.status).toBe(200);
    expect(server.seen).toEqual(["refresh 1"]);
  });

  it("uses the token another tab has stored while this one waited for the lock", async () => {
    vi.stubGlobal("navigator", {
      locks: {
        request: async (_name: string, work: () => Promise<unknown>) => {
          await refreshElsewhere();
          return work();
        },
      },
    });
    await refresh();
    expect(server.seen).toEqual(["refresh 1", "refresh 2"]);
    expect(session()).not.toBeNull();

    async function refreshElsewhere() {
      const body = JSON.stringify({ refresh_token: refreshToken() });
      const response = await server.handle("/v1/auth/refresh", { body });
      localStorage.setItem("souk.refresh_token", ((await response.json()) as Session).refresh_token);
    }
  });

  it("ends when the server refuses the refresh token", async () => {
    localStorage.setItem("souk.refresh_token", "refresh 0");
    expect(await refresh()).toBeNull();
    expect(session()).toBeNull();
    expect(refreshToken()).toBeNull();
    expect(accessToken()).toBeNull();
  });

  it("outlives a server that cannot be reached", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    await expect(refresh()).rejects.toMatchObject({ code: "unreachable" });
    expect(session()).not.toBeNull();
    expect(refreshToken()).toBe("refresh 1");
  });

  it("waits for a rotation under way before it switches the organisation", async () => {
    await Promise.all([refresh(), switchOrganisation("org_2")]);
    expect(server.seen).toEqual(["refresh 1", "refresh 2"]);
    expect(session()).not.toBeNull();
  });
});
