// An engine that fails at the desk: node failing.mjs URL ENGINE.

import { strict as assert } from "node:assert";
import { picture, withBrowser } from "./common.mjs";

const [url, engine] = process.argv.slice(2);

/** Waits until the desk has given the engine up. */
const givenUp = (page) => page.locator(".condition", { hasText: "failed too often" }).waitFor();

await withBrowser(async (open) => {
  const page = await open({ operator: true });
  await page.goto(`${url}desk?game=amazons`);
  // It does not play this game.
  assert.ok(await page.locator(`[name=engine0] option[value="${engine}"]`).isDisabled());
  await page.locator("[name=game]").selectOption("hex");
  await page.locator("[name=engine0]").selectOption(engine);
  await page.locator("[name=engine1]").selectOption("");
  await page.getByRole("button", { name: "Begin" }).click();
  await givenUp(page);
  await page.locator(".verdict", { hasText: "signal" }).waitFor();
  await picture(page, "desk-failing");
  const restarted = page.waitForResponse(/\/act$/);
  await page.getByRole("button", { name: "Restart the engine" }).click();
  assert.ok((await restarted).ok());
  await page.keyboard.type("a1");
  await page.keyboard.press("Enter");
  await page.locator(".turns li").first().waitFor();
});
