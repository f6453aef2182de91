// What stands beside the board of the desk: turns, what engines report, corrections and records.

import { say } from "/assets/base.js";

/** Centipawns up to which a score has a word, and the words of the engine that is ahead and behind. */
const VERDICTS = [
  [20, "about even", "about even"],
  [80, "slightly ahead", "slightly behind"],
  [300, "ahead", "behind"],
  [Infinity, "far ahead", "far behind"],
];

/** A score of an engine in words, `slightly ahead (+0.31)`; empty without one. */
function verdict(score) {
  const [kind, text] = (score ?? "").split(" ");
  const value = Number(text);
  if (kind === "win") return value > 1 ? say("wins in {n} plies").replace("{n}", value) : say("wins at once");
  if (kind === "loss") return value > 1 ? say("loses in {n} plies").replace("{n}", value) : say("loses at once");
  if (kind !== "cp") return score ?? "";
  const [, ahead, behind] = VERDICTS.find(([limit]) => Math.abs(value) <= limit);
  const shown = `${value > 0 ? "+" : ""}${(value / 100).toFixed(2).replace("-", "−")}`;
  return `${say(value >= 0 ? ahead : behind)} (${shown})`;
}

/** How a game ended: `Engine resigned: Operator wins`. */
export function result({ result: won, reason, detail }, names) {
  if (won === "draw") return [say("draw"), say(detail)].filter(Boolean).join(say(": "));
  const [winner, loser] = won === "first" ? names : [...names].reverse();
  const wins = `${winner} ${say("wins")}`;
  const lost = { resign: "resigned", time: "lost on time" }[reason];
  if (lost) return `${loser} ${say(lost)}${say(": ")}${wins}`;
  return [wins, say(detail)].filter(Boolean).join(say(": "));
}

/** Turns that were taken back: `5. a7 b7 withdrawn, c4 played`. `game` is without them. */
export function withdrawal({ from, removed }, instead) {
  if (!removed.length) return say("The result or the engine's turn is withdrawn.");
  const played = instead ? say(", {turn} played").replace("{turn}", instead) : "";
  return say("{turn} withdrawn").replace("{turn}", `${from}. ${removed.join(" ")}`) + played;
}

/** The turn that was played in place of the first one of a correction, when there is one. */
function instead(corrections, index, games) {
  const { from, game } = corrections[index];
  const again = corrections.slice(index + 1).find((one) => one.game === game && one.from <= from);
  return again ? again.removed[from - again.from] : games[game - 1].turns[from - 1]?.text;
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** The turns, the newest in view. */
export function showTurns(list, turns) {
  if (list.dataset.count === String(turns.length) && list.lastElementChild?.title === turns.at(-1)?.text) return;
  list.dataset.count = turns.length;
  list.replaceChildren(...turns.map((turn, index) => {
    const item = element("li", "", "");
    item.title = turn.text;
    item.append(
      element("span", "quiet", `${index + 1}.`),
      element("span", "code", turn.text),
      element("span", "number quiet", turn.used_us ? `${(turn.used_us / 1e6).toFixed(1)} s` : ""),
      element("span", "quiet", turn.by ? say(turn.by) : say("die")),
    );
    return item;
  }));
  list.scrollTop = list.scrollHeight;
}

/** What the engines report: a score in words, and on demand the rest. */
export function showEngines(panel, { state, engines }) {
  panel.hidden = !engines.some(Boolean);
  panel.querySelectorAll(".report").forEach((home, seat) => {
    const { fault } = state.engines[seat];
    const report = engines[seat]?.report;
    home.hidden = !engines[seat];
    const said = fault ? `${say("failed:")} ${fault}` : verdict(report?.score) || "–";
    home.querySelector(".verdict").textContent = `${state.settings.seats[seat].name}: ${said}`;
    const facts = [
      report?.depth && `${say("depth")} ${report.depth}`,
      report?.nodes && `${report.nodes.toLocaleString("en")} ${say("nodes")}`,
    ];
    home.querySelector("details").hidden = !report || Boolean(fault);
    home.querySelector("summary").textContent = facts.filter(Boolean).join(" · ") || say("line");
    home.querySelector("details .code").textContent = report?.pv ?? "";
  });
}

export function showCorrections(panel, { corrections, games }) {
  panel.hidden = corrections.length === 0;
  panel.querySelector("ul").replaceChildren(...corrections.map((one, index) => {
    const time = new Date(one.time).toLocaleTimeString("en-GB");
    const what = withdrawal(one, instead(corrections, index, games));
    return element("li", "", [time, what, one.reason].filter(Boolean).join(" · "));
  }));
}

/** The records of the session as files to save. */
export function showSaved(list, saved, address) {
  list.replaceChildren(...saved.map(({ path, is_outdated: outdated }, index) => {
    const item = element("li", "", "");
    const link = element("a", "", path.split(/[/\\]/).at(-1));
    link.href = `${address}/record/${index}`;
    link.download = "";
    link.title = path;
    item.append(link);
    if (outdated) item.append(" ", element("span", "tag", say("outdated")));
    return item;
  }));
}
