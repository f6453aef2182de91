// A report as a file: node report.mjs FILE HOSTILE_NAME

import { strict as assert } from "node:assert";
import { pathToFileURL } from "node:url";
import { isAccessible, picture, withBrowser } from "./common.mjs";

const [file, hostile] = process.argv.slice(2);
const url = pathToFileURL(file).href;

await withBrowser(async (open) => {
  const page = await open();
  await page.goto(url);
  await page.getByText(hostile).first().waitFor();
  await page.getByRole("heading", { name: "Use of time" }).waitFor();
  await isAccessible(page);
  await picture(page, "report");

  // Each game is a replay.
  const rows = page.locator("tr[data-id]");
  for (let index = 0; index < (await rows.count()); index += 5) {
    await rows.nth(index).getByRole("link").click();
    const turns = await page.locator("dialog .turns li").count();
    assert.ok(turns > 0);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("dialog [aria-current]").getAttribute("data-ply"), "1");
    await page.getByRole("button", { name: "close" }).click();
  }

  // A slow turn leads to its position.
  const slow = page.locator("a[data-ply]").first();
  const ply = await slow.getAttribute("data-ply");
  await slow.click();
  assert.equal(await page.locator("dialog [aria-current]").getAttribute("data-ply"), ply);
  await isAccessible(page);
  await picture(page, "report-game");
  await page.keyboard.press("Escape");

  // The search leaves the rows that fit.
  await page.getByRole("searchbox").fill("hex");
  const shown = await page.locator("tr[data-id]:visible").allTextContents();
  assert.ok(shown.length > 0 && shown.every((text) => text.toLowerCase().includes("hex")));

  // A heading sorts, and turns the order round.
  await page.getByRole("searchbox").fill("");
  const turns = async () => (await page.locator("#games td.turns").allTextContents()).map(Number);
  for (const sign of [-1, 1]) {
    await page.getByRole("button", { name: "turns" }).click();
    const order = await turns();
    assert.deepEqual(order, order.toSorted((a, b) => sign * (a - b)));
  }

  // The address names a game.
  const id = await rows.nth(0).getAttribute("data-id");
  const other = await open();
  await other.goto(`${url}#${encodeURIComponent(id)}`);
  await other.locator("dialog .turns li").first().waitFor();
});
