// A person's first ten minutes in a real browser: sign up, bid, win, use a shell, stop, read the bill.
// usage: node e2e/journey.mjs   with APP, EMAIL and GPU in the environment; prints one line per step, exits 1 on a failure.
// Screenshots go to SHOTS when that is set.

import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const { APP, EMAIL, GPU = "CPU:1", SHOTS, CHROMIUM = "/usr/bin/chromium" } = process.env;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** The longest a step may take: a round, a start and a probe lie between a bid and a shell. */
const PATIENCE = 90_000;

if (SHOTS) mkdirSync(SHOTS, { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
page.setDefaultTimeout(PATIENCE);
const faults = [];
page.on("pageerror", (error) => faults.push(`the page threw: ${error.message}`));

async function step(name, act) {
  try {
    await act();
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name.replaceAll(" ", "-")}.png` });
    console.log(`ok ${name}`);
  } catch (error) {
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/failed-${name.replaceAll(" ", "-")}.png` }).catch(() => {});
    console.log(`failed ${name}: ${error.message}`);
    const told = await page
      .locator("[role=status], [role=alert]")
      .allInnerTexts()
      .catch(() => []);
    console.log(`the page said: ${told.join(" | ")}`);
    await browser.close();
    process.exit(1);
  }
}

await step("sign up", async () => {
  await page.goto(`${APP}/signup`);
  await page.getByLabel("Your name").fill("Amina");
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery staple");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/signup"));
});

await step("bid", async () => {
  // The answer to the page's first renewal of its session is lost on its way, as when somebody reloads too early.
  const renewal = "**/v1/auth/refresh";
  const lose = async (route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route(renewal, lose, { times: 1 });
  const lost = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/v1/auth/refresh"));
  await page.goto(`${APP}/`);
  await lost;
  // A page that the browser holds already has to work as well as a new one.
  await page.reload();
  await page
    .getByRole("button", { name: /place a bid|^bid$/i })
    .first()
    .click();
  const ticket = page.getByRole("dialog");
  await ticket.getByLabel("GPU request").fill(GPU);
  await ticket.getByLabel("Limit per GPU and hour").fill("0.50");
  await ticket
    .getByText(/would win|it runs|now at/i)
    .first()
    .waitFor();
  await ticket.getByRole("button", { name: "Place the bid" }).click();
  await page.waitForURL(/\/bids\/bid_/);
});

await step("win", async () => {
  await page.locator('a[href*="/rentals/rnt_"]').first().click();
  await page.waitForURL(/\/rentals\/rnt_/);
  await page.getByText("Running", { exact: true }).first().waitFor();
});

await step("shell", async () => {
  await page.getByRole("tab", { name: "Shell" }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.locator(".xterm").click();
  // The answer is computed, so that an echo of what was typed cannot pass for it.
  await page.keyboard.type("echo souk-$((40+2)); id -un\n");
  await page.waitForFunction(() => document.querySelector(".xterm")?.textContent?.includes("souk-42") ?? false);
  const screen = await page.locator(".xterm").textContent();
  if (!screen?.includes("tenant@")) throw new Error(`the shell prompts with something else: ${screen}`);
});

await step("stop", async () => {
  await page.getByRole("tab", { name: "Overview" }).click();
  await page.getByRole("button", { name: /^end/i }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: /^end/i }).click();
  await page
    .getByText(/^Ended/)
    .first()
    .waitFor();
});

await step("see the bill", async () => {
  await page.getByRole("tab", { name: "Usage" }).click();
  await page.getByText("Charged in all").waitFor();
  await page.getByRole("row").nth(1).waitFor();
  console.log(`bill ${new URL(page.url()).pathname.split("/").at(-1)}`);
});

await browser.close();
for (const fault of faults) console.log(`failed ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
