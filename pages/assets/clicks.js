// A board that takes clicks: what may be clicked next, and the action that the clicks make.

import { say } from "/assets/base.js";

const FACES = "⚀⚁⚂⚃⚄⚅";

export class Clicks {
  /** Clicks in `root`, which has a `.screen` for the board, `.extra` for buttons of what is not on
   * it, and a list of texts, `#legal`. `choose` is called with the text of an action, `refuse` with
   * the name of a place that cannot be played now. */
  constructor(root, choose, refuse = () => {}) {
    this.root = root;
    this.choose = choose;
    this.refuse = refuse;
    this.clicks = [];
    root.addEventListener("click", (event) => {
      const { target } = event.target.closest("[data-target]")?.dataset ?? {};
      if (target) this.click(target);
    });
    this.name(root.querySelector(".screen"));
  }

  /** Shows the name of the place under the mouse. */
  name(home) {
    const label = document.createElement("span");
    label.className = "where";
    label.ariaHidden = "true";
    home.after(label);
    home.addEventListener("pointermove", (event) => {
      const { target } = event.target.closest?.("[data-target]")?.dataset ?? {};
      label.textContent = event.pointerType === "mouse" ? target ?? "" : "";
      label.style.left = `${event.clientX + 16}px`;
      label.style.top = `${event.clientY - 36}px`;
    });
    home.addEventListener("pointerleave", () => (label.textContent = ""));
  }

  /** Shakes a place that cannot be played. */
  shake(name) {
    const target = this.find(`.screen [data-target="${CSS.escape(name)}"]`);
    target?.classList.add("refused");
    setTimeout(() => target?.classList.remove("refused"), 600);
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  /** Shows a board; `before` are the actions of its turn that were chosen already, and `button` is
   * what the names of buttons begin with. */
  show(board, { before = [], button, roll }) {
    this.board = board;
    this.before = before;
    this.button = button;
    this.roll = roll;
    this.mark();
  }

  /** Forgets the clicks of an action that is not complete. */
  forget() {
    this.clicks = [];
  }

  /** The entries that begin with the clicks so far. */
  open() {
    return this.board.entries.filter(([, list]) => this.clicks.every((one, index) => one === list[index]));
  }

  click(name) {
    let fits = this.open().filter(([, list]) => list[this.clicks.length] === name);
    if (!fits.length) {
      // Another piece may have been meant.
      this.clicks = [];
      fits = this.board.entries.filter(([, list]) => list[0] === name);
      if (!fits.length) {
        this.mark();
        this.shake(name);
        return this.refuse(name);
      }
    }
    this.clicks.push(name);
    const [text, list] = fits[0];
    if (fits.length > 1 || list.length > this.clicks.length) return this.mark();
    this.clicks = [];
    this.choose(text);
  }

  /** Marks what may be clicked next. */
  mark() {
    const home = this.find(".screen");
    if (this.shown !== this.board.svg) {
      home.innerHTML = this.board.svg;
      this.shown = this.board.svg;
    }
    const next = new Set(this.open().map(([, list]) => list[this.clicks.length]));
    home.classList.toggle("choosing", this.clicks.length > 0);
    for (const target of home.querySelectorAll("[data-target]")) {
      const name = target.dataset.target;
      target.classList.toggle("legal", next.has(name));
      target.classList.toggle("chosen", this.clicks.includes(name));
    }
    this.markButtons([...next].filter((name) => name.startsWith(this.button)));
    this.find("#legal").replaceChildren(...this.board.entries.slice(0, 400).map(([text]) => {
      const option = document.createElement("option");
      option.value = [...this.before, text].join(" ");
      return option;
    }));
  }

  markButtons(names) {
    const extra = this.find(".extra");
    const shown = names.join(" ");
    if (extra.dataset.names === shown) return;
    extra.dataset.names = shown;
    extra.replaceChildren(...names.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.target = name;
      const text = name.slice(this.button.length);
      button.textContent = this.roll ? FACES[text.slice(1) - 1] ?? text : say(text);
      button.setAttribute("aria-label", text);
      return button;
    }));
  }
}
