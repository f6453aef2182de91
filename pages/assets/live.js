// A league as it is played: the server sends the parts of the page that change.

const page = document.querySelector("[data-events]");
const source = new EventSource(page.dataset.events);

/** Replaces a part of the page by markup of the server. */
function replace(part, event) {
  const home = document.getElementById(part);
  // What somebody points at or has focused stays until they leave it.
  if (home.matches(":focus-within")) return;
  home.innerHTML = JSON.parse(event.data);
}

source.addEventListener("boards", (event) => replace("boards", event));
source.addEventListener("tables", (event) => replace("tables", event));
addEventListener("pagehide", () => source.close());
