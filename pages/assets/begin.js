// The form that begins a session at the desk.

import { begin, fit } from "/assets/setup.js";

const form = document.getElementById("begin");
const fields = form.elements;

/** The contest's clock, who rolls, and the engines, as the game has them. */
function suit() {
  const { minutes, dice } = fields.game.selectedOptions[0].dataset;
  fields.minutes.value = minutes;
  form.querySelector(".dice").hidden = dice === undefined;
  fit(fields);
}

fields.game.addEventListener("change", suit);
suit();

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const seat = (number) => ({
    name: fields[`name${number}`].value, engine: fields[`engine${number}`].value,
  });
  begin({
    game: fields.game.value,
    seats: [seat(0), seat(1)],
    minutes: Number(fields.minutes.value),
    contest: fields.contest.checked,
    variant: fields.variant.value,
    dice: fields.dice.value,
    event: fields.event.value,
    place: fields.place.value,
  });
});
