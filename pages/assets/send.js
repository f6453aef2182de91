// What a page sends to change something, and the key that shows that it may.

import { say } from "/assets/base.js";

/** Where the operator's key is stored. */
const NAME = "key";

/** Keeps the operator's key, if the browser stores anything. */
export function keepKey(key) {
  try {
    localStorage.setItem(NAME, key);
  } catch {
    // Then this browser only looks, and is told so.
  }
}

function storedKey() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** Sends JSON: whether it was accepted, and the text of the answer, which may be the reason why not. */
export const send = (address, data) => post(address, "application/json", JSON.stringify(data));

/** Sends a file as it is. */
export const sendFile = (address, file) => post(address, "application/octet-stream", file);

async function post(address, type, body) {
  try {
    const headers = { "content-type": type, "x-referee-key": storedKey() };
    const answer = await fetch(address, { method: "POST", headers, body });
    return { ok: answer.ok, text: await answer.text() };
  } catch {
    return { ok: false, text: say("The server does not answer.") };
  }
}
