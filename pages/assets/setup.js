// What the forms that begin a game share.

import { send } from "/assets/send.js";

/** Offers only the engines that play the chosen game, and the fields of its variant. */
export function fit(fields) {
  const game = fields.game.value;
  for (const option of document.querySelectorAll("option[data-games]")) {
    const fits = option.dataset.games.split(" ").includes(game);
    option.hidden = option.disabled = !fits;
    if (!fits && option.selected) option.parentElement.selectedIndex = 0;
  }
  const own = document.querySelectorAll(".variant fieldset");
  for (const fieldset of own) fieldset.hidden = fieldset.disabled = fieldset.dataset.game !== game;
  document.querySelector(".variant").hidden = !document.querySelector(".variant fieldset:enabled label");
  mark();
}

const READ = {
  boolean: (text) => text === "true",
  number: Number,
  list: (text) => text.split(/\s+/).filter(Boolean),
  word: (text) => text,
};

/** The keys of the variant that were changed. */
export function variant() {
  const inputs = [...document.querySelectorAll(".variant fieldset:enabled [data-key]")];
  const changed = inputs.filter(({ value, dataset }) => value.trim() !== dataset.usual);
  return Object.fromEntries(changed.map(({ value, dataset: { key, kind } }) => [key, READ[kind](value.trim())]));
}

/** Says whether the rules are those of the contest. */
function mark() {
  const isUsual = Object.keys(variant()).length === 0;
  document.querySelector("[data-usual]:not([data-key])").hidden = !isUsual;
  document.querySelector("[data-own]").hidden = isUsual;
}

/** Lets a form begin with the game that was played last, unless its address names one. */
export function remember(fields) {
  const last = localStorage.getItem("game");
  const isKnown = [...fields.game.options].some(({ value }) => value === last);
  if (isKnown && !new URLSearchParams(location.search).has("game")) fields.game.value = last;
  document.querySelector(".variant").addEventListener("input", mark);
}

// Removes a session in which nothing was played.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-remove]");
  if (!button) return;
  const answer = await send(`/desk/${button.dataset.remove}/remove`, {});
  if (answer.ok) location.reload();
  else document.getElementById("removing").textContent = answer.text;
});

/** Begins a game and goes to its page, or shows why it cannot begin. */
export async function begin(wish) {
  localStorage.setItem("game", wish.game);
  const answer = await send("/begin", { ...wish, variant: variant() });
  if (answer.ok) location.href = `/desk/${encodeURIComponent(answer.text)}`;
  else document.getElementById("message").textContent = answer.text;
}
