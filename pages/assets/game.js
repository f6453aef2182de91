// The page of a game. Its address names the position: `#17`.

import { Viewer } from "/assets/viewer.js";

const root = document.querySelector(".game");
const viewer = new Viewer(root, await (await fetch(root.dataset.viewed)).json());

const analyse = document.querySelector("[data-analysis]");
viewer.onshow = (ply) => {
  history.replaceState(null, "", `#${ply}`);
  analyse.hash = ply;
};
viewer.pictureOfLine = async (ply) => (await fetch(`${root.dataset.line}?ply=${ply}`)).text();
addEventListener("keydown", (event) => viewer.key(event));
addEventListener("hashchange", () => viewer.show(Number(location.hash.slice(1))));
viewer.show(location.hash ? Number(location.hash.slice(1)) : viewer.last);
