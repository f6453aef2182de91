// A game as it is played: the server sends it with every turn. When it is over, its page in the log
// takes the place of this one.

import { say } from "/assets/base.js";
import { Viewer, clock, score } from "/assets/viewer.js";

const root = document.querySelector(".game");
const SIDES = ["first", "second"];

/** What the server last said, and when. */
let news;
let told;
let viewer;

/** A viewer that stays at the last turn, unless its reader looks at another. */
class Follower extends Viewer {
  follow(shown) {
    const place = this.ply < this.last ? this.ply : Infinity;
    this.load(shown);
    this.show(place);
  }

  show(ply) {
    super.show(ply);
    tick();
  }

  /** What both engines reported last, of the turns up to the one that is shown. */
  report() {
    const moments = this.game.moments.slice(0, this.ply).reverse();
    const lines = SIDES.map((side) => {
      const moment = moments.find((one) => one.side === side && (one.depth || one.score || one.pv || one.remark));
      return moment && this.line(side, moment);
    });
    this.find(".report-line").replaceChildren(...lines.filter(Boolean));
  }

  line(side, moment) {
    const name = document.createElement("strong");
    name.textContent = this.find(`.${side} .name`).textContent;
    const facts = [
      score(moment),
      moment.depth && `${say("depth")} ${moment.depth}`,
      moment.nodes && `${moment.nodes.toLocaleString("en")} ${say("nodes")}`,
    ];
    const pv = document.createElement("span");
    pv.className = "code";
    pv.textContent = moment.pv ?? "";
    const line = document.createElement("p");
    line.append(name, ` ${facts.filter(Boolean).join(" · ")} `, pv);
    return line;
  }
}

/** Lets the clock of the side that thinks run, if the last turn is shown. */
function tick() {
  const thought = news.thought_ms + performance.now() - told;
  const isLast = viewer.ply === viewer.last;
  SIDES.forEach((side, index) => {
    const player = root.querySelector(`.players .${side}`);
    const thinks = isLast && news.thinks === side;
    player.classList.toggle("thinks", thinks);
    const left = viewer.game.clocks[index].at(-1);
    if (!thinks || left === null) return;
    player.querySelector(".clock").textContent = clock(Math.max(0, left - Math.max(0, thought - news.delay_ms)));
  });
  const thinks = isLast && news.thinks;
  root.querySelector(".thought").textContent = thinks ? `${say("thinking …")} ${Math.floor(thought / 1000)} s` : "";
}

const source = new EventSource(root.dataset.follow);
source.addEventListener("game", (event) => {
  news = JSON.parse(event.data);
  told = performance.now();
  if (viewer) return viewer.follow(news);
  viewer = new Follower(root, news);
  viewer.pictureOfLine = async (ply) => (await fetch(`${root.dataset.line}?ply=${ply}`)).text();
  addEventListener("keydown", (event) => viewer.key(event));
  viewer.show(viewer.last);
  setInterval(tick, 100);
});
source.addEventListener("over", (event) => {
  source.close();
  const place = viewer && viewer.ply < viewer.last ? `#${viewer.ply}` : "";
  location.replace(JSON.parse(event.data) + place);
});
source.addEventListener("gone", () => {
  source.close();
  document.getElementById("gone").hidden = false;
});
addEventListener("pagehide", () => source.close());
