// A game on a board. What does not change is drawn once; each picture is given by what it changes.

const parser = new DOMParser();
const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';

/** The first SVG element of markup that this server has made. */
function element(markup) {
  const text = `<svg ${NAMESPACE}>${markup}</svg>`;
  return document.adoptNode(parser.parseFromString(text, "image/svg+xml").documentElement.firstElementChild);
}

/** For every picture the numbers of its elements, in order. */
function frames(changes) {
  const shown = new Set();
  return changes.map(([appear, disappear]) => {
    for (const number of disappear) shown.delete(number);
    for (const number of appear) shown.add(number);
    return [...shown].sort((a, b) => a - b);
  });
}

export class Board {
  /** A board in place of what is in `home`. */
  constructor(home, scenery, game) {
    this.elements = scenery.elements;
    this.frames = frames(game.changes);
    this.titles = game.titles;
    this.made = [];
    this.home = home;
    this.svg = element(scenery.head);
    this.layers = [...this.svg.querySelectorAll("[data-layer]")];
    home.replaceChildren(this.svg);
  }

  /** Shows another picture until the next step. */
  replace(markup) {
    this.home.replaceChildren(element(markup));
  }

  /** Shows the picture after `ply` turns and rolls. */
  show(ply) {
    if (!this.svg.isConnected) this.home.replaceChildren(this.svg);
    this.svg.setAttribute("aria-label", this.titles[ply]);
    const layers = this.layers.map(() => []);
    for (const number of this.frames[ply]) {
      layers[this.elements[number][0]]?.push(this.part(number));
    }
    this.layers.forEach((layer, index) => layer.replaceChildren(...layers[index]));
  }

  part(number) {
    this.made[number] ??= element(this.elements[number][1]);
    return this.made[number];
  }
}
