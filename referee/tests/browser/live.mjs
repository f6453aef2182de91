// A game as it is played: node live.mjs URL LEAGUE PACE. The league runs while this script follows its
// first game; its engines play as many turns as the file PACE says.

import { strict as assert } from "node:assert";
import { writeFileSync } from "node:fs";
import { isAccessible, picture, withBrowser } from "./common.mjs";

const [url, league, pace] = process.argv.slice(2);

const turns = (page) => page.locator(".turns li").count();
const current = (page) => page.locator(".turns [aria-current]").getAttribute("data-ply");
const shapes = (page) => page.locator(".screen [data-layer] > *").count();

/** Lets the game go on to this number of turns, and waits until the page shows them. */
async function play(page, count) {
  writeFileSync(pace, String(count));
  await page.waitForFunction((wanted) => document.querySelectorAll(".turns li").length === wanted, count);
}

await withBrowser(async (open) => {
  const page = await open();
  await page.goto(`${url}league/${league}`);
  const board = page.locator("a.small");
  // Its board changes, and the link keeps the focus.
  await board.focus();
  const start = await board.innerHTML();
  writeFileSync(pace, "3");
  await page.waitForFunction((old) => document.querySelector("a.small").innerHTML !== old, start);
  assert.ok(await board.evaluate((link) => link === document.activeElement));
  await isAccessible(page);
  await picture(page, "live-league");
  await board.click();
  await page.waitForURL(/\/live\//);
  const id = new URL(page.url()).pathname.split("/").at(-1);

  // The page follows the game.
  await play(page, 4);
  const before = await shapes(page);
  await play(page, 24);
  assert.ok((await shapes(page)) > before);
  assert.equal(await current(page), "24");
  await page.locator(".players .thinks .clock:not(:empty)").first().waitFor();
  await page.locator(".report-line p", { hasText: "depth" }).first().waitFor();
  await isAccessible(page);
  await picture(page, "live");

  // Who looks at an earlier turn stays there, and the list of turns grows.
  await page.locator(".turns li").first().click();
  await play(page, 25);
  assert.equal(await current(page), "1");
  assert.equal(await page.locator(".players .thinks").count(), 0);

  // Another reader, in Chinese, at night, and one at the address that the game will have.
  const other = await open({ locale: "zh-CN", colorScheme: "dark" });
  await other.goto(`${url}game/${league}/${id}`);
  await other.waitForURL(/\/live\//);
  await other.getByText("进行中").waitFor();
  await play(other, 26);
  await isAccessible(other);
  await picture(other, "live-dark");
  const small = await open({ viewport: { width: 360, height: 740 } });
  await small.goto(page.url());
  await play(small, 27);
  assert.ok((await small.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await picture(small, "live-small");

  // At the end the page of the finished game takes the place of this one: at the turn that its reader
  // looks at, or at the last.
  writeFileSync(pace, "1000");
  await page.waitForURL(new RegExp(`/game/.*${id}#1$`));
  await other.waitForURL(new RegExp(`/game/.*${id}#[0-9]+$`));
  await other.locator(".turns li").first().waitFor();
  assert.equal(await current(other), String(await turns(other)));

  // The old address leads there, too.
  await page.goto(`${url}live/${league}/${id}`);
  await page.waitForURL(/\/game\//);
  await page.locator(".players .result").waitFor();
});
