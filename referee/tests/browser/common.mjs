// What the tests in a browser share: a page that reports every error, and checks of it.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs `test` with a browser, and fails on any error that a page reports. An `operator` opens the file
 * that the server named, may enter what is refused, remove what a page shows, and answers questions. A
 * `looker` may try to act, and is refused. */
export async function withBrowser(test) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
  const errors = [];
  try {
    await test(async ({ operator, looker, ...options } = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on("console", (message) => {
        // A refused entry is an answer like others, and so is that something is gone.
        const refused = (operator && /status of 40[04]/.test(message.text()))
          || (looker && /status of 401/.test(message.text()));
        if (message.type() === "error" && !refused) errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(String(error)));
      if (!operator) {
        page.on("dialog", (dialog) => {
          errors.push(`a dialog: ${dialog.message()}`);
          dialog.dismiss();
        });
      }
      if (operator) await login(page);
      return page;
    });
  } finally {
    await browser.close();
  }
  assert.deepEqual(errors, []);
}

/** Opens the file that makes a browser the operator's: it goes on to the first page by itself. */
async function login(page) {
  await page.goto(process.env.REFEREE_FILE, { waitUntil: "commit" });
  await page.waitForURL((url) => url.protocol === "http:" && url.pathname !== "/login");
}

/** No fault of accessibility that is serious or critical. */
export async function isAccessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const grave = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const faults = grave.map(({ id, nodes }) => `${page.url()}: ${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
  assert.deepEqual(faults, []);
}

/** A picture of the page for people to look at, if a folder for them is named. */
export async function picture(page, name) {
  const folder = process.env.REFEREE_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
