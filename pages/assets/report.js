// A report: its games open as replays. Its address names the game: `#hex-r1-a-b`.

import { say } from "/assets/base.js";
import { ReviewedViewer } from "/assets/reviewed.js";

const data = JSON.parse(document.getElementById("data").textContent);
const dialog = document.getElementById("replay");
const root = dialog.querySelector(".game").cloneNode(true);
const rows = [...document.querySelectorAll("tr[data-id]")];
let viewer;

/** Opens a game after `ply` turns and rolls, at its end without. */
function open(id, ply) {
  const shown = data.games[id];
  if (!shown) return;
  const home = root.cloneNode(true);
  dialog.querySelector(".game").replaceWith(home);
  const row = rows.find((row) => row.dataset.id === id);
  const [first, second, result, reason] = [...row.cells].slice(-7).map((cell) => cell.firstChild.textContent);
  home.querySelector(".first .name").textContent = first;
  home.querySelector(".second .name").textContent = second;
  home.querySelector(".result").textContent = `${result}${say(": ")}${reason}`;
  home.querySelector(".legend .first").textContent = first;
  home.querySelector(".legend .second").textContent = second;
  dialog.querySelector("h2").textContent = id;
  viewer = new ReviewedViewer(home, { scenery: data.sceneries[shown.scenery], game: shown.game });
  if (!dialog.open) dialog.showModal();
  viewer.show(ply ?? viewer.last);
  if (shown.review) viewer.judge(shown.review);
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

/** What a cell is sorted by. */
const key = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.order === undefined ? cell.textContent : Number(cell.dataset.order);
};

// A heading sorts by its column, and turns the order round; numbers begin with the largest.
document.querySelector("#games thead")?.addEventListener("click", (event) => {
  const heading = event.target.closest("th");
  if (!event.target.closest(".sort")) return;
  const column = heading.cellIndex;
  const before = heading.ariaSort;
  const falls = before ? before === "ascending" : heading.matches(".number");
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
  const sign = falls ? -1 : 1;
  const sorted = [...rows].sort((a, b) => {
    const [one, other] = [key(a, column), key(b, column)];
    return sign * (typeof one === "number" ? one - other : one.localeCompare(other));
  });
  rows[0]?.parentElement.append(...sorted);
});

if (location.hash) open(decodeURIComponent(location.hash.slice(1)));
