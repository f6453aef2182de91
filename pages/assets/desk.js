// The desk: the board takes clicks, the line takes text, and both do the same.

import { say, send } from "/assets/base.js";
import { Clicks } from "/assets/clicks.js";
import { clock } from "/assets/viewer.js";

const root = document.querySelector(".desk");
const address = `/desk/${root.dataset.session}`;
const find = (selector) => root.querySelector(selector);
const input = find("#entry input");
const SIDES = ["first", "second"];

/** The session as the server last told it, and when that was. */
let view;
let told;
/** Actions of a turn that is being entered, and what takes the clicks of the next one. */
let actions = [];
const entry = new Clicks(root, choose);
/** The board that is shown: that of the session, or after `actions`. */
let board;

// ── What the server says ──

const source = new EventSource(`${address}/events`);
source.addEventListener("message", (event) => {
  const fresh = JSON.parse(event.data);
  const moved = !view || changed(view, fresh);
  view = fresh;
  told = performance.now();
  if (moved) {
    forget();
    message("");
  }
  show();
});
source.addEventListener("report", (event) => {
  view.session.engines = JSON.parse(event.data);
  showEngine();
});
// The session was removed: its address says so.
source.addEventListener("error", () => source.readyState === EventSource.CLOSED && location.reload());
addEventListener("pagehide", () => source.close());

const game = () => view.session.state.games.at(-1);
const changed = (before, after) =>
  JSON.stringify(before.board.entries) !== JSON.stringify(after.board.entries) ||
  before.session.state.games.at(-1).turns.length !== after.session.state.games.at(-1).turns.length;

async function act(operation) {
  const answer = await send(`${address}/act`, operation);
  message(answer.ok ? "" : answer.text);
  return answer.ok;
}

function message(text, isFault = true) {
  const home = find("#message");
  home.textContent = text;
  home.classList.toggle("fault", isFault);
}

// ── Entering a turn ──

/** Forgets what was entered of a turn. */
function forget() {
  actions = [];
  entry.forget();
  board = view.board;
}

async function enter(text) {
  if (await act({ operation: "enter", text })) input.value = "";
}

/** Adds an action; a turn that is complete is played. */
async function choose(text) {
  const before = actions;
  const wanted = [...before, text];
  if (game().roll_due) return enter(text);
  const answer = await send(`${address}/preview`, { text: wanted.join(" ") });
  // Meanwhile the game may have gone on, or another click was quicker.
  if (actions !== before) return;
  if (!answer.ok) return message(answer.text);
  const preview = JSON.parse(answer.text);
  if (preview.turn) return enter(preview.turn);
  actions = wanted;
  board = preview.board;
  message("");
  show();
}

// ── What is shown ──

function show() {
  if (!view) return;
  showBoard();
  showSides();
  showStatus();
  showTurns();
  showEngine();
  showCorrections();
  showSaved();
}

function showBoard() {
  entry.show(board, { before: actions, button: view.button, roll: game().roll_due });
}

function showSides() {
  const since = performance.now() - told;
  SIDES.forEach((side, index) => {
    const { name, left_ms: left, runs, fallen, is_engine: engine } = view.sides[index];
    const box = find(`.clockbox.${side}`);
    const now = left === null ? null : Math.max(0, left - (runs ? since : 0));
    const points = view.session.state.games.length > 1 || view.session.state.settings.wins > 1
      ? ` ${view.points[game().seats[index]] / 2}` : "";
    box.querySelector(".who").textContent = `${name} · ${say(view.colours[index])}${points}`;
    box.querySelector(".time").textContent = now === null ? "" : clock(now);
    box.classList.toggle("runs", runs);
    box.classList.toggle("turn", game().side === side && !game().ending);
    box.classList.toggle("minute", now !== null && now < 60_000);
    box.classList.toggle("seconds", (now !== null && now < 10_000) || fallen);
    box.classList.toggle("engine", engine);
  });
}
setInterval(() => view && showSides(), 100);

function showStatus() {
  const { answer, ending, side, roll_due: roll } = game();
  const { paused, settings } = view.session.state;
  const own = view.sides[SIDES.indexOf(side)];
  const live = view.session.engines[game().seats[SIDES.indexOf(side)]];
  const status = find(".status");
  const parts = [];
  if (ending) {
    const winner = { first: view.sides[0].name, second: view.sides[1].name }[ending.result];
    parts.push(winner ? `${winner} ${say("wins the game")}: ${say(ending.detail)}` : `${say("draw")}: ${say(ending.detail)}`);
  } else if (answer) {
    parts.push(`${own.name}: ${answer.text}`);
  } else {
    parts.push(`${own.name} ${say(roll ? "to roll" : "to move")}`);
    if (actions.length) parts.push(actions.join(" "));
    if (live?.thinks) parts.push(say("thinking …"));
    if (live?.given_up) parts.push(say("The engine has failed too often: enter its turn, or start it again."));
  }
  if (paused && !ending) parts.push(say("paused"));
  if (view.session.fault) parts.push(view.session.fault);
  status.textContent = parts.join(" · ");
  status.classList.toggle("answer", Boolean(answer));
  const possible = {
    confirm: Boolean(answer), hurry: Boolean(live?.thinks), correct: game().turns.length > 0,
    restart: Boolean(live?.thinks || live?.given_up),
    hint: !ending && !roll && !settings.contest && !own.is_engine,
    pause: !paused && !ending, resume: paused && !ending, resign: !ending,
    claim: view.sides.some((one) => one.fallen) && !ending,
    next: Boolean(ending) && !view.over, save: game().turns.length > 0,
  };
  for (const button of root.querySelectorAll("[data-do]")) {
    button.hidden = !possible[button.dataset.do];
    button.classList.toggle("primary", ["confirm", "resume", "next"].includes(button.dataset.do));
  }
  find("[data-do=correct]").textContent = say(settings.contest ? "Correct" : "Take back");
  find("#entry").hidden = Boolean(ending);
  find("[data-do=save]").classList.toggle("primary", Boolean(ending) && settings !== undefined);
}

function showTurns() {
  const list = find(".turns");
  const turns = game().turns;
  if (list.dataset.count === String(turns.length) && list.lastElementChild?.title === turns.at(-1)?.text) return;
  list.dataset.count = turns.length;
  list.replaceChildren(...turns.map((turn, index) => {
    const item = document.createElement("li");
    item.title = turn.text;
    const parts = [`${index + 1}.`, turn.text, turn.used_us ? `${(turn.used_us / 1e6).toFixed(1)} s` : "", turn.by ? say(turn.by) : say("die")];
    item.append(...parts.map((text, part) => {
      const span = document.createElement("span");
      span.className = ["quiet", "code", "number quiet", "quiet"][part];
      span.textContent = text;
      return span;
    }));
    return item;
  }));
  list.scrollTop = list.scrollHeight;
}

function showEngine() {
  const { engines, settings } = view.session.state;
  const reports = view.session.engines.map((engine, seat) => {
    const { name } = settings.seats[seat];
    if (engines[seat].fault) return `${name}: ${say("failed:")} ${engines[seat].fault}`;
    if (!engine?.report) return "";
    const { depth, score, nodes, pv } = engine.report;
    const facts = [depth && `${say("depth")} ${depth}`, score, nodes && `${nodes.toLocaleString("en")} ${say("nodes")}`, pv];
    return `${name}: ${facts.filter(Boolean).join(" · ")}`;
  });
  find(".report-line").textContent = reports.filter(Boolean).join("\n");
}

/** Where the finished game is, and the records of the session. */
function showSaved() {
  const logged = find("[data-logged]");
  logged.hidden = !view.logged;
  if (view.logged) logged.href = view.logged;
  find(".saved").textContent = view.session.state.saved.join("\n");
}

function showCorrections() {
  const { corrections } = view.session.state;
  find(".corrections").hidden = corrections.length === 0;
  find(".corrections ul").replaceChildren(...corrections.map((one) => {
    const item = document.createElement("li");
    item.textContent = `${one.time.slice(11, 19)} · ${one.from}. ${one.removed.join(" ")} ${one.reason}`;
    return item;
  }));
}

// ── What the operator does ──

/** Back to before the last turn that the operator entered, or the last of all. */
function correct() {
  if (actions.length || entry.clicks.length) return cancel();
  const entered = game().turns.findLastIndex((turn) => turn.by === "operator");
  act({ operation: "correct", from: entered < 0 ? game().turns.length : entered + 1, reason: "" });
}

/** Shows the turn that an engine would play. */
async function hint() {
  message(say("thinking …"), false);
  const turns = game().turns.length;
  const answer = await send(`${address}/hint`, {});
  if (turns !== game().turns.length) return;
  if (!answer.ok) return message(answer.text);
  const { turn, board: hinted } = JSON.parse(answer.text);
  forget();
  board = hinted;
  message(`${say("Hint")}: ${turn}`, false);
  show();
}

function cancel() {
  forget();
  input.value = "";
  message("");
  show();
}

const operations = {
  confirm: () => act({ operation: "confirm" }),
  hurry: () => act({ operation: "hurry" }),
  correct,
  pause: () => act({ operation: "pause" }),
  resume: () => act({ operation: "resume" }),
  next: () => act({ operation: "next" }),
  hint,
  restart: () => act({ operation: "restart", seat: game().seats[SIDES.indexOf(game().side)] }),
  resign: () => confirm(`${view.sides[SIDES.indexOf(game().side)].name}: ${say("Resign")}?`)
    && act({ operation: "resign", side: game().side }),
  claim: () => act({ operation: "claim", side: SIDES[view.sides.findIndex((one) => one.fallen)] }),
  save: async () => {
    if (await act({ operation: "save" })) message(say("The record is saved."), false);
  },
};

root.addEventListener("click", (event) => {
  operations[event.target.closest("[data-do]")?.dataset.do]?.();
});

find("#entry").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = input.value.trim();
  if (text) enter([...actions, text].join(" "));
  else if (game().answer) operations.confirm();
});

const keys = { F2: "confirm", F4: "hurry", F6: "correct", F8: "pause", F9: "hint" };
addEventListener("keydown", (event) => {
  if (event.key === "Escape") return cancel();
  if (event.key === "F8" && view.session.state.paused) {
    event.preventDefault();
    return operations.resume();
  }
  if (event.key in keys) {
    event.preventDefault();
    return operations[keys[event.key]]();
  }
  const typing = event.target.closest("input, select, textarea, .turns");
  // A button that was clicked keeps the focus, but only blanks press it.
  const pressing = event.key === " " && event.target.closest("button");
  if (!typing && !pressing && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) input.focus();
});
