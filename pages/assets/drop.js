// Takes records that are dropped on the page, and goes on to the review of the game.

import { say } from "/assets/base.js";
import { sendFile } from "/assets/send.js";
import { REVIEW } from "/assets/review.js";

const zone = document.querySelector(".drop");
const input = zone?.querySelector("input");
const said = zone?.querySelector(".said");

function link(address, text) {
  const made = document.createElement("a");
  made.href = address;
  made.textContent = text;
  return made;
}

async function take(file) {
  said.replaceChildren(say("reading …"));
  const answer = await sendFile(`/records?name=${encodeURIComponent(file.name)}`, file);
  if (!answer.ok) return said.replaceChildren(answer.text);
  const { ids, faults, league } = JSON.parse(answer.text);
  const one = ids.length === 1;
  const address = one ? `/game/${league}/${encodeURIComponent(ids[0])}` : `/league/${league}`;
  if (one) sessionStorage.setItem(REVIEW, `/review/${league}/${encodeURIComponent(ids[0])}`);
  if (ids.length && !faults.length) return location.assign(address);
  const lines = faults.map((fault) => Object.assign(document.createElement("p"), { textContent: fault }));
  said.replaceChildren(...lines);
  if (ids.length) said.append(link(address, say("to the games")));
}

if (zone) {
  input.addEventListener("change", () => input.files[0] && take(input.files[0]));
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  addEventListener("dragleave", (event) => event.relatedTarget || zone.classList.remove("over"));
  addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    zone.classList.remove("over");
    take(file);
  });
}
