// A report: its games open as replays. Its address names the game: `#hex-r1-a-b`.

import { Viewer } from "/assets/viewer.js";

const data = JSON.parse(document.getElementById("data").textContent);
const dialog = document.getElementById("replay");
const root = dialog.querySelector(".game").cloneNode(true);
const rows = [...document.querySelectorAll("tr[data-id]")];
let viewer;

/** Opens a game after `ply` turns and rolls, at its end without. */
function open(id, ply) {
  const shown = data.films[id];
  if (!shown) return;
  const home = root.cloneNode(true);
  dialog.querySelector(".game").replaceWith(home);
  const row = rows.find((row) => row.dataset.id === id);
  const [first, second, result, reason] = [...row.cells].slice(-7).map((cell) => cell.textContent);
  home.querySelector(".first .name").textContent = first;
  home.querySelector(".second .name").textContent = second;
  home.querySelector(".result").textContent = `${result}: ${reason}`;
  home.querySelector(".legend .first").textContent = first;
  home.querySelector(".legend .second").textContent = second;
  dialog.querySelector("h2").textContent = id;
  viewer = new Viewer(home, { scenery: data.sceneries[shown.scenery], film: shown.film });
  if (!dialog.open) dialog.showModal();
  viewer.show(ply ?? viewer.last);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-open], tr[data-id] a");
  if (!link) return;
  event.preventDefault();
  open(link.dataset.open ?? link.closest("tr").dataset.id, link.dataset.ply && Number(link.dataset.ply));
});
dialog.addEventListener("keydown", (event) => viewer?.key(event));

document.getElementById("search").addEventListener("input", (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});

if (location.hash) open(decodeURIComponent(location.hash.slice(1)));
