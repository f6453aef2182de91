// Analysis: a tree of variations, the board at one of its nodes, and engines that search it.

import { enable, say } from "/assets/base.js";
import { send } from "/assets/send.js";
import { Clicks } from "/assets/clicks.js";
import { score } from "/assets/viewer.js";

const setup = JSON.parse(document.getElementById("setup").textContent);
const root = document.querySelector(".analysis");
const find = (selector) => root.querySelector(selector);
const input = find("#entry input");
const clicks = new Clicks(root, enter);

/** How many depths of an engine are shown. */
const DEPTHS = 10;
/** The least time between two pictures of an engine's line, ms. */
const PAUSE = 500;

// ── The tree ──

/** A turn or roll and what was played after it. The start has no text. */
class Node {
  constructor(parent, text) {
    this.parent = parent;
    this.text = text;
    this.children = [];
  }

  /** The turn `text` after this one; a new one is added. */
  child(text) {
    const known = this.children.find((child) => child.text === text);
    if (known) return known;
    const child = new Node(this, text);
    this.children.push(child);
    return child;
  }

  /** All nodes from the first turn to this one. */
  path() {
    return this.parent ? [...this.parent.path(), this] : [];
  }
}

const start = new Node(null, "");
let here = start;
/** Actions of an unfinished turn after `here`. */
let rest = "";
/** The position as the server describes it. */
let view;

/** A position for the server: that of `here`, and what is entered after it. */
const place = (entered, line = "", remark = "") => ({
  game: setup.game, variant: setup.variant, opening: setup.opening,
  words: here.path().map((node) => node.text).join(" "), entered, line, remark,
});

function message(text) {
  find("#message").textContent = text;
}

/** Asks for the position after `entered`, goes there, and says whether that was possible. */
async function go(entered) {
  const from = here;
  const answer = await send("/analysis/position", place(entered));
  if (from !== here) return false;
  if (!answer.ok) {
    message(answer.text);
    return false;
  }
  message("");
  view = JSON.parse(answer.text);
  for (const text of view.turns) here = here.child(text);
  rest = view.rest;
  clicks.forget();
  show();
  for (const engine of engines) engine.look();
  return true;
}

/** Adds an action, a turn, or a whole line. */
async function enter(text) {
  if (await go(`${rest} ${text}`)) input.value = "";
}

/** Goes to a node. */
function jump(node) {
  if (!node || (node === here && !rest)) return;
  here = node;
  go("");
}

/** Another variation at this turn. */
function sibling(step) {
  const all = here.parent?.children ?? [];
  jump(all[(all.indexOf(here) + step + all.length) % all.length]);
}

const last = (node) => (node.children.length ? last(node.children[0]) : node);

function remove() {
  if (!here.parent) return;
  const { parent } = here;
  parent.children = parent.children.filter((child) => child !== here);
  jump(parent);
}

// ── What is shown ──

function show() {
  clicks.show(view.board, { before: rest ? [rest] : [], button: view.button, roll: view.roll_due });
  find(".status").textContent = state() + (rest ? ` · ${rest} …` : "");
  showTree();
  const analysed = document.querySelector("[data-game]");
  if (analysed) analysed.hash = `#${here.path().length}`;
}

/** The state of the game in words. */
function state() {
  const { colour, over, winner, ending, roll_due: roll } = view;
  if (!over) return `${say(colour)} ${say(roll ? "to roll" : "to move")}`;
  return `${winner ? `${say(winner)} ${say("wins the game")}` : say("draw")}: ${say(ending)}`;
}

/** The turns after a node: the main line in a row, each other variation in a block of its own. */
function branches(node, ply) {
  const parts = [];
  for (let [at, number] = [node, ply]; at.children.length; at = at.children[0], number += 1) {
    const [main, ...others] = at.children;
    parts.push(turn(main, number));
    for (const other of others) {
      const block = document.createElement("div");
      block.className = "variation";
      block.append(turn(other, number), ...branches(other, number + 1));
      parts.push(block);
    }
  }
  return parts;
}

function turn(node, number) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `${number}. ${node.text}`;
  button.addEventListener("click", () => jump(node));
  if (node === here) button.setAttribute("aria-current", "step");
  return button;
}

function showTree() {
  const tree = find(".tree");
  tree.replaceChildren(...branches(start, 1));
  const current = tree.querySelector("[aria-current]");
  if (!current) return;
  const top = current.offsetTop - tree.offsetTop;
  if (top < tree.scrollTop || top + current.offsetHeight > tree.scrollTop + tree.clientHeight) {
    tree.scrollTop = top - tree.clientHeight / 2;
  }
}

// ── Engines ──

class Engine {
  constructor(panel) {
    this.panel = panel;
    this.find("[data-do=search]").addEventListener("click", () => this.toggle());
    this.find("[name=engine]").addEventListener("change", () => this.source && this.restart());
    this.find("[name=show]").addEventListener("change", () => this.picture());
  }

  find(selector) {
    return this.panel.querySelector(selector);
  }

  toggle() {
    return this.source ? this.stop() : this.search();
  }

  async restart() {
    this.stop();
    await this.search();
  }

  /** Starts the engine on the position that is shown. */
  async search() {
    const engine = this.find("[name=engine]").value;
    const answer = await send("/analysis/begin", { game: setup.game, engine });
    if (!answer.ok) return this.trouble(answer.text);
    this.key = answer.text;
    this.source = new EventSource(`/analysis/events/${this.key}`);
    this.source.addEventListener("message", (event) => {
      this.lines = JSON.parse(event.data);
      this.hear();
    });
    this.source.addEventListener("error", () => this.stop());
    this.find("[data-do=search]").textContent = say("Stop");
    await this.look();
  }

  stop() {
    this.source?.close();
    this.source = this.position = null;
    this.find("[data-do=search]").textContent = say("Search");
    this.panel.classList.remove("thinks");
  }

  /** Lets a running engine search the position that is shown. */
  async look() {
    if (!this.source) return;
    this.position = this.report = null;
    this.depths = new Map();
    this.trouble("");
    this.list();
    const at = here;
    const answer = await send(`/analysis/show/${this.key}`, place(rest));
    if (at !== here) return;
    if (!answer.ok) return this.trouble(answer.text);
    this.position = Number(answer.text);
    this.hear();
  }

  /** Takes what the engine has found, if it is about the position that is shown. */
  hear() {
    const { position, report, fault, is_done: done } = this.lines ?? {};
    if (!this.position || position !== this.position) return;
    this.panel.classList.toggle("thinks", !done);
    this.trouble(fault);
    if (!report) return;
    this.report = report;
    const depth = report.depth ?? 0;
    this.depths.delete(depth);
    this.depths.set(depth, report);
    this.list();
    this.picture();
  }

  trouble(text) {
    this.find(".trouble").textContent = text;
  }

  list() {
    this.find(".remark").textContent = this.report?.remark ?? "";
    const newest = [...this.depths.values()].reverse().slice(0, DEPTHS);
    this.find("tbody").replaceChildren(...newest.map((report) => {
      const row = document.createElement("tr");
      const cells = [report.depth ?? "", score(report), report.nodes?.toLocaleString("en") ?? "", report.pv ?? ""];
      row.append(...cells.map((text, index) => {
        const cell = document.createElement("td");
        cell.className = index === 3 ? "code" : "number";
        const part = document.createElement("span");
        part.textContent = text;
        cell.append(part);
        return cell;
      }));
      return row;
    }));
  }

  /** Shows the line on the board, not too often, and while nothing is being clicked. */
  picture() {
    if (this.pause || clicks.clicks.length) return;
    const shown = this.find("[name=show]").checked && !rest;
    const [line, remark] = ["pv", "remark"].map((part) => (shown && this.report?.[part]) || "");
    const pictured = `${line}\n${remark}`;
    if (pictured === this.pictured && here === this.at) return;
    [this.pictured, this.at] = [pictured, here];
    this.pause = setTimeout(() => {
      this.pause = null;
      this.picture();
    }, PAUSE);
    this.draw(line, remark);
  }

  async draw(line, remark) {
    const at = here;
    const answer = await send("/analysis/position", place("", line, remark));
    if (!answer.ok || at !== here || rest || clicks.clicks.length) return;
    view = JSON.parse(answer.text);
    show();
  }
}

const template = find(".engine");
const engines = [];

function another() {
  const panel = engines.length ? template.cloneNode(true) : template;
  if (engines.length) {
    panel.querySelector("tbody").replaceChildren();
    panel.querySelector("[data-do=search]").textContent = say("Search");
    panel.querySelector("[name=show]").checked = false;
    find(".engines").append(panel);
  }
  engines.push(new Engine(panel));
}

// ── What the reader does ──

const steps = {
  start: () => jump(start), back: () => jump(rest ? here : here.parent),
  forward: () => jump(here.children[0]), end: () => jump(last(here)),
  up: () => sibling(-1), down: () => sibling(1), search: () => engines[0].toggle(),
};

root.addEventListener("click", (event) => {
  steps[event.target.closest("[data-step]")?.dataset.step]?.();
  const { do: wanted } = event.target.closest("[data-do]")?.dataset ?? {};
  if (wanted === "another") another();
  if (wanted === "remove") remove();
});

find("#entry").addEventListener("submit", (event) => {
  event.preventDefault();
  if (input.value.trim()) enter(input.value.trim());
});

addEventListener("keydown", (event) => {
  const keys = {
    ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "up", ArrowDown: "down",
    Home: "start", End: "end", " ": "search",
  };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && rest) return jump(here);
  if (event.target.closest?.("input, select, textarea")) return;
  if (event.key === " " && event.target.closest?.("button, a")) return;
  if (event.key in keys) {
    event.preventDefault();
    steps[keys[event.key]]();
  } else if (event.key.length === 1) input.focus();
});
addEventListener("pagehide", () => engines.forEach((engine) => engine.stop()));

let node = start;
for (const text of setup.words) node = node.child(text);
another();
here = start;
for (let ply = Number(location.hash.slice(1)); ply > 0 && here.children.length; ply -= 1) [here] = here.children;
go("");
enable(find("#entry"));
