// The form that begins a game against an engine.

import { say } from "/assets/base.js";
import { begin, fit, remember } from "/assets/setup.js";

const form = document.getElementById("play");
const fields = form.elements;

/** Fills in time, depth and noise of the chosen level. */
function level() {
  const { seconds, depth, noise } = fields.level.selectedOptions[0].dataset;
  if (seconds === undefined) return;
  fields.seconds.value = seconds;
  fields.depth.value = depth ?? "";
  fields.noise.value = noise;
}

fields.level.addEventListener("change", level);
for (const name of ["seconds", "depth", "noise"]) {
  fields[name].addEventListener("input", () => (fields.level.value = "own"));
}
fields.game.addEventListener("change", () => fit(fields));
level();
remember(fields);
fit(fields);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { engine, level, seconds, depth, noise } = fields;
  const chosen = level.selectedOptions[0].textContent;
  const person = { name: say("You"), engine: "" };
  const opponent = {
    name: level.value === "own" ? engine.value : `${engine.value} (${chosen})`,
    engine: engine.value,
    strength: {
      ms: seconds.value ? Math.round(1000 * seconds.value) : null,
      depth: depth.value ? Number(depth.value) : null,
      noise: Number(noise.value),
    },
  };
  const side = fields.side.value === "" ? Math.random() < 0.5 : fields.side.value === "0";
  begin({
    game: fields.game.value,
    seats: side ? [person, opponent] : [opponent, person],
    contest: false,
  });
});
