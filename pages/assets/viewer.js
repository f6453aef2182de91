// Steps through a game: board, clocks, scores, times and turns.

import { say } from "/assets/base.js";
import { Board } from "/assets/board.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [1000, 100];
export const SIDES = ["first", "second"];

export function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function cell(tag, className, text) {
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

/** A score, shortened: `+0.31`, `win 5`; `sign` −1 is the view of the opponent. */
export function score(moment, sign = 1) {
  const [kind, value] = (moment.score ?? "").split(" ");
  if (kind === "cp") {
    const points = sign * value;
    return `${points < 0 ? "−" : "+"}${(Math.abs(points) / 100).toFixed(2)}`;
  }
  if (kind === "win" || kind === "loss") {
    const won = (kind === "win") === (sign === 1);
    return (won ? say("win {0}") : say("loss {0}")).replace("{0}", value);
  }
  return moment.score ?? "";
}

/** A score as `First` sees it. */
const forFirst = (moment) => score(moment, moment.side === "first" ? 1 : -1);

export class Viewer {
  /** A viewer of a game in `root`, which has the elements of `site/viewer.rs`. */
  constructor(root, shown) {
    this.root = root;
    this.slider = this.find("input[type=range]");
    this.load(shown);
    this.listen();
  }

  /** Takes another game in place of this one; `show` shows it. */
  load({ scenery, game }) {
    this.game = game;
    this.last = game.changes.length - 1;
    this.most = Math.max(0, ...game.moments.map((moment) => moment.used_ms ?? 0));
    this.board = new Board(this.find(".screen"), scenery, game);
    this.slider.max = this.last;
    this.turns = game.moments.map((moment, index) => this.row(moment, index + 1));
    this.find(".turns").replaceChildren(...this.turns);
    this.palette = ["inks", "stones"].find((name) => this.board.svg.classList.contains(name));
    this.describe();
    this.cursors = [this.scores(), this.times()].map((svg) => {
      const cursor = drawn("line", { class: "now", y1: 0, y2: HEIGHT });
      svg.append(cursor);
      return cursor;
    });
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  /** The time of a turn: all turns of a game with the same digits. */
  used(moment) {
    if (moment.opening) return say("opening");
    return moment.used_ms ? this.seconds(moment.used_ms) : "";
  }

  seconds(ms) {
    return `${(ms / 1000).toFixed(this.most < 10000 ? 2 : 1)} s`;
  }

  /** Says whose view the scores are and who has which colour, and offers the turning points. */
  describe() {
    const { names, colours, swings, moments } = this.game;
    this.find(".viewpoint").textContent = say("for First ({0})").replace("{0}", say(names[0]));
    this.find(".scale .most").textContent = this.seconds(this.most);
    // Records of other programs often have neither.
    this.find(".of-scores").hidden = !moments.some((moment) => moment.height !== undefined);
    this.find(".of-times").hidden = !this.most;
    SIDES.forEach((side, index) => {
      this.find(`.legend .${side}`).prepend(cell("i", `swatch ${this.palette} colour${colours[index]}`, ""));
    });
    const home = this.find(".swings");
    home.hidden = swings.length === 0;
    for (const ply of swings) {
      const button = cell("button", "", `${ply}. ${moments[ply - 1].text}`);
      button.type = "button";
      button.dataset.ply = ply;
      home.append(button);
    }
  }

  /** The class of a side's colour. */
  colour(side) {
    return `colour${this.game.colours[SIDES.indexOf(side)]}`;
  }

  /** A turn in the list of turns. */
  row(moment, ply) {
    const item = document.createElement("li");
    item.dataset.ply = ply;
    item.append(
      cell("span", "quiet", `${ply}.`),
      cell("span", `code ${moment.side}`, moment.text),
      cell("span", "number quiet", this.used(moment)),
      cell("span", "number", forFirst(moment)),
    );
    return item;
  }

  // ── Curves ──

  x(ply) {
    return (WIDTH * (ply + 0.5)) / (this.last + 1);
  }

  plot(selector) {
    const svg = drawn("svg", {
      class: this.palette, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true",
    });
    this.find(selector).replaceChildren(svg);
    const at = (event) => {
      const box = svg.getBoundingClientRect();
      const ply = Math.floor(((event.clientX - box.left) / box.width) * (this.last + 1));
      return Math.min(this.last, Math.max(0, ply));
    };
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      this.show(at(event));
    });
    svg.addEventListener("pointermove", (event) => {
      if (svg.hasPointerCapture(event.pointerId)) this.show(at(event));
      else this.read(at(event));
    });
    svg.addEventListener("pointerleave", () => this.read(this.ply));
    return svg;
  }

  /** Says in words what the plots show at a turn. */
  read(ply) {
    const moment = this.game.moments[ply - 1];
    const name = moment && this.find(`.legend .${moment.side}`).textContent;
    const value = moment && forFirst(moment);
    const parts = moment ? [`${ply}. ${moment.text}`, name, value && `${value} ${say("for First")}`, this.used(moment)] : [say("Start")];
    this.find(".readout").textContent = parts.filter(Boolean).join(" · ");
  }

  scores() {
    const svg = this.plot(".scores");
    for (const height of [0.75, 0.5, 0, -0.5, -0.75]) {
      const y = this.y(height);
      svg.append(drawn("line", { class: height ? "grid" : "axis", x1: 0, x2: WIDTH, y1: y, y2: y }));
    }
    for (const ply of this.game.swings) {
      svg.append(drawn("line", { class: "swing", x1: this.x(ply), x2: this.x(ply), y1: 0, y2: HEIGHT }));
    }
    for (const side of SIDES) {
      let path = "";
      this.game.moments.forEach((moment, index) => {
        if (moment.side !== side || moment.height === undefined) return;
        path += `${path ? "L" : "M"}${this.x(index + 1).toFixed(1)} ${this.y(moment.height).toFixed(1)}`;
      });
      // A single score is a dot.
      if (path && !path.includes("L")) path += "h0";
      svg.append(drawn("path", { class: `rim ${this.colour(side)}`, d: path }));
      svg.append(drawn("path", { class: this.colour(side), d: path }));
    }
    return svg;
  }

  y(height) {
    return (HEIGHT / 2) * (1 - 0.96 * height);
  }

  times() {
    const svg = this.plot(".times");
    const width = (0.8 * WIDTH) / (this.last + 1);
    this.game.moments.forEach((moment, index) => {
      const height = this.most ? (0.96 * HEIGHT * (moment.used_ms ?? 0)) / this.most : 0;
      const [x, y] = [this.x(index + 1) - width / 2, HEIGHT - height];
      svg.append(drawn("rect", { class: this.colour(moment.side), x, y, width, height }));
    });
    return svg;
  }

  /** The turning point after the one that is shown, the largest first. */
  swing() {
    const { swings } = this.game;
    return swings[(swings.indexOf(this.ply) + 1) % swings.length] ?? this.ply;
  }

  /** Shows the line that the engine of the last turn reported, until the next step. */
  async showLine(ply) {
    if (!this.game.moments[ply - 1]?.pv) return;
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
    this.report(this.game.moments[this.ply - 1]);
    this.read(this.ply);
    for (const button of this.root.querySelectorAll(".swings button")) {
      button.setAttribute("aria-pressed", Number(button.dataset.ply) === this.ply);
    }
    SIDES.forEach((side, index) => {
      const left = this.game.clocks[index][this.ply];
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
    if (bottom <= list.scrollTop + list.clientHeight) return;
    // The first row that is shown is whole.
    const first = this.turns.find((row) => row.offsetTop - list.offsetTop >= bottom - list.clientHeight);
    list.scrollTop = first.offsetTop - list.offsetTop;
  }

  report(moment) {
    this.enable("line", moment?.pv);
    const parts = [
      moment?.depth && `${say("depth")} ${moment.depth}`,
      moment?.nodes && `${moment.nodes.toLocaleString("en")} ${say("nodes")}`,
      moment?.pv && say("line"),
    ];
    const facts = parts.filter(Boolean).join(" · ");
    const [pv, remark] = ["pv", "remark"].map((part) => cell("span", "code", moment?.[part] ?? ""));
    this.find(".report-line").replaceChildren(`${facts} `, pv, " ", remark);
  }

  /** Says whether the button of an action, if there is one, does anything now. */
  enable(action, does) {
    const button = this.find(`[data-step=${action}]`);
    if (button) button.disabled = !does;
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

  /** What buttons and keys do. */
  actions() {
    return {
      start: () => this.show(0),
      back: () => this.show(this.ply - 1),
      forward: () => this.show(this.ply + 1),
      end: () => this.show(this.last),
      swing: () => this.show(this.swing()),
      play: () => this.play(),
      line: () => this.showLine(this.ply),
    };
  }

  /** The action of each key. */
  keys() {
    return { ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end", " ": "play", s: "swing", l: "line" };
  }

  /** Does what a button or a key says, if it says anything. */
  act(action) {
    this.actions()[action]?.();
  }

  listen() {
    this.find(".stage").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.ply) this.show(Number(button.dataset.ply));
      else this.act(button?.dataset.step);
    });
    this.find(".turns").addEventListener("click", (event) => {
      const turn = event.target.closest("li");
      if (turn) this.show(Number(turn.dataset.ply));
    });
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
  }

  /** Acts on a key, unless it is meant for what has the focus. */
  key(event) {
    const keys = this.keys();
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    if (event.target.closest?.("select, textarea, input:not([type=range])")) return;
    if (event.key === " " && event.target.closest?.("button, a")) return;
    event.preventDefault();
    this.act(keys[event.key]);
  }
}
