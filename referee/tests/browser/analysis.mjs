// Analysis and play: node analysis.mjs URL LEAGUE. Analyses a game of the league, then every game
// from its start, and plays an engine at the lowest level with a hint.

import { strict as assert } from "node:assert";
import { isAccessible, picture, withBrowser } from "./common.mjs";

const [url, league] = process.argv.slice(2);

const status = (page) => page.locator(".status").textContent();
const lines = (page, panel = 0) => page.locator(".engine").nth(panel).locator(".lines tbody tr");

/** Clicks what is legal until another turn is in the tree. */
async function turn(page) {
  const count = () => page.locator(".tree button").count();
  const before = await count();
  while ((await count()) === before) {
    const target = page.locator(".target.legal, .extra button").first();
    await target.waitFor();
    await target.dispatchEvent("click");
    await page.waitForTimeout(50);
  }
}

/** Steps through a game of the league, branches off, and comes back. */
async function logged(page) {
  await page.goto(`${url}league/${league}?game=hex`);
  await page.locator("table.games tbody a").first().click();
  await page.locator(".turns li").nth(3).click();
  await page.getByRole("link", { name: "Analyse this position" }).click();
  await page.waitForURL(/\/analysis\?from=.*#4$/);
  await page.locator(".tree [aria-current]").waitFor();
  const turns = await page.locator(".tree button").count();
  const title = await status(page);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((old) => document.querySelector(".status").textContent !== old, title);
  await turn(page);
  assert.equal(await page.locator(".tree .variation").count(), 1);
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => !document.querySelector(".variation [aria-current]"));
  assert.equal(await page.locator(".tree button").count(), turns + 1);

  await page.locator("[data-do=search]").click();
  await lines(page).first().waitFor();
  await page.getByRole("button", { name: "Another engine" }).click();
  await page.locator("[name=engine]").nth(1).selectOption("pvs");
  await page.locator("[data-do=search]").nth(1).click();
  await lines(page, 1).first().waitFor();
  // The line of the first engine is on the board.
  await page.locator(".screen .first-ghost, .screen .second-ghost").first().waitFor();
  await isAccessible(page);
  await picture(page, "analysis");

  // The variation is entered as text, and an illegal turn is refused.
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.locator("#entry input").fill("zz99");
  await page.keyboard.press("Enter");
  await page.locator("#message:not(:empty)").waitFor();
}

/** One turn of a game, searched by an engine. */
async function start(page, game) {
  await page.goto(`${url}analysis?game=${game}`);
  await page.locator(".target.legal, .extra button").first().waitFor();
  await turn(page);
  if (await page.locator(".extra button[aria-label=d1]").count()) await turn(page);
  await page.locator("[data-do=search]").first().click();
  await lines(page).first().waitFor();
  assert.equal(await page.locator(".trouble:not(:empty)").count(), 0);
  await picture(page, `analysis-${game}`);
}

async function play(page) {
  await page.goto(`${url}play?game=tic-tac-toe`);
  await isAccessible(page);
  await picture(page, "play");
  await page.locator("[name=level]").selectOption({ index: 0 });
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL(/\/desk\/./);
  await page.locator(".target.legal").first().waitFor();
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator("#message", { hasText: "Hint:" }).waitFor();
  await page.locator(".target.legal").nth(4).dispatchEvent("click");
  await page.waitForFunction(() => document.querySelectorAll(".turns li").length >= 2);
  await picture(page, "play-hint");
}

await withBrowser(async (open) => {
  const page = await open({ operator: true });
  await logged(page);
  await page.goto(`${url}analysis`);
  const options = page.locator("[name=game] option");
  const games = await options.evaluateAll((all) => all.map(({ value }) => value));
  assert.ok(games.length >= 8);
  for (const game of games) await start(page, game);
  await play(page);
});
