// A game of a contest at the desk: node contest.mjs URL. Every button keeps its place, and a finished
// game is reopened only on purpose.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { isAccessible, picture, withBrowser } from "./common.mjs";

const [url] = process.argv.slice(2);

const message = (page, text) => page.locator("#message", { hasText: text }).waitFor();
const answered = (page) => page.locator(".status.answer").waitFor();
const turns = (page, count) => page.waitForFunction(
  (wanted) => document.querySelectorAll(".turns li").length === wanted, count);

/** Where the buttons of the desk are. */
const places = (page) => page.locator(".operations button:visible").evaluateAll((buttons) =>
  buttons.map((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return [button.dataset.do, ...[x, y, width, height].map(Math.round)].join(" ");
  }));

async function type(page, text) {
  await page.locator("#entry input").fill(text);
  await page.keyboard.press("Enter");
}

/** Names follow who plays until they are changed, and sides can be exchanged. */
async function seats(page) {
  const names = async () => Promise.all([0, 1].map((seat) => page.locator(`[name=name${seat}]`).inputValue()));
  await page.locator("[name=engine0]").selectOption("greedy");
  await page.locator("[name=engine1]").selectOption("");
  assert.deepEqual(await names(), ["Engine", "Operator"]);
  await page.locator("[name=name1]").fill("Heron");
  await page.getByRole("button", { name: "Swap sides" }).click();
  assert.deepEqual(await names(), ["Heron", "Engine"]);
  await page.locator("[name=engine0]").selectOption("best");
  assert.deepEqual(await names(), ["Heron", "Engine"]);
  await page.locator("[name=engine0]").selectOption("");
  await page.locator("[name=name0]").fill("Operator");
}

/** Begins a game of Hex against an engine, with rules of its own. */
async function begin(page) {
  await page.goto(`${url}desk?game=hex`);
  await seats(page);
  await page.getByText("Rules: as in the contest").click();
  await page.getByRole("spinbutton", { name: "size" }).fill("7");
  await page.locator("[data-own]", { hasText: "changed" }).waitFor();
  await page.getByRole("radio", { name: /^Contest/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL(/\/desk\/./);
  await page.locator(".target.legal").first().waitFor();
  assert.equal(await page.locator(".target.legal").count(), 49);
}

/** Nothing is entered before the clocks run. */
async function start(page) {
  await type(page, "d4");
  await message(page, "The clocks are stopped");
  await page.getByRole("button", { name: "Start the clocks" }).click();
  await page.locator(".clockbox.first.runs").waitFor();
}

/** The engine's turn is on the board as a ghost until it is confirmed. */
async function confirm(page) {
  await type(page, "d4");
  await answered(page);
  await page.locator(".screen .second-ghost").waitFor();
  await page.locator("[data-target=d4]").click({ force: true });
  await message(page, "d4 is taken");
  await page.locator("[data-target=d4].refused").waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^I have played .* on the board/ }).click();
  await turns(page, 2);
}

/** A correction says what it withdrew, and what was played instead. */
async function correct(page) {
  await page.keyboard.press("F6");
  await message(page, "1. d4 ");
  await page.locator(".verdict", { hasText: "Engine: –" }).waitFor();
  await type(page, "e5");
  await page.locator(".corrections li", { hasText: /withdrawn, e5 played$/ }).waitFor();
  await answered(page);
  await page.keyboard.press("F2");
  await turns(page, 2);
}

/** The record is a file of the browser, too. */
async function save(page) {
  const [download] = await Promise.all([
    page.waitForEvent("download"), page.getByRole("button", { name: "Save record" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^HEX-Operator R vs Engine B-后手胜-.*\.txt$/);
  const text = readFileSync(await download.path(), "utf8");
  assert.ok(text.includes("R(E,5)"), text);
  await message(page, "lacks the event or the place");
}

/** One key does not undo a finished game: it asks first, and the clocks wait. */
async function reopen(page) {
  const before = await page.locator(".status").textContent();
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.keyboard.press("F6");
  assert.equal(await page.locator(".status").textContent(), before);
  page.once("dialog", (dialog) => dialog.accept());
  await page.keyboard.press("F6");
  await page.locator(".condition", { hasText: "The clocks are stopped" }).waitFor();
  await page.locator(".saved li", { hasText: "outdated" }).waitFor();
  await turns(page, 2);
}

await withBrowser(async (open) => {
  const page = await open({ operator: true });
  await begin(page);
  const begun = await places(page);
  const stay = async () => assert.deepEqual(await places(page), begun);
  await start(page);
  await confirm(page);
  await correct(page);
  await stay();
  await picture(page, "contest");
  await isAccessible(page);
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Resign" }).click();
  await page.locator(".status", { hasText: "Operator resigned: Engine wins" }).waitFor();
  await stay();
  await save(page);
  await picture(page, "contest-over");
  await isAccessible(page);
  await reopen(page);
  await stay();
  // The list says who met, and the form remembers the game.
  await page.goto(`${url}desk`);
  await page.locator(".sessions li", { hasText: /Operator – Engine.*Hex 7×7.*goes on/ }).waitFor();
  assert.equal(await page.locator("[name=game]").inputValue(), "hex");
});
