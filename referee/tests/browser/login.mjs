// Who may act: node login.mjs URL. Without the token pages say in words how to get it; a code that is
// entered gives it once, and so does the file, in every window.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isAccessible, picture, withBrowser } from "./common.mjs";

const [url] = process.argv.slice(2);

/** The code that the file has now. */
function code() {
  const text = readFileSync(fileURLToPath(process.env.REFEREE_FILE), "utf8");
  return /name="code" value="([0-9a-f]+)"/.exec(text)[1];
}

const notice = (page) => page.locator(".notice.looks");

async function begin(page) {
  await page.goto(`${url}desk?game=hex`);
  await page.getByRole("button", { name: "Begin" }).click();
}

/** Everybody sees the desk, and is told how to act. */
async function look(page) {
  await begin(page);
  await page.locator("#message", { hasText: "This page only looks. To act, open the file" }).waitFor();
  await isAccessible(page);
  await picture(page, "looks");
  for (const place of ["play", "analysis"]) {
    await page.goto(`${url}${place}`);
    await notice(page).waitFor();
  }
}

async function enter(page, text) {
  await page.getByRole("textbox", { name: "code" }).fill(text);
  await page.getByRole("button", { name: "Enter" }).click();
}

/** A code is entered by hand: a wrong one, the right one, and the right one again. */
async function login(page) {
  await page.goto(`${url}desk`);
  await notice(page).getByRole("link").click();
  await isAccessible(page);
  await enter(page, "wrong");
  await page.getByRole("alert").filter({ hasText: "wrong or was used before" }).waitFor();
  const right = code();
  await enter(page, right);
  await page.waitForURL(url);
  await page.goto(`${url}login`);
  await enter(page, right);
  await page.getByRole("alert").waitFor();
  assert.ok(!page.url().includes(right));
}

await withBrowser(async (open) => {
  const page = await open({ looker: true });
  await look(page);
  const chinese = await open({ looker: true, locale: "zh-CN" });
  await chinese.goto(`${url}desk`);
  await notice(chinese).filter({ hasText: "本页仅供查看" }).waitFor();
  await login(page);
  await begin(page);
  await page.waitForURL(/\/desk\/./);
  await page.locator(".screen svg").waitFor();
  assert.equal(await notice(page).count(), 0);

  // Who looks sees the session as it changes, and the file lets another browser act, too.
  await chinese.goto(page.url());
  await chinese.locator(".screen svg").waitFor();
  await notice(chinese).waitFor();
  const second = await open({ operator: true });
  await begin(second);
  await second.waitForURL(/\/desk\/./);
});
