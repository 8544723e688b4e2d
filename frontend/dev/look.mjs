// Opens every page in Chromium at two widths and in both colour schemes, saves what it looks like, and runs axe on it.
// usage: node dev/look.mjs OUT [path-part...]   against APP (http://127.0.0.1:5173), signed in as EMAIL with PASSWORD.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const APP = process.env.APP ?? "http://127.0.0.1:5173";
const [out = "/tmp/look", ...wanted] = process.argv.slice(2);
const SIZES = { wide: { width: 1360, height: 900 }, narrow: { width: 390, height: 844 } };
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
let faults = 0;

async function signedIn(context) {
  const reply = await context.request.post(`${APP}/v1/auth/login`, {
    data: { email: process.env.EMAIL ?? "amina@bablabs.example", password: process.env.PASSWORD ?? "a long password" },
  });
  const session = await reply.json();
  await context.addInitScript(
    (token) => localStorage.getItem("souk.refresh_token") ?? localStorage.setItem("souk.refresh_token", token),
    session.refresh_token,
  );
  const headers = { Authorization: `Bearer ${session.access_token}` };
  const first = async (path) => (await (await context.request.get(`${APP}/v1${path}`, { headers })).json()).items?.[0];
  const pool = await first("/pools");
  const rentals = (await (await context.request.get(`${APP}/v1/rentals`, { headers })).json()).items ?? [];
  const running = rentals.find((one) => one.state === "running") ?? rentals[0];
  return {
    market: "/",
    rentals: "/rentals",
    rental: `/rentals/${running?.id}`,
    usage: `/rentals/${running?.id}?tab=usage`,
    logs: `/rentals/${running?.id}?tab=logs`,
    shell: `/rentals/${running?.id}?tab=shell`,
    bids: "/bids",
    bid: `/bids/${(await first("/bids"))?.id}`,
    jobs: "/jobs",
    job: `/jobs/${(await first("/jobs"))?.id}`,
    rounds: "/rounds",
    round: `/rounds/${pool?.id}/${pool?.last_round?.number}`,
    wallet: "/wallet",
    providers: "/providers",
    provider: `/providers/${(await first("/providers"))?.id}`,
    operator: "/operator",
    account: "/account",
  };
}

const ACTS = {
  "bid-ticket": async (page) => {
    await page
      .getByRole("button", { name: /^Bid on/ })
      .first()
      .click();
    await page.waitForTimeout(1500);
  },
  "rent-ticket": async (page) => {
    await page.getByRole("button", { name: /^Rent/ }).and(page.locator(":enabled")).first().click();
    await page.waitForTimeout(1200);
  },
  "job-ticket": async (page) => {
    await page.getByRole("button", { name: "Submit a job" }).first().click();
    await page.waitForTimeout(800);
  },
};
const ACT_PAGES = { "bid-ticket": "/", "rent-ticket": "/", "job-ticket": "/jobs" };

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const scheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport, colorScheme: scheme, reducedMotion: "reduce" });
    const own = await signedIn(context);
    const visits = [...Object.entries(own), ...Object.entries(ACT_PAGES)].map(([name, path]) => ({
      name,
      path,
      context,
    }));
    const stranger = await browser.newContext({ viewport, colorScheme: scheme, reducedMotion: "reduce" });
    for (const [name, path] of Object.entries({
      "public-market": "/",
      login: "/login",
      signup: "/signup",
      missing: "/nowhere",
    }))
      visits.push({ name, path, context: stranger });
    for (const visit of visits) {
      if (wanted.length > 0 && !wanted.includes(visit.name)) continue;
      const page = await visit.context.newPage();
      page.on("pageerror", (error) => console.log(`${visit.name} ${size} ${scheme}: PAGE ERROR ${error.message}`));
      page.on(
        "console",
        (message) =>
          message.type() === "error" &&
          console.log(`${visit.name} ${size} ${scheme}: console ${message.text().slice(0, 300)}`),
      );
      await page.goto(APP + visit.path);
      await page.waitForLoadState("load");
      await page.waitForTimeout(Number(process.env.SETTLE ?? 900));
      await ACTS[visit.name]?.(page);
      await page.screenshot({ path: `${out}/${visit.name}-${size}-${scheme}.png`, fullPage: !(visit.name in ACTS) });
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
      );
      if (sideways) console.log(`${visit.name} ${size} ${scheme}: scrolls sideways`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        globalThis.axe.run(document, {
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
        }),
      );
      for (const { id, impact, nodes } of violations) {
        faults += nodes.length;
        console.log(
          `${visit.name} ${size} ${scheme}: axe ${id} (${impact}) ${nodes.length}x e.g. ${nodes[0].target} ${nodes[0].failureSummary.split("\n").slice(1, 3).join(" ")}`,
        );
      }
      await page.close();
    }
    await context.close();
    await stranger.close();
  }
}
await browser.close();
console.log(`${faults} axe findings`);
