// The review of a game on its page: node review.mjs URL LEAGUE GAME_WITHOUT_DICE GAME_WITH_DICE

import { strict as assert } from "node:assert";
import { isAccessible, picture, withBrowser } from "./common.mjs";

const [url, league, hex, einstein] = process.argv.slice(2);
const current = (page) => page.locator(".turns [aria-current]").getAttribute("data-ply");

/** Waits until the panel says that the game was reviewed. */
const reviewed = async (page) => {
  const state = page.locator(".review-state");
  try {
    await state.filter({ hasText: /^reviewed, / }).waitFor();
  } catch (error) {
    throw new Error(`${page.url()}: ${await state.textContent()}`, { cause: error });
  }
};

await withBrowser(async (open) => {
  const page = await open({ operator: true });
  await page.goto(`${url}game/${league}/${hex}`);
  assert.equal(await page.locator(".of-review:visible").count(), 0);
  await page.locator("[name=time]").selectOption("300");
  await page.locator("[value=begin]").click();
  await reviewed(page);
  assert.equal(await page.locator("progress:visible").count(), 0);

  // The next mistake is a turn with a mark, said in words; the key goes round.
  const marked = await page.locator(".turns li:has(.sign.inaccuracy, .sign.mistake, .sign.blunder)").evaluateAll(
    (rows) => rows.map((row) => row.dataset.ply));
  assert.ok(marked.length > 0, "greedy and random make mistakes");
  await page.keyboard.press("Home");
  for (const ply of [...marked, marked[0]]) {
    await page.keyboard.press("m");
    assert.equal(await current(page), ply);
    assert.match(await page.locator(".judged").textContent(), /−\d+\.\d % · .+better: /);
    assert.notEqual(await page.locator(".screen").getAttribute("data-mark"), "");
  }
  // The better line is on the board until the next step.
  const played = await page.locator(".screen").innerHTML();
  await page.keyboard.press("b");
  await page.locator(".screen svg:not(:has([data-layer]))").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".screen").innerHTML(), played);

  // Curve, sums, and where it turned.
  assert.match(await page.locator(".chances path.chance").getAttribute("d"), /^M.*L/);
  assert.equal(await page.locator(".of-dice:visible").count(), 0);
  assert.equal(await page.locator(".review-sums tbody tr").count(), 5);
  const turned = page.locator(".turned button").first();
  await turned.click();
  assert.equal(await current(page), await turned.getAttribute("data-ply"));
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await isAccessible(page);
    await picture(page, `review-${colorScheme}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  assert.ok((await page.evaluate(overflow)) <= 0, "the page is as wide as a phone");
  await picture(page, "review-phone");

  // Who only looks sees the review and cannot begin one.
  const looker = await open();
  await looker.goto(`${url}game/${league}/${hex}`);
  await reviewed(looker);
  assert.equal(await looker.locator(".review-form").count(), 0);
  assert.ok(await looker.locator(".turns .sign").count());

  // A record that is dropped on the first page is reviewed at once; what is none says why.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(url);
  const drop = (name, text) => page.locator(".drop input").setInputFiles({
    name, mimeType: "text/plain", buffer: Buffer.from(text),
  });
  await drop("none.txt", "no game at all");
  await page.locator(".drop .said p", { hasText: /^none\.txt:1/ }).waitFor();
  await picture(page, "review-drop");
  await drop("lost.sgf", "(;FF[4]GM[11]SZ[5]PB[we]PW[MoHex];B[a1];W[c3];B[e5];W[b3];B[d1];W[d3])");
  await page.waitForURL(/game\/records\//);
  await reviewed(page);
  assert.ok((await page.locator(".turned li").count()) > 0);

  // Luck is told apart from choice. A review is stopped, and one with less time takes its place.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${url}game/${league}/${einstein}`);
  await page.locator("[name=time]").selectOption("10000");
  await page.locator("[value=begin]").click();
  await page.locator("[value=stop]").click();
  await page.locator(".review-state", { hasText: /^stopped: \d+ \/ \d+ positions, 10 s / }).waitFor();
  await page.locator("[name=time]").selectOption("300");
  await page.locator("[value=begin]").click();
  await reviewed(page);
  assert.equal(await page.locator(".chances path.luck, .chances path.choice").count(), 2);
  assert.match(await page.locator(".review-sums tbody td").last().textContent(), /^[+−]\d+\.\d %$/);
  assert.equal(await page.locator(".review-sums tbody tr").count(), 6);
  await picture(page, "review-dice");
  // All reviews of the league together.
  await page.goto(`${url}league/${league}`);
  await page.getByRole("link", { name: "Reviews of these games" }).click();
  assert.match(await page.locator(".facts").textContent(), /2 of 4 games are reviewed/);
  assert.equal(await page.locator("section").first().locator("tbody tr").count(), 2);
  const place = await page.locator(".worst a").first().getAttribute("href");
  assert.match(place, new RegExp(`^/game/${league}/.+#\\d+$`));
  assert.equal(await page.locator(".worst a svg").count(), await page.locator(".worst a").count());
  await isAccessible(page);
  await picture(page, "review-league");
  await page.locator(".worst a").first().click();
  await reviewed(page);
  assert.equal(await current(page), place.split("#")[1]);
  await page.goto(`${url}game/${league}/${einstein}`);
  await reviewed(page);
  await page.locator("[data-choose=language]").click();
  await page.waitForURL(/game/);
  await page.locator(".review-sums th", { hasText: "运气" }).waitFor();
  await picture(page, "review-chinese");
});
