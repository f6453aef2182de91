// The form that begins a session at the desk.

import { say } from "/assets/base.js";
import { begin, fit, remember } from "/assets/setup.js";

const form = document.getElementById("begin");
const fields = form.elements;
const names = [fields.name0, fields.name1];
const engines = [fields.engine0, fields.engine1];

/** Names say who plays, until the operator changes them. */
function follow() {
  names.forEach((name, seat) => {
    if (name.dataset.own !== undefined) return;
    const person = fields.mode.value === "contest" ? say("Opponent") : say("Operator");
    const usual = engines[seat].value ? say("Engine") : person;
    name.value = usual === names[1 - seat].value && seat ? `${usual} 2` : usual;
  });
}

/** Exchanges who plays first: names and players. */
function swap() {
  for (const [a, b] of [names, engines]) [a.value, b.value] = [b.value, a.value];
  const own = names.map((name) => name.dataset.own);
  names.forEach((name, seat) => {
    if (own[1 - seat] === undefined) delete name.dataset.own;
    else name.dataset.own = "";
  });
  follow();
}

/** The contest's clock, who rolls, and the engines, as the game has them. */
function suit() {
  const { minutes, dice } = fields.game.selectedOptions[0].dataset;
  fields.minutes.value = minutes;
  form.querySelector(".dice").hidden = dice === undefined;
  fit(fields);
  follow();
}

for (const name of names) name.addEventListener("input", () => (name.dataset.own = ""));
for (const field of [...engines, ...fields.mode]) field.addEventListener("change", follow);
form.querySelector("[data-swap]").addEventListener("click", swap);
fields.game.addEventListener("change", suit);
remember(fields);
suit();

form.addEventListener("submit", (event) => {
  event.preventDefault();
  begin({
    game: fields.game.value,
    seats: names.map((name, seat) => ({ name: name.value, engine: engines[seat].value })),
    minutes: Number(fields.minutes.value),
    contest: fields.mode.value === "contest",
    dice: fields.dice.value,
    event: fields.event.value,
    place: fields.place.value,
  });
});
