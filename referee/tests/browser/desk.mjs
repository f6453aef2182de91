// The desk: node desk.mjs URL begin|go-on. `begin` plays all games but the last, whose session it
// leaves in the middle; `go-on` finds that session and ends it.

import { strict as assert } from "node:assert";
import { isAccessible, picture, withBrowser } from "./common.mjs";

const [url, part] = process.argv.slice(2);

/** Own turns after which a long game is resigned. */
const ENOUGH = 14;

const status = (page) => page.locator(".status").textContent();
const isOver = (page) => page.locator("[data-do=resign]").isDisabled();
const turns = (page) => page.locator(".turns li").count();

/** Waits until the operator is to act, or the game is over. */
async function wait(page) {
  await page.waitForFunction(() => {
    const { disabled } = document.querySelector("[data-do=resign]");
    return disabled || document.querySelector(".target.legal, .extra button");
  });
}

/** Enters one turn by clicks, at the middle of what is legal. */
async function click(page) {
  const before = await turns(page);
  while ((await turns(page)) === before && !(await isOver(page))) {
    await wait(page);
    if (await isOver(page)) return;
    await page.evaluate(() => {
      const legal = [...document.querySelectorAll(".target.legal, .extra button")];
      // The game may have gone on meanwhile.
      const chosen = legal[Math.floor(legal.length / 2)];
      chosen?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    });
    await page.waitForTimeout(30);
  }
}

async function begin(page, game) {
  await page.goto(`${url}desk?game=${game}`);
  await page.locator("[name=engine1]").selectOption("greedy");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL(/\/desk\/./);
  await wait(page);
}

/** An entry that cannot be is refused with the reason, and nothing changes. */
async function refuse(page) {
  const before = await turns(page);
  await page.keyboard.type("zz99");
  await page.keyboard.press("Enter");
  await page.locator("#message:not(:empty)").waitFor();
  assert.equal(await turns(page), before);
  await page.keyboard.press("Escape");
}

/** A turn is taken back and played again. */
async function correct(page) {
  // The last click may have begun another turn.
  await page.keyboard.press("Escape");
  // It may cross a turn on its way: then it is refused, and given again. The number of turns says nothing.
  const isCorrection = (response) => /\/act$/.test(response.url())
    && response.request().postDataJSON().operation === "correct";
  for (let tries = 5; ; tries -= 1) {
    const corrected = page.waitForResponse(isCorrection);
    await page.keyboard.press("F6");
    const answer = await corrected;
    if (answer.ok()) return;
    const reason = await answer.text();
    assert.ok(tries > 1 && reason.startsWith("the game has gone on"), reason);
  }
}

async function finish(page, own = 0) {
  for (; !(await isOver(page)); own += 1) {
    await click(page);
    await wait(page);
    if (own === 3 && !(await isOver(page))) await correct(page);
    if (own >= ENOUGH && !(await isOver(page))) {
      page.once("dialog", (dialog) => dialog.accept());
      await page.locator("[data-do=resign]").click();
      await page.waitForFunction(() => document.querySelector("[data-do=resign]").disabled);
    }
  }
  await page.locator("[data-do=save]").click();
  await page.locator("#message:not(:empty)").waitFor();
}

/** A session that was left before its first turn is apart from the others, and can be removed. */
async function remove(page, game) {
  const sessions = page.locator(".sessions li");
  await page.goto(`${url}desk`);
  const before = await sessions.count();
  await begin(page, game);
  const session = new URL(page.url()).pathname.split("/").at(-1);
  const other = await page.context().newPage();
  await other.goto(`${url}desk`);
  await other.getByRole("heading", { name: "Without a turn" }).waitFor();
  await isAccessible(other);
  await picture(other, "desk-unplayed");
  await other.getByRole("button", { name: `Remove ${session}` }).click();
  await other.getByRole("heading", { name: "Without a turn" }).waitFor({ state: "detached" });
  assert.equal(await other.locator(".sessions li").count(), before);
  await other.close();
  // Who still has it open sees that it is gone.
  await page.locator("#message", { hasText: "not open any more" }).waitFor();
}

/** The finished game is one click away. */
async function stepThrough(page) {
  await page.getByRole("link", { name: "Step through the game" }).click();
  await page.locator(".turns li").first().waitFor();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => location.hash === "#0");
}

/** Without its script a page must not take input: the browser would send it off. */
async function isClosedWithoutScript(page) {
  const markup = await (await page.request.get(page.url())).text();
  assert.match(markup, /<form id="entry"[^>]*><input [^>]*disabled/);
}

await withBrowser(async (open) => {
  const page = await open({ operator: true });
  await page.goto(`${url}desk`);
  const games = await page.locator("[name=game] option").evaluateAll(
    (options) => options.map((option) => option.value));
  const last = games.pop();
  if (part === "begin") {
    await isAccessible(page);
    await picture(page, "desk-begin");
    for (const game of games) {
      await begin(page, game);
      await isClosedWithoutScript(page);
      await refuse(page);
      await finish(page);
      if (game === "hex") {
        await picture(page, "desk-over");
        await isAccessible(page);
        await stepThrough(page);
      }
    }
    await remove(page, last);
    await begin(page, last);
    await click(page);
    await picture(page, "desk");
    await isAccessible(page);
  } else {
    await page.locator(`.sessions a[href*="${last}"]`).click();
    // While the server was away, no clock ran.
    const away = page.locator(".condition", { hasText: "The program did not run for" });
    await away.waitFor();
    await page.getByRole("button", { name: /^Charge \d/ }).waitFor();
    await picture(page, "desk-away");
    await isAccessible(page);
    await page.keyboard.press("F8");
    await away.waitFor({ state: "detached" });
    await wait(page);
    assert.ok((await turns(page)) >= 1);
    await page.getByRole("button", { name: "中文" }).click();
    await page.getByRole("button", { name: "认输" }).waitFor();
    await page.locator("#entry input").fill("zz99");
    await page.keyboard.press("Enter");
    await page.locator("#message", { hasText: "第1个字符：应为列字母a至c" }).waitFor();
    await picture(page, "desk-chinese");
    await finish(page, 4);
    // It is in the list of leagues, and can be stepped through.
    await page.goto(`${url}league/desk`);
    assert.equal(await page.locator("table.games tbody tr").count(), games.length + 1);
    await page.locator("table.games tbody a").first().click();
    await page.locator(".turns li").first().waitFor();
  }
});
