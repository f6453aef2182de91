// A league as it is played: the server sends the parts of the page that change.

const page = document.querySelector("[data-events]");
const source = new EventSource(page.dataset.events);

/** Replaces a part of the page by markup of the server. */
function replace(part, event) {
  const home = document.getElementById(part);
  // What is being clicked stays, and so does what has the focus without being a link.
  const focused = home.querySelector(":focus");
  if (home.matches(":active") || (focused && !focused.matches("a"))) return;
  home.innerHTML = JSON.parse(event.data);
  if (focused) home.querySelector(`a[href="${CSS.escape(focused.getAttribute("href"))}"]`)?.focus();
}

source.addEventListener("boards", (event) => replace("boards", event));
source.addEventListener("tables", (event) => replace("tables", event));
addEventListener("pagehide", () => source.close());
