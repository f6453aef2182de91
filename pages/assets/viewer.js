// Steps through a game: board, clocks, scores, times and turns.

import { say } from "/assets/base.js";
import { Board } from "/assets/board.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [1000, 100];
const SIDES = ["first", "second"];

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function cell(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Milliseconds as on a clock; tenths in the last ten seconds. */
export function clock(ms) {
  if (ms === null || ms === undefined) return "";
  const seconds = Math.floor(ms / 1000);
  const tenths = ms < 10000 ? `.${Math.floor((ms % 1000) / 100)}` : "";
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}${tenths}`;
}

/** The time of a turn. */
function used(moment) {
  if (moment.opening) return say("opening");
  if (!moment.used_ms) return "";
  const seconds = moment.used_ms / 1000;
  return `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`;
}

/** A score, shortened: `+0.31`, `win 5`. */
export function score(moment) {
  const [kind, value] = (moment.score ?? "").split(" ");
  if (kind !== "cp") return moment.score ?? "";
  return `${value < 0 ? "−" : "+"}${(Math.abs(value) / 100).toFixed(2)}`;
}

export class Viewer {
  /** A viewer of a film in `root`, which has the elements of `site/viewer.rs`. */
  constructor(root, shown) {
    this.root = root;
    this.slider = this.find("input[type=range]");
    this.load(shown);
    this.listen();
  }

  /** Takes another film in place of this one; `show` shows it. */
  load({ scenery, film }) {
    this.film = film;
    this.last = film.changes.length - 1;
    this.board = new Board(this.find(".screen"), scenery, film);
    this.slider.max = this.last;
    this.turns = film.moments.map((moment, index) => this.row(moment, index + 1));
    this.find(".turns").replaceChildren(...this.turns);
    this.cursors = [this.scores(), this.times()].map((svg) => {
      const cursor = drawn("line", { class: "now", y1: 0, y2: HEIGHT });
      svg.append(cursor);
      return cursor;
    });
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  /** A turn in the list of turns. */
  row(moment, ply) {
    const item = document.createElement("li");
    item.dataset.ply = ply;
    item.append(
      cell("span", "quiet", `${ply}.`),
      cell("span", `code ${moment.side}`, moment.text),
      cell("span", "number quiet", used(moment)),
      cell("span", "number", score(moment)),
    );
    return item;
  }

  // ── Curves ──

  x(ply) {
    return this.last ? (WIDTH * ply) / this.last : 0;
  }

  plot(selector) {
    const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.find(selector).replaceChildren(svg);
    const follow = (event) => {
      const box = svg.getBoundingClientRect();
      this.show(Math.round(((event.clientX - box.left) / box.width) * this.last));
    };
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      svg.onpointermove = follow;
      follow(event);
    });
    svg.addEventListener("pointerup", () => (svg.onpointermove = null));
    return svg;
  }

  scores() {
    const svg = this.plot(".scores");
    svg.append(drawn("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    for (const side of SIDES) {
      let path = "";
      this.film.moments.forEach((moment, index) => {
        if (moment.side !== side || moment.height === undefined) return;
        const y = (HEIGHT / 2) * (1 - 0.96 * moment.height);
        path += `${path ? "L" : "M"}${this.x(index + 1).toFixed(1)} ${y.toFixed(1)}`;
      });
      svg.append(drawn("path", { class: side, d: path }));
    }
    return svg;
  }

  times() {
    const svg = this.plot(".times");
    const moments = this.film.moments;
    const most = Math.max(1, ...moments.map((moment) => moment.used_ms ?? 0));
    const width = (0.8 * WIDTH) / Math.max(1, this.last);
    moments.forEach((moment, index) => {
      const height = (HEIGHT * (moment.used_ms ?? 0)) / most;
      const [x, y] = [this.x(index + 1) - width / 2, HEIGHT - height];
      svg.append(drawn("rect", { class: moment.side, x, y, width, height }));
    });
    return svg;
  }

  /** The turn at which an engine's score changed most since its turn before. */
  swing() {
    let [turn, most] = [this.ply, 0];
    const before = {};
    this.film.moments.forEach((moment, index) => {
      if (moment.height === undefined) return;
      const change = Math.abs(moment.height - (before[moment.side] ?? moment.height));
      if (change > most) [turn, most] = [index + 1, change];
      before[moment.side] = moment.height;
    });
    return turn;
  }

  /** Shows the line that the engine of the last turn reported, until the next step. */
  async showLine(ply) {
    const picture = await this.pictureOfLine?.(ply);
    if (picture && ply === this.ply) this.board.replace(picture);
  }

  // ── Steps ──

  /** Shows the position after `ply` turns and rolls. */
  show(ply) {
    this.ply = Math.min(this.last, Math.max(0, ply || 0));
    this.board.show(this.ply);
    this.slider.value = this.ply;
    for (const cursor of this.cursors) {
      cursor.setAttribute("x1", this.x(this.ply));
      cursor.setAttribute("x2", this.x(this.ply));
    }
    this.turns.forEach((turn, index) => {
      if (index + 1 === this.ply) turn.setAttribute("aria-current", "step");
      else turn.removeAttribute("aria-current");
    });
    this.scroll(this.turns[this.ply - 1] ?? this.turns[0]);
    this.report(this.film.moments[this.ply - 1]);
    SIDES.forEach((side, index) => {
      const left = this.film.clocks[index][this.ply];
      this.find(`.${side} .clock`).textContent = clock(left);
    });
    this.onshow?.(this.ply);
  }

  /** Scrolls the list of turns, never the page. */
  scroll(turn) {
    const list = turn?.parentElement;
    if (!list) return;
    const top = turn.offsetTop - list.offsetTop;
    const bottom = top + turn.offsetHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }

  report(moment) {
    const parts = [
      moment?.depth && `${say("depth")} ${moment.depth}`,
      moment?.nodes && `${moment.nodes.toLocaleString("en")} ${say("nodes")}`,
      moment?.pv && say("line"),
    ];
    const facts = parts.filter(Boolean).join(" · ");
    this.find(".report-line").replaceChildren(`${facts} `, cell("span", "code", moment?.pv ?? ""));
  }

  play() {
    const button = this.find("[data-step=play]");
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = null;
    } else {
      if (this.ply === this.last) this.show(0);
      this.playing = setInterval(() => {
        if (this.ply < this.last) this.show(this.ply + 1);
        else this.play();
      }, 700);
    }
    button.setAttribute("aria-pressed", Boolean(this.playing));
  }

  /** Does what a button or a key says; false if it says nothing. */
  act(action) {
    const actions = {
      start: () => this.show(0),
      back: () => this.show(this.ply - 1),
      forward: () => this.show(this.ply + 1),
      end: () => this.show(this.last),
      swing: () => this.show(this.swing()),
      play: () => this.play(),
      line: () => this.showLine(this.ply),
    };
    actions[action]?.();
    return action in actions;
  }

  listen() {
    this.find(".steps").addEventListener("click", (event) => {
      this.act(event.target.closest("[data-step]")?.dataset.step);
    });
    this.find(".turns").addEventListener("click", (event) => {
      const turn = event.target.closest("li");
      if (turn) this.show(Number(turn.dataset.ply));
    });
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
  }

  /** Acts on a key, unless it is meant for what has the focus. */
  key(event) {
    const keys = {
      ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end", " ": "play", s: "swing", l: "line",
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    if (event.target.closest?.("select, textarea, input:not([type=range])")) return;
    if (event.key === " " && event.target.closest?.("button, a")) return;
    event.preventDefault();
    this.act(keys[event.key]);
  }
}
