// Begins the review of a game and shows it as it is made.

import { say } from "/assets/base.js";
import { send } from "/assets/send.js";

/** Under this name the session keeps the address of a review that is to begin by itself. */
export const REVIEW = "review";

/** Follows the review of the game in `root` and gives it to the viewer. */
export function followReview(root, viewer) {
  const panel = document.querySelector(".review-panel");
  const find = (selector) => panel.querySelector(selector);
  const [bar, state] = [find("progress"), find(".review-state")];
  const [start, stop] = [find("[value=begin]"), find("[value=stop]")];
  const address = root.dataset.review;
  let source;

  function show(news) {
    const [searched, points] = news.points ?? [0, 0];
    if (news.review) viewer.judge(news.review);
    bar.hidden = !news.running;
    bar.max = points || 1;
    bar.value = searched;
    if (start) [start.disabled, stop.hidden] = [news.running, !news.running];
    if (!news.running) source.close();
    state.classList.toggle("fault", Boolean(news.fault));
    state.textContent = news.fault ?? told(news, searched, points);
  }

  function told({ running, review, move_time: time }, searched, points) {
    if (!review) return start ? "" : say("This game was not reviewed yet.");
    const seconds = time ? `, ${time / 1000} s ${say("for a position")}` : "";
    const count = `${searched} / ${points} ${say("positions")}`;
    if (running) return `${count}${seconds}`;
    return searched < points ? `${say("stopped")}${say(": ")}${count}${seconds}` : `${say("reviewed")}${seconds}`;
  }

  function follow() {
    source?.close();
    source = new EventSource(address);
    source.addEventListener("review", (event) => show(JSON.parse(event.data)));
  }

  async function ask(wish) {
    const answer = await send(address, wish);
    if (!answer.ok) {
      state.classList.add("fault");
      state.textContent = answer.text;
      return;
    }
    follow();
  }

  const form = find("form");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    ask({ begin: Number(form.elements.time.value) });
  });
  stop?.addEventListener("click", () => ask("stop"));
  addEventListener("pagehide", () => source?.close());
  follow();
  if (form && sessionStorage.getItem(REVIEW) === address) {
    sessionStorage.removeItem(REVIEW);
    ask({ begin: Number(form.elements.time.value) });
  }
}
