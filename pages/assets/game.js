// The page of a game. Its address names the position: `#17`.

import { followReview } from "/assets/review.js";
import { ReviewedViewer } from "/assets/reviewed.js";

const root = document.querySelector(".game");
const viewer = new ReviewedViewer(root, await (await fetch(root.dataset.viewed)).json());

const analyse = document.querySelector("[data-analysis]");
viewer.onshow = (ply) => {
  history.replaceState(null, "", `#${ply}`);
  analyse.hash = ply;
};
const picture = async (address, ply) => (await fetch(`${address}?ply=${ply}`)).text();
viewer.pictureOfLine = (ply) => picture(root.dataset.line, ply);
viewer.pictureOfBetter = (ply) => picture(root.dataset.better, ply);
addEventListener("keydown", (event) => viewer.key(event));
addEventListener("hashchange", () => viewer.show(Number(location.hash.slice(1))));
viewer.show(location.hash ? Number(location.hash.slice(1)) : viewer.last);
followReview(root, viewer);
