// A stand-in for `souk serve` while the web app is built: the routes of docs/API-DESIGN.md over data that moves.
// For development only; nothing of it is part of the product. Start it with `npm run mock`.

import http from "node:http";
import { WebSocketServer } from "ws";
import { subscribe } from "./events.mjs";
import { decimal, hex, id, now, time } from "./ids.mjs";
import * as market from "./market.mjs";
import * as supply from "./supply.mjs";
import * as tenant from "./tenant.mjs";

const PORT = Number(process.env.PORT ?? 8080);
const list = (items) => ({ items, next_cursor: null });
const problem = (status, code, detail, field = null) => ({
  status,
  problem: {
    type: `/docs/errors#${code}`,
    title: code.replaceAll("_", " "),
    status,
    code,
    detail,
    field,
    request_id: hex(16),
  },
});
const missing = problem(404, "not_found", "There is no such thing here, or it is not yours.");
const outcome = (result) => (result.problem ? problem(...result.problem) : { status: 201, body: result.view });

let current = tenant.ORGANISATION;
let live = null;
const sshKeys = [
  {
    id: id("ssh"),
    name: "amina-laptop",
    fingerprint: "SHA256:3Vb0nTq8dOl0G0m2ZzQ2sPcXzq1",
    public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ amina@laptop",
    created_at: time(now() - 4e9),
  },
];
const apiKeys = [
  {
    id: id("key"),
    name: "nightly-sweeps",
    prefix: "souk_7f3a",
    scopes: ["read", "bids:write"],
    created_at: time(now() - 2e9),
    expires_at: null,
    last_used_at: time(now() - 6e5),
  },
];
const members = [
  {
    user_id: tenant.USER.id,
    email: tenant.USER.email,
    display_name: tenant.USER.display_name,
    role: "owner",
    created_at: time(now() - 8e9),
  },
  {
    user_id: id("user"),
    email: "tomas@bablabs.example",
    display_name: "Tomás Rey",
    role: "member",
    created_at: time(now() - 3e9),
  },
];

function session(organisation = current) {
  current = organisation;
  live = hex(32);
  return {
    access_token: hex(40),
    token_type: "Bearer",
    expires_in_seconds: 600,
    refresh_token: live,
    user: tenant.USER,
    organisation,
    role: "owner",
  };
}

const poolOf = (value) => market.POOLS.find((one) => one.id === value);
const found = (value, view = (one) => one) => (value ? { status: 200, body: view(value) } : missing);

function quote(body) {
  const offer = market.OFFERS.find((one) => one.ask_id === body.ask_id);
  if (offer === undefined) return missing;
  if (body.devices > offer.largest_block)
    return problem(422, "devices_above_block", `The largest free block has ${offer.largest_block} devices.`, "devices");
  const total = Number(offer.price_per_gpu_hour) * body.devices;
  const body_ = {
    id: id("quote"),
    ask_id: body.ask_id,
    devices: body.devices,
    class_id: offer.class_id,
    currency: "USD",
    price_per_gpu_hour: offer.price_per_gpu_hour,
    price_per_hour: decimal(total),
    parts: [
      { label: `${offer.model} × ${body.devices}`, per_hour: decimal(total * 0.95) },
      { label: "marketplace fee", per_hour: decimal(total * 0.05) },
      { label: "storage, 50 GB", per_hour: "0" },
    ],
    hold: decimal(total),
    runway_seconds: Math.floor((tenant.wallet.available / (total + 30)) * 3600),
    created_at: time(now()),
    expires_at: time(now() + 60_000),
  };
  return { status: 201, body: body_ };
}

const ROUTES = [
  ["POST", "/auth/register", () => ({ status: 201, body: session() })],
  [
    "POST",
    "/auth/login",
    ({ body }) =>
      body.password === "wrong"
        ? problem(401, "credentials_wrong", "No account has this email and password. Check both, or sign up.")
        : { status: 200, body: session() },
  ],
  [
    "POST",
    "/auth/refresh",
    ({ body }) =>
      body.refresh_token !== live
        ? problem(401, "refresh_token_reused", "This session has ended. Log in again.")
        : {
            status: 200,
            body: session(
              [tenant.ORGANISATION, tenant.SECOND].find((one) => one.id === body.organisation_id) ?? current,
            ),
          },
  ],
  ["POST", "/auth/logout", () => ({ status: 204 })],
  [
    "GET",
    "/me",
    () => ({ status: 200, body: { user: tenant.USER, organisation: current, role: "owner", scopes: null } }),
  ],
  [
    "GET",
    "/organisations",
    () => ({
      status: 200,
      body: list([tenant.ORGANISATION, tenant.SECOND].map((organisation) => ({ organisation, role: "owner" }))),
    }),
  ],
  [
    "POST",
    "/organisations",
    ({ body }) => ({ status: 201, body: { id: id("org"), name: body.name, currency: "USD", created_at: time(now()) } }),
  ],
  ["GET", "/organisations/:id/members", () => ({ status: 200, body: list(members) })],
  [
    "POST",
    "/organisations/:id/members",
    ({ body }) => problem(404, "user_unknown", `Nobody has signed up with ${body.email} yet.`, "email"),
  ],
  [
    "PATCH",
    "/organisations/:id/members/:user",
    ({ params, body }) =>
      found(
        members.find((one) => one.user_id === params.user),
        (one) => Object.assign(one, body),
      ),
  ],
  ["GET", "/api-keys", () => ({ status: 200, body: list(apiKeys) })],
  [
    "POST",
    "/api-keys",
    ({ body }) => {
      const made = {
        id: id("key"),
        prefix: `souk_${hex(4)}`,
        created_at: time(now()),
        expires_at: null,
        last_used_at: null,
        ...body,
      };
      apiKeys.unshift(made);
      return { status: 201, body: { ...made, secret: `${made.prefix}${hex(40)}` } };
    },
  ],
  [
    "DELETE",
    "/api-keys/:id",
    ({ params }) => {
      apiKeys.splice(
        apiKeys.findIndex((one) => one.id === params.id),
        1,
      );
      return { status: 204 };
    },
  ],
  ["GET", "/ssh-keys", () => ({ status: 200, body: list(sshKeys) })],
  [
    "POST",
    "/ssh-keys",
    ({ body }) => {
      if (!body.public_key.startsWith("ssh-"))
        return problem(
          422,
          "ssh_key_malformed",
          "This is not an OpenSSH public key: it begins with its kind, such as ssh-ed25519.",
          "public_key",
        );
      const made = { id: id("ssh"), fingerprint: `SHA256:${hex(24)}`, created_at: time(now()), ...body };
      sshKeys.unshift(made);
      return { status: 201, body: made };
    },
  ],
  [
    "DELETE",
    "/ssh-keys/:id",
    ({ params }) => {
      sshKeys.splice(
        sshKeys.findIndex((one) => one.id === params.id),
        1,
      );
      return { status: 204 };
    },
  ],

  ["GET", "/pools", () => ({ status: 200, body: list(market.POOLS.map(market.viewPool)) })],
  ["GET", "/pools/:id", ({ params }) => found(poolOf(params.id), market.viewPool)],
  [
    "PATCH",
    "/pools/:id",
    ({ params, body }) => found(poolOf(params.id), (one) => market.viewPool(Object.assign(one, body))),
  ],
  [
    "GET",
    "/pools/:id/prices",
    ({ params, query }) =>
      found(poolOf(params.id), (one) =>
        market.viewPrices(
          one,
          query.get("class"),
          Date.parse(query.get("from") ?? time(now() - 864e5)),
          Number(query.get("step_seconds") ?? 300),
        ),
      ),
  ],
  [
    "GET",
    "/pools/:id/depth",
    ({ params, query }) => found(poolOf(params.id), (one) => market.viewDepth(one, query.get("class"))),
  ],
  [
    "GET",
    "/pools/:id/rounds",
    ({ params, query }) =>
      found(poolOf(params.id), (one) => {
        const from = Number(query.get("cursor") ?? 0);
        return {
          items: one.rounds.slice(from, from + 50),
          next_cursor: from + 50 < one.rounds.length ? String(from + 50) : null,
        };
      }),
  ],
  [
    "POST",
    "/pools/:id/rounds",
    ({ params }) => {
      market.clear(poolOf(params.id));
      return { status: 202 };
    },
  ],
  [
    "GET",
    "/pools/:id/rounds/:number",
    ({ params }) => found(market.viewRound(poolOf(params.id), Number(params.number))),
  ],
  [
    "GET",
    "/pools/:id/rounds/:number/record",
    ({ params }) => found(market.viewRound(poolOf(params.id), Number(params.number))),
  ],
  [
    "GET",
    "/pools/:id/fairness",
    ({ params }) => found(poolOf(params.id), (one) => market.viewFairness(one, tenant.ownFairness())),
  ],
  ["GET", "/device-classes", () => ({ status: 200, body: list(market.CLASSES.map(market.publicClass)) })],
  [
    "GET",
    "/profiles",
    () => ({
      status: 200,
      body: list([
        {
          id: id("prof"),
          name: "resnet50, batch 256",
          unit: "steps",
          source: "measured 2026-11",
          speeds: market.CLASSES.slice(0, 2).map((one, index) => ({
            class_id: one.id,
            gang: 1,
            units_per_second: 9.2 / (index + 1),
          })),
        },
      ]),
    }),
  ],
  [
    "GET",
    "/offers",
    ({ query }) => {
      const asked = market.parseGpu(query.get("gpu") ?? "");
      return asked.error && query.get("gpu")
        ? problem(422, "gpu_request_malformed", asked.error, "gpu")
        : { status: 200, body: market.viewOffers(query) };
    },
  ],

  ["POST", "/quotes", ({ body }) => quote(body)],
  ["GET", "/bids", () => ({ status: 200, body: list(tenant.bids.map(tenant.viewBid)) })],
  ["POST", "/bids", ({ body }) => outcome(tenant.placeBid(body))],
  [
    "POST",
    "/bids/dry-run",
    ({ body }) => {
      const tried = tenant.dryRun(body);
      return tried.problem ? problem(...tried.problem) : { status: 200, body: tried.view };
    },
  ],
  [
    "GET",
    "/bids/:id",
    ({ params }) =>
      found(
        tenant.bids.find((one) => one.id === params.id),
        tenant.viewBid,
      ),
  ],
  [
    "POST",
    "/bids/:id/cancel",
    ({ params }) =>
      found(
        tenant.bids.find((one) => one.id === params.id),
        (one) => {
          Object.assign(one, { state: "cancelled", closed_at: time(now()), hold: "0" });
          tenant.tell("bid.cancelled", one.id);
          return tenant.viewBid(one);
        },
      ),
  ],
  ["GET", "/jobs", () => ({ status: 200, body: list(tenant.jobs.map(tenant.viewJob)) })],
  ["POST", "/jobs", ({ body }) => outcome(tenant.submitJob(body))],
  [
    "GET",
    "/jobs/:id",
    ({ params }) =>
      found(
        tenant.jobs.find((one) => one.id === params.id),
        tenant.viewJob,
      ),
  ],
  [
    "POST",
    "/jobs/:id/cancel",
    ({ params }) =>
      found(
        tenant.jobs.find((one) => one.id === params.id),
        (one) => {
          Object.assign(one, { state: "cancelled", closed_at: time(now()) });
          tenant.tell("job.cancelled", one.id);
          return tenant.viewJob(one);
        },
      ),
  ],
  ["GET", "/rentals", () => ({ status: 200, body: list(tenant.rentals.map(tenant.viewRental)) })],
  ["POST", "/rentals", ({ body }) => ({ status: 201, body: tenant.rent(body) })],
  [
    "GET",
    "/rentals/:id",
    ({ params }) =>
      found(
        tenant.rentals.find((one) => one.id === params.id),
        tenant.viewRental,
      ),
  ],
  ...["stop", "start", "end"].map((action) => [
    "POST",
    `/rentals/:id/${action}`,
    ({ params }) =>
      found(
        tenant.rentals.find((one) => one.id === params.id),
        (one) => {
          tenant.act(one, action);
          return tenant.viewRental(one);
        },
      ),
  ]),
  [
    "GET",
    "/rentals/:id/logs",
    () => ({
      status: 200,
      body: {
        text: Array.from(
          { length: 60 },
          (_, step) =>
            `step ${1000 + step}  loss ${(2.1 - step * 0.004).toFixed(4)}  lr 3.0e-4  ${Math.round(8421 + step)} tok/s`,
        ).join("\n"),
        truncated: true,
      },
    }),
  ],
  [
    "GET",
    "/rentals/:id/usage",
    ({ params }) =>
      found(
        tenant.rentals.find((one) => one.id === params.id),
        (one) => list(tenant.usage(one)),
      ),
  ],
  [
    "POST",
    "/rentals/:id/shells",
    () => ({ status: 201, body: { url: `/v1/shells/${hex(24)}`, expires_at: time(now() + 30_000) } }),
  ],

  ["GET", "/wallet", () => ({ status: 200, body: tenant.viewWallet() })],
  ["GET", "/wallet/entries", () => ({ status: 200, body: list(tenant.entries) })],
  ["GET", "/wallet/holds", () => ({ status: 200, body: list(tenant.viewHolds()) })],
  ["GET", "/usage", () => ({ status: 200, body: list(tenant.rentals.flatMap(tenant.usage)) })],
  [
    "POST",
    "/credits",
    ({ body }) => {
      tenant.wallet.available += Number(body.amount);
      tenant.tell("wallet.credited", body.organisation_id);
      return {
        status: 201,
        body: {
          id: id("xfer"),
          kind: "credit",
          currency: "USD",
          amount: body.amount,
          subject: body.organisation_id,
          reason: body.reason,
          created_at: time(now()),
        },
      };
    },
  ],

  ["GET", "/providers", () => ({ status: 200, body: list(supply.providers) })],
  [
    "POST",
    "/providers",
    ({ body }) => {
      const made = {
        id: id("prov"),
        organisation_id: current.id,
        name: body.name,
        currency: "USD",
        nodes: 0,
        devices: 0,
        devices_leased: 0,
        created_at: time(now()),
      };
      supply.providers.push(made);
      return { status: 201, body: made };
    },
  ],
  [
    "GET",
    "/providers/:id/earnings",
    ({ query }) => ({
      status: 200,
      body: supply.earnings(Math.round((now() - Date.parse(query.get("from"))) / 864e5)),
    }),
  ],
  [
    "GET",
    "/providers/:id/nodes",
    ({ params }) => ({
      status: 200,
      body: list(supply.nodes.filter((one) => one.provider_id === params.id).map(supply.viewNode)),
    }),
  ],
  [
    "POST",
    "/providers/:id/nodes",
    ({ params, body }) => ({
      status: 201,
      body: supply.viewNode(
        supply.node(
          params.id,
          body.name,
          "ready",
          market.classOf(body.hardware.devices[0].class_id),
          body.hardware.devices[0].count,
          { adapter: "simulated" },
        ),
      ),
    }),
  ],
  [
    "POST",
    "/providers/:id/enrolment-tokens",
    () => {
      const token = `enrol_${hex(40)}`;
      return {
        status: 201,
        body: {
          id: id("tok"),
          token,
          expires_at: time(now() + 36e5),
          command: `souk agent --server http://localhost:${PORT} --token ${token}`,
        },
      };
    },
  ],
  [
    "POST",
    "/nodes/:id/drain",
    ({ params }) =>
      found(
        supply.nodes.find((one) => one.id === params.id),
        (one) => supply.viewNode(Object.assign(one, { state: "draining" })),
      ),
  ],
  [
    "POST",
    "/nodes/:id/resume",
    ({ params }) =>
      found(
        supply.nodes.find((one) => one.id === params.id),
        (one) => supply.viewNode(Object.assign(one, { state: "ready" })),
      ),
  ],
  ["GET", "/asks", () => ({ status: 200, body: list(supply.asks) })],
  [
    "POST",
    "/asks",
    ({ body }) =>
      Number(body.floor_per_gpu_hour) > Number(body.price_per_gpu_hour)
        ? problem(422, "ask_floor_above_price", "The floor must not be above the price.", "floor_per_gpu_hour")
        : { status: 201, body: supply.ask(body) },
  ],
  [
    "POST",
    "/asks/:id/withdraw",
    ({ params }) =>
      found(
        supply.asks.find((one) => one.id === params.id),
        (one) => Object.assign(one, { withdrawn_at: time(now()) }),
      ),
  ],

  ["GET", "/admin/overview", () => ({ status: 200, body: supply.overview() })],
  ["GET", "/admin/alerts", () => ({ status: 200, body: list(supply.alerts) })],
  [
    "POST",
    "/admin/alerts/:id/resolve",
    ({ params }) =>
      found(
        supply.alerts.find((one) => one.id === params.id),
        (one) => Object.assign(one, { resolved_at: time(now()) }),
      ),
  ],
  ["GET", "/admin/organisations", () => ({ status: 200, body: list(supply.organisations) })],
].map(([method, path, handle]) => ({
  method,
  handle,
  path: new RegExp(`^/v1${path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`),
}));

async function bodyOf(request) {
  let text = "";
  for await (const piece of request) text += piece;
  return text === "" ? {} : JSON.parse(text);
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, "http://localhost");
  if (url.pathname === "/v1/events") return subscribe("organisation", request, response);
  const stream = /^\/v1\/pools\/([^/]+)\/events$/.exec(url.pathname);
  if (stream) return subscribe(`pool:${stream[1]}`, request, response);
  let reply = missing;
  for (const route of ROUTES) {
    const match = route.path.exec(url.pathname);
    if (route.method !== request.method || match === null) continue;
    reply = route.handle({ params: match.groups ?? {}, query: url.searchParams, body: await bodyOf(request) });
    break;
  }
  response.writeHead(reply.status, {
    "Content-Type": reply.problem ? "application/problem+json" : "application/json",
    "X-Request-Id": hex(16),
  });
  response.end(reply.status === 204 || reply.status === 202 ? undefined : JSON.stringify(reply.problem ?? reply.body));
});

const shells = new WebSocketServer({ server });
shells.on("connection", (socket) => {
  const prompt = "\x1b[35mroot@atlas-01\x1b[0m:~# ";
  let line = "";
  socket.send(Buffer.from(`souk: H100 80 GB, 8 devices\r\n${prompt}`));
  socket.on("message", (data, binary) => {
    if (!binary) return;
    for (const key of data.toString()) {
      if (key === "\r") {
        socket.send(
          Buffer.from(line === "exit" ? "\r\nlogout\r\n" : `\r\n${line ? `sh: ${line}: not here\r\n` : ""}${prompt}`),
        );
        if (line === "exit") socket.close(1000);
        line = "";
      } else if (key === "\x7f") {
        line = line.slice(0, -1);
        socket.send(Buffer.from("\b \b"));
      } else {
        line += key;
        socket.send(Buffer.from(key));
      }
    }
  });
});

market.run();
tenant.run();
server.listen(PORT, "127.0.0.1", () => console.log(`the stand-in listens on http://127.0.0.1:${PORT}`));
