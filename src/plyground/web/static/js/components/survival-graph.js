/** How long the games of each player last: the share still alive after so many turns. */

import { h, s } from "../dom.js";
import { COLOURS } from "./elo-graph.js";

const WIDTH = 640, HEIGHT = 270, LEFT = 78, BOTTOM = 50, TOP = 16, RIGHT = 12;
const LINES = [0, 0.25, 0.5, 0.75, 1];
const MOST_TICKS = 6;

export class SurvivalGraph extends HTMLElement {
  /** @param {string[]} names @param {[number, number][][]} curves steps (turn, share alive) for each player */
  show(names, curves) {
    const last = Math.max(0, ...curves.flat().map(([turn]) => turn));
    if (!last) {
      this.replaceChildren(h("p", { class: "muted" }, "The curves appear with the first games."));
      return;
    }
    const x = (/** @type {number} */ turn) => LEFT + (turn / last) * (WIDTH - LEFT - RIGHT);
    const y = (/** @type {number} */ share) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
    const parts = LINES.flatMap((share) => [
      s("line", { x1: LEFT, y1: y(share), x2: WIDTH - RIGHT, y2: y(share), class: "grid" }),
      s("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end", class: "tick" }, `${100 * share} %`)]);
    const step = niceStep(last / MOST_TICKS);
    for (let turn = 0; turn <= last; turn += step) {
      parts.push(s("text", { x: x(turn), y: HEIGHT - BOTTOM + 22, "text-anchor": "middle", class: "tick" }, String(turn)));
    }
    parts.push(s("text", { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end", class: "tick" }, "turns"));
    curves.forEach((curve, player) => {
      const path = curve.map(([turn, share], at) => (at ? `H${x(turn)}V${y(share)}` : `M${x(turn)} ${y(share)}`)).join("");
      parts.push(s("path", { d: path, class: `line colour-${player % COLOURS}` },
        s("title", {}, `${names[player]}: half of the games last ${median(curve)} turns`)));
    });
    this.replaceChildren(s("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": `Share of games still alive. ${names.map((name, player) =>
        `${name}: half of the games last ${median(curves[player])} turns`).join("; ")}`,
    }, ...parts));
  }
}

/** @param {[number, number][]} curve */
const median = (curve) => curve.find(([, share]) => share <= 0.5)?.[0] ?? `more than ${curve.at(-1)?.[0] ?? 0}`;

/** The smallest of 1, 2, 5, 10, 20, ... that is not below a number. @param {number} least */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? 10 * power;
}

customElements.define("survival-graph", SurvivalGraph);
