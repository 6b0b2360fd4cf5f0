/** The evaluation over a game, with the mistakes as dots. A click shows that position. */

import { s } from "../dom.js";
import { forFirst } from "../format.js";

/** @typedef {import("../types.js").ReviewedMove} ReviewedMove */

const WIDTH = 320, HEIGHT = 90, PAD = 6;

export class EvalGraph extends HTMLElement {
  constructor() {
    super();
    /** @type {(ply: number) => void} */
    this.onchoose = () => {};
    this.total = 1;
    this.svg = /** @type {SVGSVGElement} */ (s("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Evaluation over the game",
      preserveAspectRatio: "none",
    }));
  }

  connectedCallback() {
    if (this.svg.isConnected) return;
    this.append(this.svg);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      this.onchoose(Math.round(((event.clientX - box.left) / box.width) * this.total));
    });
  }

  /**
   * @param {ReviewedMove[]} review
   * @param {number} total moves of the game
   * @param {number} ply
   */
  show(review, total, ply) {
    this.total = Math.max(1, total);
    const x = (/** @type {number} */ at) => PAD + (at / this.total) * (WIDTH - 2 * PAD);
    const y = (/** @type {number} */ value) => HEIGHT / 2 - value * (HEIGHT / 2 - PAD);
    const points = review.flatMap((entry) =>
      entry.score ? [{ entry, x: x(entry.ply), y: y(forFirst(entry.score)) }] : []);
    const line = points.map((point) => `${point.x},${point.y}`).join(" ");
    const parts = [
      s("line", { x1: PAD, y1: HEIGHT / 2, x2: WIDTH - PAD, y2: HEIGHT / 2, class: "axis" }),
    ];
    if (points.length > 1) {
      const first = points[0], last = points[points.length - 1];
      parts.push(s("polygon", {
        points: `${first.x},${HEIGHT / 2} ${line} ${last.x},${HEIGHT / 2}`, class: "area",
      }), s("polyline", { points: line, class: "curve" }));
    }
    for (const point of points.filter(({ entry }) => entry.mark)) {
      parts.push(s("circle", { cx: point.x, cy: point.y, r: 4, class: `dot ${point.entry.mark}` },
        s("title", {}, `move ${point.entry.ply + 1}: ${point.entry.mark}`)));
    }
    parts.push(s("line", { x1: x(ply), y1: 0, x2: x(ply), y2: HEIGHT, class: "now" }));
    this.svg.replaceChildren(...parts);
  }
}

customElements.define("eval-graph", EvalGraph);
