// The desk: the board takes clicks, the line takes text, and both do the same.

import { enable, say } from "/assets/base.js";
import { send } from "/assets/send.js";
import { Clicks } from "/assets/clicks.js";
import { result, showCorrections, showEngines, showSaved, showTurns, withdrawal } from "/assets/deskside.js";
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
const entry = new Clicks(root, choose, refuse);
/** The board that is shown: that of the session, or after `actions`. */
let board;

// ── What the server says ──

const source = new EventSource(`${address}/events`);
source.addEventListener("message", (event) => {
  const fresh = JSON.parse(event.data);
  const before = view;
  view = fresh;
  told = performance.now();
  if (!before || changed(before, fresh)) {
    forget();
    message(before ? withdrawn(before) : "", false);
  }
  if (!before) enable(find("#entry"));
  show();
});
source.addEventListener("report", (event) => {
  view.session.engines = JSON.parse(event.data);
  showEngines(find(".engines"), view.session);
});
// The session was removed, or the server ended. The page is not loaded again by itself: whoever listens at
// this address by then may be somebody else.
source.addEventListener("error", () => {
  if (source.readyState === EventSource.CLOSED) message(say("This session is not open any more."), true);
});
addEventListener("pagehide", () => source.close());

const game = () => view.session.state.games.at(-1);
/** The side to move, 0 or 1. */
const mover = () => SIDES.indexOf(game().side);

function changed(before, after) {
  const [old, now] = [before, after].map(({ session }) => session.state.games.at(-1));
  return JSON.stringify(before.board.entries) !== JSON.stringify(after.board.entries)
    || old.turns.length !== now.turns.length || old.answer?.text !== now.answer?.text;
}

/** What was taken back of a session as it was before; empty if nothing was. */
function withdrawn({ session }) {
  const { games } = session.state;
  const { turns, ending, answer } = games.at(-1);
  const kept = game().turns.length;
  if (games.length !== view.session.state.games.length) return "";
  const removed = turns.slice(kept).map(({ text }) => text);
  const isBack = removed.length || (kept === turns.length && ((ending && !game().ending) || (answer && !game().answer)));
  if (!isBack) return "";
  const clocks = view.session.state.settings.contest ? say("The clocks are set back.") : "";
  return [withdrawal({ from: kept + 1, removed }), clocks].filter(Boolean).join(" · ");
}

/** What this page shows of the session: another tab may have gone on. */
const moment = () => ({
  game: view.session.state.games.length, turns: game().turns.length, taken_back: view.session.state.taken_back,
  over: Boolean(game().ending),
});

async function act(operation) {
  message("");
  const answer = await send(`${address}/act`, { ...operation, seen: moment() });
  if (!answer.ok) message(answer.text);
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
  if (isStopped()) return message(say("The clocks are stopped: start them first."));
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

/** Says that a place of the board cannot be played now. */
function refuse(place) {
  if (game().ending) return message(say("the game is over"));
  const text = game().roll_due ? `${view.sides[mover()].name} ${say("to roll")}`
    : say("{place} is taken, or not allowed now.").replace("{place}", place);
  message(text);
}

// ── What is shown ──

function show() {
  if (!view) return;
  const { state } = view.session;
  entry.show(board, { before: actions, button: view.button, roll: game().roll_due });
  root.classList.toggle("over", Boolean(game().ending));
  showSides();
  showStatus();
  showButtons();
  showTurns(find(".turns"), game().turns);
  showEngines(find(".engines"), view.session);
  showCorrections(find(".corrections"), state);
  showSaved(find(".saved"), state.saved, address);
}

function showSides() {
  const since = performance.now() - told;
  SIDES.forEach((side, index) => {
    const { name, left_ms: left, runs, fallen, is_engine: engine } = view.sides[index];
    const box = find(`.clockbox.${side}`);
    const now = left === null ? null : Math.max(0, left - (runs ? since : 0));
    const points = view.session.state.games.length > 1 || view.session.state.settings.wins > 1
      ? ` ${view.points[game().seats[index]] / 2}` : "";
    box.querySelector(".name").textContent = name;
    box.querySelector(".colour").textContent = `${say(view.colours[index])}${points}`;
    box.querySelector(".time").textContent = now === null ? "" : clock(now);
    box.classList.toggle("runs", runs);
    box.classList.toggle("turn", game().side === side && !game().ending);
    box.classList.toggle("won", game().ending?.result === side);
    box.classList.toggle("minute", now !== null && now < 60_000);
    box.classList.toggle("seconds", now !== null && now < 10_000);
    box.classList.toggle("fallen", fallen || now === 0);
    box.classList.toggle("engine", engine);
  });
}
setInterval(() => view && showSides(), 100);

const isStopped = () => view.session.state.paused && !game().ending;

/** How long the program did not run, for people; empty if it did, or if that has been settled. */
function away() {
  const { away: time } = view.session.state;
  return time ? clock(new Date(time.to) - new Date(time.from)) : "";
}

/** What is asked of whom. */
function asked() {
  const { answer, ending, roll_due: roll } = game();
  const { name } = view.sides[mover()];
  if (ending) return result(ending, view.sides.map((side) => side.name));
  if (answer?.text === "resign") return `${name} ${say("resigns")}`;
  if (answer) return `${name}: ${answer.text}`;
  return [`${name} ${say(roll ? "to roll" : "to move")}`, actions.join(" ")].filter(Boolean).join(" · ");
}

function showStatus() {
  const live = view.session.engines[game().seats[mover()]];
  const fallen = view.sides.find((side) => side.fallen);
  const conditions = [
    isStopped() && say("The clocks are stopped."),
    away() && say("The program did not run for {time}: no clock ran, and {name}'s may be charged.")
      .replace("{time}", away()).replace("{name}", view.sides[mover()].name),
    fallen && !game().ending && say("{name} is out of time: claim the flag, or play on.").replace("{name}", fallen.name),
    live?.thinks && say("thinking …"),
    live?.given_up && say("The engine has failed too often: enter its turn, or start it again."),
    view.session.fault,
  ];
  const status = find(".status");
  status.textContent = status.title = asked();
  status.classList.toggle("answer", Boolean(game().answer));
  find(".condition").textContent = conditions.filter(Boolean).join(" · ");
}

/** Whether an operation is possible in this session at all, and whether it is now. */
function possible() {
  const { answer, ending, roll_due: roll, turns } = game();
  const { settings } = view.session.state;
  const live = view.session.engines[game().seats[mover()]];
  const hasEngine = view.sides.some((side) => side.is_engine);
  const isEntering = actions.length > 0;
  return {
    confirm: [settings.confirm && hasEngine, answer],
    pause: [true, !ending],
    "charge-away": [away(), !ending],
    hurry: [hasEngine, live?.thinks],
    correct: [true, turns.length || isEntering || ending],
    hint: [!settings.contest, !ending && !roll && !view.sides[mover()].is_engine],
    claim: [settings.flag === "shown", !ending && view.sides.some((side) => side.fallen)],
    save: [true, turns.length || ending],
    next: [settings.wins > 1, ending && !view.over],
    resign: [true, !ending],
    restart: [hasEngine, live?.thinks || live?.given_up],
  };
}

/** What the buttons say that do not always say the same. */
function labels() {
  const { answer, turns } = game();
  const { contest } = view.session.state.settings;
  const confirm = answer?.text === "resign" ? say("Confirm the resignation")
    : answer ? say("I have played {turn} on the board").replace("{turn}", answer.text) : say("Confirm the engine's turn");
  const stopped = turns.length ? say("Resume") : say("Start the clocks");
  const correct = actions.length ? say("Cancel the entry") : contest ? say("Correct") : say("Take back");
  const charge = say("Charge {time}").replace("{time}", away());
  return { confirm, correct, pause: isStopped() ? stopped : say("Pause"), "charge-away": charge };
}

function showButtons() {
  const { ending, answer } = game();
  const texts = labels();
  const primary = { confirm: answer, pause: isStopped(), next: ending && !view.over, save: ending };
  for (const [name, [isThere, isPossible]] of Object.entries(possible())) {
    const button = find(`[data-do=${name}]`);
    button.hidden = !isThere;
    button.disabled = !isPossible;
    // A button that cannot be pressed would keep the keys for itself.
    if (button.disabled && document.activeElement === button) button.blur();
    button.classList.toggle("primary", Boolean(primary[name]));
    if (texts[name]) button.querySelector(".label").textContent = texts[name];
  }
  find("#entry").hidden = Boolean(ending);
  const logged = find("[data-logged]");
  logged.hidden = !view.logged;
  if (view.logged) logged.href = view.logged;
}

// ── What the operator does ──

/** Back to before the last turn that the operator entered, or the last of all. A result that somebody
 * declared is taken back alone. */
function correct() {
  if (actions.length || entry.clicks.length) return cancel();
  const { ending, turns } = game();
  const { settings } = view.session.state;
  if (settings.contest && ending && !confirm(say("Reopen the finished game? Its saved record is then outdated, and the clocks stay stopped."))) return;
  const entered = turns.findLastIndex((turn) => turn.by === "operator") + 1;
  const decided = settings.flag === "shown" ? ["resign", "decided", "time"] : ["resign", "decided"];
  const isDecided = decided.includes(ending?.reason);
  act({ operation: "correct", from: isDecided ? turns.length + 1 : entered || turns.length, reason: "" });
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

/** Saves the record where the session is, and to the downloads of this browser. */
async function save() {
  const { saved, settings } = view.session.state;
  if (!await act({ operation: "save" })) return;
  const link = document.createElement("a");
  link.href = `${address}/record/${saved.length}`;
  link.download = "";
  link.click();
  const lacks = settings.contest && !(settings.event && settings.place);
  message(say(lacks ? "The record is saved. Its header lacks the event or the place." : "The record is saved."), false);
}

/** Who resigns: the only person, whoever is to move; otherwise the side to move. */
function resigning() {
  const people = [0, 1].filter((side) => !view.sides[side].is_engine);
  return people.length === 1 ? people[0] : mover();
}

const operations = {
  confirm: () => act({ operation: "confirm" }),
  hurry: () => act({ operation: "hurry" }),
  correct,
  pause: () => act({ operation: isStopped() ? "resume" : "pause" }),
  "charge-away": () => act({ operation: "charge-away" }),
  next: () => act({ operation: "next" }),
  hint,
  restart: () => act({ operation: "restart", seat: game().seats[mover()] }),
  resign: () => {
    const side = resigning();
    if (confirm(`${view.sides[side].name}: ${say("Resign")}?`)) act({ operation: "resign", side: SIDES[side] });
  },
  claim: () => {
    const fallen = view.sides.findIndex((side) => side.fallen);
    const question = say("{name} loses on time?").replace("{name}", view.sides[fallen].name);
    if (confirm(question)) act({ operation: "claim", side: SIDES[fallen] });
  },
  save,
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
  if (event.key in keys) {
    event.preventDefault();
    if (!find(`[data-do=${keys[event.key]}]`).disabled) operations[keys[event.key]]();
    return;
  }
  const typing = event.target.closest("input, select, textarea, .turns");
  // A button that was clicked keeps the focus, but only blanks press it.
  const pressing = event.key === " " && event.target.closest("button");
  if (!typing && !pressing && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) input.focus();
});
