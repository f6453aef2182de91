// What every page does: language and theme, and texts in the reader's language.

const words = JSON.parse(document.getElementById("words")?.textContent || "{}");

/** An English text in the language of the page. */
export const say = (english) => words[english] ?? english;

/** Lets a form take input: before its script listens, the browser would send it off. */
export function enable(form) {
  for (const field of form.elements) field.disabled = false;
}

function keep(name, value) {
  document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Strict`;
}

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

document.querySelector("[data-choose=theme]")?.addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  keep("theme", theme);
  document.documentElement.dataset.theme = theme;
});

document.querySelector("[data-choose=language]")?.addEventListener("click", (event) => {
  keep("language", event.currentTarget.dataset.value);
  location.reload();
});

// A filter acts as soon as it is changed, and the page stays where it is.
const filter = document.querySelector("form.filter");
if (filter) {
  filter.querySelector("button")?.remove();
  filter.addEventListener("change", () => {
    sessionStorage.setItem("scrolled", scrollY);
    filter.action = location.pathname;
    filter.requestSubmit();
  });
  const scrolled = sessionStorage.getItem("scrolled");
  sessionStorage.removeItem("scrolled");
  if (scrolled) addEventListener("load", () => scrollTo(0, scrolled));
}
