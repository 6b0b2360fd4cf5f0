/** The moves of a game; a click shows the position after one. Marks of a review stand beside. */

import { h } from "../dom.js";

/** @typedef {import("../types.js").MoveRecord} MoveRecord */
/** @typedef {import("../types.js").ReviewedMove} ReviewedMove */

const SIGNS = /** @type {Record<string, string>} */ ({ blunder: "??", mistake: "?", inaccuracy: "?!" });
const DRAWN = 200, PAGE = 100;

export class MoveList extends HTMLElement {
  constructor() {
    super();
    /** @type {(ply: number) => void} */
    this.onchoose = () => {};
    /** @type {(move: string) => string} */
    this.label = (move) => move;
    /** @type {(move: string) => string} */
    this.dealLabel = (move) => `deal ${move}`;
    this.list = h("ol", {});
    /** @type {MoveRecord[]} */
    this.drawn = [];
    this.first = 0;
    this.reviewed = "";
    this.scrolling = false;
  }

  connectedCallback() {
    if (this.list.isConnected) return;
    this.setAttribute("aria-label", "Moves");
    this.setAttribute("role", "navigation");
    this.append(this.list);
    this.list.addEventListener("click", (event) => {
      const item = /** @type {HTMLElement} */ (event.target).closest("button");
      if (item?.dataset.ply) this.onchoose(Number(item.dataset.ply));
    });
  }

  /**
   * @param {MoveRecord[]} moves
   * @param {number} ply the position on the board
   * @param {ReviewedMove[]} review
   */
  show(moves, ply, review) {
    const room = Math.max(0, Math.min(moves.length - DRAWN, ply - DRAWN / 2));
    const first = Math.floor(room / PAGE) * PAGE;
    const shown = moves.slice(first, first + DRAWN + PAGE);
    const reviewed = review.filter((entry) => entry.mark).map((entry) => `${entry.ply} ${entry.mark} ${entry.best}`).join();
    const marks = new Map(review.map((entry) => [entry.ply, entry]));
    // Only what is new is drawn: a game may grow by many moves a second.
    const same = first === this.first && reviewed === this.reviewed &&
      this.drawn.every((entry, at) => at >= shown.length || shown[at].move === entry.move);
    if (!same) {
      this.list.replaceChildren();
      this.drawn = [];
    }
    while (this.drawn.length > shown.length) {
      this.drawn.pop();
      this.list.lastElementChild?.remove();
    }
    const added = shown.slice(this.drawn.length).map((entry, at) =>
      this.item(entry, first + this.drawn.length + at, marks.get(first + this.drawn.length + at)));
    this.list.append(...added);
    this.drawn = shown;
    this.first = first;
    this.reviewed = reviewed;
    this.list.start = first + 1;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.list.querySelector(`[data-ply="${ply}"]`);
    current?.setAttribute("aria-current", "true");
    if (this.scrolling || (!current && ply > 0)) return;
    this.scrolling = true;
    requestAnimationFrame(() => {
      this.scrolling = false;
      const box = this.list.querySelector("[aria-current]")?.parentElement;
      // No move leads to the first position: the list stands at its beginning.
      this.scrollTop = box ? box.offsetTop - this.clientHeight / 2 : 0;
    });
  }

  /** @param {MoveRecord} entry @param {number} index @param {ReviewedMove|undefined} mark */
  item(entry, index, mark) {
    const chance = entry.player < 0;
    const sign = mark?.mark ? SIGNS[mark.mark] : "";
    const title = [
      entry.time !== undefined ? `${entry.time.toFixed(2)} s` : "",
      entry.nodes ? `${entry.nodes} nodes` : "",
      mark?.mark ? `${mark.mark}, better: ${this.label(mark.best)}` : "",
    ].filter(Boolean).join(", ");
    return h("li", { class: chance ? "chance" : `by-${entry.player}` },
      h("button", { type: "button", "data-ply": index + 1, title: title || null },
        h("span", { class: "number" }, `${index + 1}`),
        chance ? this.dealLabel(entry.move) : this.label(entry.move),
        sign && h("span", { class: `sign ${mark?.mark}`, "aria-label": mark?.mark }, sign)));
  }
}

customElements.define("move-list", MoveList);
