// Leagues and games: node pages.mjs URL LEAGUE HOSTILE_NAME

import { strict as assert } from "node:assert";
import { isAccessible, picture, withBrowser } from "./common.mjs";

const [url, league, hostile] = process.argv.slice(2);

/** The number of shapes of a board that change during a game. */
const shapes = (page) => page.locator(".screen [data-layer] > *").count();
const current = (page) => page.locator(".turns [aria-current]").getAttribute("data-ply");

/** Steps through the game that a viewer shows. */
async function step(page) {
  const turns = await page.locator(".turns li").count();
  assert.ok(turns > 1);
  await page.locator(".screen svg [data-layer]").first().waitFor({ state: "attached" });
  await page.keyboard.press("End");
  assert.equal(await current(page), String(turns));
  const last = await page.locator(".screen").innerHTML();
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".turns [aria-current]").count(), 0);
  assert.notEqual(await page.locator(".screen").innerHTML(), last);
  await page.keyboard.press("ArrowRight");
  assert.equal(await current(page), "1");
  await page.locator("[data-step=forward]").click();
  assert.equal(await current(page), "2");
  await page.locator(".turns li").nth(0).click();
  assert.equal(await current(page), "1");
  await page.locator(".stage input[type=range]").fill(String(turns));
  assert.equal(await page.locator(".screen").innerHTML(), last);
  // The engine's line is shown until the next step.
  await page.keyboard.press("l");
  await page.locator(".screen svg:not(:has([data-layer]))").waitFor();
  await page.keyboard.press("End");
  assert.equal(await page.locator(".screen").innerHTML(), last);
  // Turning points are buttons, and the key steps through them.
  for (const swing of await page.locator(".swings button").all()) {
    await swing.click();
    assert.equal(await current(page), await swing.getAttribute("data-ply"));
    assert.ok((await shapes(page)) > 0);
    await page.keyboard.press("s");
  }
  // The charts say their scale and viewpoint, have the colours of the pieces, and tell values.
  assert.match(await page.locator(".viewpoint").textContent(), /^for First \((red|blue|black|white|crosses|noughts)\)$/);
  const [first, second] = await page.locator(".legend .swatch").evaluateAll(
    (swatches) => swatches.map((swatch) => getComputedStyle(swatch).backgroundColor));
  assert.notEqual(first, second);
  const bars = await page.locator(".times rect").evaluateAll(
    (rects) => rects.map((rect) => getComputedStyle(rect).fill));
  assert.ok(bars.every((fill) => fill === first || fill === second), String(bars));
  await page.locator(".scores svg").hover();
  assert.match(await page.locator(".readout").textContent(), /^\d+\. /);
}

await withBrowser(async (open) => {
  const page = await open();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.goto(url);
    await page.getByRole("link", { name: league }).waitFor();
    await isAccessible(page);
    await picture(page, `leagues-${colorScheme}`);
  }

  // Names of engines are text, whatever is in them.
  await page.getByText(hostile).first().waitFor();

  await page.getByRole("link", { name: league }).click();
  await page.getByRole("heading", { name: "Ratings" }).waitFor();
  const games = await page.locator("table.games tbody tr").count();
  await isAccessible(page);
  await picture(page, "league");

  // The verdict: how far the league is, who leads, what failed; the same for each game.
  const verdict = page.locator(".verdict");
  assert.match(await verdict.textContent(), new RegExp(`finished, ${games} of ${games} games`));
  assert.match(await verdict.textContent(), /of the points/);
  assert.match(await verdict.textContent(), /Nothing failed/);
  await page.goto(`${url}league/${league}?game=hex`);
  assert.match(await page.locator("p.facts").first().textContent(), /^2 games · 2 engines/);
  assert.equal(await page.locator("td.own").count(), 2);
  await page.goto(`${url}league/${league}`);

  // A heading sorts, and turns the order round.
  const turns = async () => (await page.locator("td.turns").allTextContents()).map(Number);
  for (const [order, sign] of [["descending", -1], ["ascending", 1]]) {
    await page.locator("th .sort", { hasText: "turns" }).click();
    await page.locator(`th[aria-sort=${order}]`).waitFor();
    const shown = await turns();
    assert.deepEqual(shown, shown.toSorted((a, b) => sign * (a - b)));
  }

  // Who lost, by links that failures have, too.
  await page.locator("select[name=loser]").selectOption(hostile);
  await page.waitForURL(/loser=/);
  for (const row of await page.locator("table.games tbody tr").all()) {
    assert.notEqual(await row.locator("strong").textContent(), hostile);
  }
  await page.goto(`${url}league/${league}`);

  // A filter acts at once, and its address can be sent.
  await page.locator("select[name=game]").selectOption("hex");
  await page.waitForURL(/game=hex/);
  const fewer = await page.locator("table.games tbody tr").count();
  assert.ok(fewer > 0 && fewer < games);

  // One game of each kind.
  await page.goto(`${url}league/${league}`);
  const kinds = await page.locator("select[name=game] option").evaluateAll(
    (options) => options.map((option) => option.value).filter(Boolean));
  assert.equal(kinds.length, 8);
  for (const kind of kinds) {
    await page.goto(`${url}league/${league}?game=${kind}`);
    await page.locator("table.games tbody a").first().click();
    await page.waitForURL(/\/game\//);
    await page.locator(".turns li").first().waitFor();
    await step(page);
    await page.keyboard.press("End");
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, `game-${kind}-dark`);
    await page.emulateMedia({ colorScheme: "light" });
    await picture(page, `game-${kind}-light`);
    await isAccessible(page);
  }

  // The address names the position.
  const address = page.url().replace(/#.*/, "#2");
  const other = await open();
  await other.goto(address);
  await other.locator(".turns [aria-current]").waitFor();
  assert.equal(await current(other), "2");

  // Every format of records can be saved.
  for (const link of await other.locator(".export a").all()) {
    const saved = await other.request.get(new URL(await link.getAttribute("href"), url).href);
    assert.equal(saved.status(), 200, await saved.text());
    assert.ok((await saved.body()).length > 10);
  }

  // Language and theme are kept.
  await other.getByRole("button", { name: "中文" }).click();
  await other.getByText("每手用时").waitFor();
  await other.getByRole("button", { name: "主题" }).click();
  assert.equal(await other.locator("html").getAttribute("data-theme"), "dark");
  await other.goto(url);
  assert.equal(await other.locator("html").getAttribute("data-theme"), "dark");
  await other.getByRole("heading", { name: "联赛" }).waitFor();
  await isAccessible(other);

  // A small screen has no page that is wider than it.
  const small = await open({ operator: true, viewport: { width: 360, height: 740 } });
  for (const place of [url, `${url}league/${league}`, address, `${url}play`, `${url}desk`, `${url}analysis`]) {
    await small.goto(place);
    await small.waitForLoadState("networkidle");
    const width = await small.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${place}: ${width}`);
    const cut = await small.locator(".ratings, table.games").evaluateAll(
      (tables) => tables.filter(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth > clientWidth).length);
    assert.equal(cut, 0, place);
  }
  await picture(small, "game-small");
});
