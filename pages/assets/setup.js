// What the forms that begin a game share.

import { send } from "/assets/base.js";

/** Offers only the engines that play the chosen game, and shows its usual variant. */
export function fit(fields) {
  const game = fields.game.value;
  fields.variant.placeholder = fields.game.selectedOptions[0].dataset.variant;
  for (const option of document.querySelectorAll("option[data-games]")) {
    const fits = option.dataset.games.split(" ").includes(game);
    option.hidden = option.disabled = !fits;
    if (!fits && option.selected) option.parentElement.selectedIndex = 0;
  }
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
  const answer = await send("/begin", wish);
  if (answer.ok) location.href = `/desk/${encodeURIComponent(answer.text)}`;
  else document.getElementById("message").textContent = answer.text;
}
