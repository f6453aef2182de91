// A game with its review: marks in the list of turns and on the board, the chance to win as a curve, sums,
// and where the game turned.

import { say } from "/assets/base.js";
import { SIDES, Viewer, cell, drawn, score } from "/assets/viewer.js";

/** Signs of marks, as in books. */
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Marks that are mistakes for whoever looks for them. */
const isBad = (judged) => judged && judged.mark in SIGNS;

/** A sentence with its parts, in the language of the page. */
const told = ([template, parts]) => parts.reduce((text, part, at) => text.replace(`{${at}}`, part), say(template));

const percent = (value) => (value === null || value === undefined ? "–" : `${value.toFixed(1)} %`);

export class ReviewedViewer extends Viewer {
  /** Takes a review of the game, in place of one that it had. */
  judge(review) {
    this.judged = review;
    for (const part of this.root.querySelectorAll(".of-review")) part.hidden = !review;
    for (const part of this.root.querySelectorAll(".of-dice")) part.hidden = !review?.luck;
    if (!review) return;
    this.turns.forEach((row, index) => this.sign(row, review.turns[index]));
    this.find(".whose").textContent = say("for First ({0})").replace("{0}", say(this.game.names[0]));
    this.draw();
    this.sum();
    const lost = this.find(".lost-with");
    lost.replaceChildren();
    if (review.lost_with) lost.append(`${say("Costliest turn of the side that lost:")} `, ...this.turned(review.lost_with).childNodes);
    this.find(".turned").replaceChildren(...review.turning_points.map((ply) => this.turned(ply)));
    this.show(this.ply ?? this.last);
  }

  /** Puts the mark of a turn into its row. */
  sign(row, judged) {
    row.querySelector(".sign")?.remove();
    row.title = judged ? `${say(judged.name)}, −${percent(judged.lost)}` : "";
    const sign = SIGNS[judged?.mark] ?? (judged?.only ? "!" : "");
    if (!sign) return;
    const mark = cell("b", `sign ${judged.mark}`, sign);
    mark.setAttribute("aria-label", say(judged.name));
    row.querySelector(".code").append(" ", mark);
  }

  /** The curve of the chances of `First`; with dice, also of luck and of choice. */
  draw() {
    const { chances, luck, turns } = this.judged;
    const svg = this.plot(".chances");
    for (const height of [75, 50, 25]) {
      const y = HEIGHT_OF(height);
      svg.append(drawn("line", { class: height === 50 ? "axis" : "grid", x1: 0, x2: 1000, y1: y, y2: y }));
    }
    const line = (className, values) => {
      let path = "";
      values.forEach((value, ply) => {
        if (value === null) return;
        path += `${path ? "L" : "M"}${this.x(ply).toFixed(1)} ${HEIGHT_OF(value).toFixed(1)}`;
      });
      svg.append(drawn("path", { class: className, d: path }));
    };
    if (luck) ["luck", "choice"].forEach((name, index) => line(name, luck[index].map((value) => 50 + value)));
    line("chance", chances);
    turns.forEach((judged, index) => {
      if (!isBad(judged) || chances[index + 1] === null) return;
      const [x, y] = [this.x(index + 1), HEIGHT_OF(chances[index + 1])];
      // A dot, whatever the shape of the plot.
      svg.append(drawn("path", { class: `dot ${judged.mark}`, d: `M${x.toFixed(1)} ${y.toFixed(1)}h0` }));
    });
    this.cursors = this.cursors.slice(0, 2);
    const cursor = drawn("line", { class: "now", y1: 0, y2: 100 });
    svg.append(cursor);
    this.cursors.push(cursor);
  }

  sum() {
    const { sums, luck, phases } = this.judged;
    const row = (tag, text, values) => {
      const made = document.createElement("tr");
      const head = cell("th", "", text);
      head.scope = "row";
      made.append(head, ...values.map((value) => cell(tag, "number", value)));
      return made;
    };
    const rows = [
      ["accuracy", (side) => percent(side.accuracy)],
      ["mean loss", (side) => percent(side.mean_loss)],
      ["inaccuracies", (side) => side.marks[0]],
      ["mistakes", (side) => side.marks[1]],
      ["blunders", (side) => side.marks[2]],
    ];
    if (luck) rows.push(["luck", (side) => `${side.luck < 0 ? "−" : "+"}${percent(Math.abs(side.luck))}`]);
    this.find(".review-sums thead").replaceChildren(row("th", "", SIDES.map((side) => this.nameOf(side))));
    this.find(".review-sums tbody").replaceChildren(...rows.map(([name, of]) => row("td", say(name), sums.map(of))));
    const bad = SIDES.flatMap((side, index) => {
      const parts = sums[index].by_phase.map((count, phase) => count && `${say(phases[phase])} ${count}`).filter(Boolean);
      return parts.length ? [`${this.nameOf(side)}${say(": ")}${parts.join(", ")}`] : [];
    });
    this.find(".phases").textContent = bad.length ? `${say("inaccuracies or worse by phase")} · ${bad.join(" · ")}` : "";
  }

  nameOf(side) {
    return this.find(`.legend .${side}`).textContent;
  }

  /** A turning point: the turn, what happened, and what was better. */
  turned(ply) {
    const { text, side } = this.game.moments[ply - 1];
    const judged = this.judged.turns[ply - 1];
    const item = document.createElement("li");
    const turn = cell("button", "code", `${ply}. ${text}`);
    turn.type = "button";
    turn.dataset.ply = ply;
    turn.addEventListener("click", () => this.show(ply));
    const why = judged.reason ? told(judged.reason) : "";
    item.append(turn, ` ${this.nameOf(side)}${say(": ")}${why} `);
    if (judged.better.length) item.append(cell("span", "quiet", say("better:")), " ", cell("span", "code", judged.better[0]));
    return item;
  }

  show(ply) {
    super.show(ply);
    const judged = this.judged?.turns[this.ply - 1];
    this.find(".screen").dataset.mark = isBad(judged) ? judged.mark : "";
    if (!this.judged) return;
    this.enable("better", judged?.better.length);
    this.enable("mistake", this.judged.turns.some(isBad));
    const words = this.find(".judged");
    words.replaceChildren();
    if (!judged) return;
    words.append(cell("b", `sign ${judged.mark}`, say(judged.name)));
    if (judged.lost) words.append(` −${percent(judged.lost)}`);
    if (judged.reason) words.append(` · ${told(judged.reason)}`);
    if (judged.better.length) {
      words.append(` · ${say("better:")} `, cell("span", "code", judged.better.join(" ")), ` (${score({ score: judged.score })})`);
    }
  }

  /** The next turn that is an inaccuracy or worse; after the last one, the first. */
  mistake() {
    const plies = (this.judged?.turns ?? []).flatMap((judged, index) => (isBad(judged) ? [index + 1] : []));
    return plies.find((ply) => ply > this.ply) ?? plies[0] ?? this.ply;
  }

  /** Shows the board before a turn with the line that was better, until the next step. */
  async showBetter(ply) {
    if (!this.judged?.turns[ply - 1]?.better.length) return;
    const picture = await this.pictureOfBetter?.(ply);
    if (picture && ply === this.ply) this.board.replace(picture);
  }

  actions() {
    return {
      ...super.actions(),
      mistake: () => this.show(this.mistake()),
      better: () => this.showBetter(this.ply),
    };
  }

  keys() {
    return this.judged ? { ...super.keys(), m: "mistake", b: "better" } : super.keys();
  }
}

/** Where a chance in percent stands in a plot; the style sheet knows these heights. */
const HEIGHT_OF = (percent) => 98 - 0.96 * Math.min(100, Math.max(0, percent));
