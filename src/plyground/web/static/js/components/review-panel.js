/** The review of a game: accuracy and mistakes of each player, a graph, and one mistake at a time. */

import { button, custom, h } from "../dom.js";
import { forFirst, plural } from "../format.js";
import { iconButton } from "../icons.js";

/** @typedef {import("../types.js").ReviewedMove} ReviewedMove */
/** @typedef {import("../state/game.js").GameState} GameState */

const KINDS = ["blunder", "mistake", "inaccuracy"];
const SIGNS = /** @type {Record<string, string>} */ ({ blunder: "??", mistake: "?", inaccuracy: "?!" });
const PLURALS = /** @type {Record<string, string>} */ ({
  blunder: "blunders", mistake: "mistakes", inaccuracy: "inaccuracies",
});

/**
 * How well a player played, 0 to 100: what share of what there was to lose was kept, on average.
 * @param {ReviewedMove[]} own
 */
function accuracy(own) {
  if (!own.length) return null;
  const kept = own.map((entry) => 1 - Math.min(1, (entry.loss || 0) / 2));
  return Math.round(100 * kept.reduce((sum, one) => sum + one ** 3, 0) / kept.length);
}

/** Of a first position that is proven to be won by somebody: no move could change that. @param {ReviewedMove|undefined} start */
const decided = (start) => (!start?.score?.exact || !start.score.expectation ? ""
  : `: the ${forFirst(start.score) > 0 ? "first" : "second"} player wins from the start, proven`);

export class ReviewPanel extends HTMLElement {
  constructor() {
    super();
    /** @type {(ply: number) => void} */
    this.onchoose = () => {};
    /** @type {(move: string) => string} */
    this.label = (move) => move;
    /** @type {ReviewedMove[]} */
    this.marked = [];
    this.ply = 0;
    this.table = h("table", { class: "accuracy" });
    this.graph = custom("eval-graph");
    this.said = h("p", { class: "said" });
    this.next = button("Next mistake", () => this.jump(1));
    this.previous = iconButton("back", "Previous mistake", () => this.jump(-1));
  }

  connectedCallback() {
    if (this.table.isConnected) return;
    this.graph.onchoose = (/** @type {number} */ ply) => this.onchoose(ply);
    this.append(h("div", { class: "row spread" }, h("h2", {}, "Review"),
      h("div", { class: "row" }, this.previous, this.next)), this.said, this.graph, this.table);
  }

  /** @param {number} way 1 forward, -1 back */
  jump(way) {
    const plies = this.marked.map((entry) => entry.ply);
    const found = way > 0 ? plies.find((ply) => ply > this.ply) ?? plies[0]
      : [...plies].reverse().find((ply) => ply < this.ply) ?? plies.at(-1);
    if (found !== undefined) this.onchoose(found);
  }

  /**
   * @param {ReviewedMove[]} review
   * @param {GameState} game
   * @param {number} ply
   * @param {string[]} names
   * @param {number} total positions that a review under way has to value, 0 when it is done
   */
  show(review, game, ply, names, total) {
    this.hidden = review.length === 0 && total === 0;
    if (this.hidden) return;
    this.ply = ply;
    this.marked = review.filter((entry) => entry.mark);
    this.graph.show(review, game.length, ply);
    const rows = names.map((name, seat) => {
      const own = review.filter((entry) => game.moves[entry.ply]?.player === seat);
      const counts = KINDS.map((kind) => own.filter((entry) => entry.mark === kind).length);
      const share = total ? null : accuracy(own);
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, h("b", {}, total ? "…" : share === null ? "–" : `${share} %`)),
        ...counts.map((count) => h("td", {}, String(count))));
    });
    this.table.replaceChildren(h("thead", {}, h("tr", {}, h("th", {}, "player"), h("th", {}, "accuracy"),
      ...KINDS.map((kind) => h("th", { title: PLURALS[kind] },
        h("span", { "aria-hidden": "true", class: `sign ${kind}` }, SIGNS[kind]),
        h("span", { class: "visually-hidden" }, PLURALS[kind]))))), h("tbody", {}, ...rows));
    this.next.disabled = this.previous.disabled = this.marked.length === 0;
    const here = this.marked.find((entry) => entry.ply === ply);
    const played = here ? this.label(game.moves[here.ply]?.move ?? "") : "";
    this.said.textContent = total ? `Working: ${review.length} of ${Math.max(total, game.length)} positions valued.` : here
      ? `Move ${here.ply + 1}: ${names[game.moves[here.ply]?.player] ?? ""} played ${played}, ${here.mark === "inaccuracy" ? "an" : "a"} ${here.mark}. Best was ${this.label(here.best)}. ${here.why}`
      : this.marked.length ? `${plural(this.marked.length, "move")} marked. Go through them with the button.`
        : `No mistakes found${decided(review[0])}.`;
  }
}

customElements.define("review-panel", ReviewPanel);
