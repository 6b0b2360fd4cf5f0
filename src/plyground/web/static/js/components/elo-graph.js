/** Ratings of the players over the games of a run. */

import { h, s } from "../dom.js";
import { plural } from "../format.js";

const WIDTH = 640, HEIGHT = 240, LEFT = 66, BOTTOM = 22, TOP = 16, RIGHT = 12;
export const COLOURS = 8;

export class EloGraph extends HTMLElement {
  /**
   * @param {string[]} names
   * @param {[number, number[]][]} graph
   * @param {import("../types.js").RunRow[]} [rows] the table, for the intervals at the end
   */
  show(names, graph, rows = []) {
    if (graph.length === 0) {
      this.replaceChildren(h("p", { class: "muted" }, "The graph appears with the first games."));
      return;
    }
    const all = [...graph.flatMap(([, ratings]) => ratings), ...rows.flatMap((row) => row.elo ?? []).filter(Number.isFinite)];
    const least = Math.min(-50, ...all), most = Math.max(50, ...all);
    const step = [50, 100, 200, 500, 1000].find((one) => (most - least) / one <= 6) ?? 2000;
    // The axis ends at a figure on either side.
    const low = step * Math.floor(least / step), high = step * Math.ceil(most / step);
    const last = graph[graph.length - 1][0];
    const x = (/** @type {number} */ count) => LEFT + (count / last) * (WIDTH - LEFT - RIGHT);
    const y = (/** @type {number} */ elo) =>
      TOP + ((high - elo) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    const parts = [];
    for (let elo = Math.ceil(low / step) * step; elo <= high; elo += step) {
      parts.push(s("line", { x1: LEFT, y1: y(elo), x2: WIDTH - RIGHT, y2: y(elo), class: "grid" }),
        s("text", { x: LEFT - 6, y: y(elo) + 4, "text-anchor": "end", class: "tick" }, String(elo)));
    }
    parts.push(s("text", { x: WIDTH - RIGHT, y: HEIGHT - 5, "text-anchor": "end", class: "tick" },
      plural(last, "game")));
    names.forEach((name, player) => {
      const points = [[0, 0], ...graph.map(([count, ratings]) => [count, ratings[player]])]
        .map(([count, elo]) => `${x(count)},${y(elo)}`).join(" ");
      parts.push(s("polyline", { points, class: `line colour-${player % COLOURS}` },
        s("title", {}, name)));
      const interval = rows.find((row) => row.name === name)?.elo;
      if (!interval || !interval.every(Number.isFinite)) return;
      const at = x(last) - 5 * (names.length - player);
      parts.push(s("path", {
        d: `M${at - 3} ${y(interval[1])}h6M${at} ${y(interval[1])}V${y(interval[2])}M${at - 3} ${y(interval[2])}h6`,
        class: `line bar colour-${player % COLOURS}`,
      }, s("title", {}, `${name}: ${Math.round(interval[1])} to ${Math.round(interval[2])}`)));
    });
    this.replaceChildren(s("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Elo over the games",
    }, ...parts));
  }
}

customElements.define("elo-graph", EloGraph);
