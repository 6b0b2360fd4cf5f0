/** What stands beside the board when a game is over: result, reason, and what to do next. */

import { button, h } from "../dom.js";
import { outcomeParts, plural } from "../format.js";
import { get } from "../net/api.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../state/game.js").GameState} GameState */

export class EndCard extends HTMLElement {
  constructor() {
    super();
    /** @type {(swap: boolean) => void} */
    this.onrematch = () => {};
    /** @type {() => void} */
    this.onreview = () => {};
    /** @type {() => void} */
    this.onshare = () => {};
    /** @type {(on: boolean) => void} */
    this.onsolution = () => {};
    this.shownFor = "";
    this.solution = button("Show the solution", () => this.solved(this.solution.getAttribute("aria-pressed") !== "true"));
  }

  /** @param {GameState} game @param {GameInfo} info */
  show(game, info) {
    const latest = game.latest;
    const over = Boolean(latest?.outcome);
    this.hidden = !over;
    const key = `${game.id} ${game.length} ${over}`;
    if (!latest?.outcome || key === this.shownFor) return;
    this.shownFor = key;
    this.solution.setAttribute("aria-pressed", "false");
    const { headline, reason } = outcomeParts(latest.outcome, latest.seats, info);
    const playing = latest.kind === "game";
    const person = latest.seats.indexOf("");
    const won = info.players === 2 && person >= 0 && latest.seats.filter((seat) => !seat).length === 1
      ? latest.outcome.winner === person ? "won" : latest.outcome.winner === null ? "" : "lost" : "";
    const swap = button("Swap sides", () => this.onrematch(true));
    const review = button("Review", () => this.onreview(), { class: "looks-back" });
    const share = button("Share", () => this.onshare(), { class: "looks-back" });
    this.facts = h("p", { class: "muted facts" }, this.summary(game, info));
    this.className = won;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Result");
    this.replaceChildren(h("h2", {}, headline), reason ? h("p", {}, reason) : "", this.facts,
      h("div", { class: "row" },
        playing && button(info.players === 1 ? "Play again" : "Rematch", () => this.onrematch(false), { class: "primary" }),
        playing && info.players === 2 && swap, info.players === 2 && review, share,
        latest.position.epilogue ? this.solution : null));
    if (info.sameDeals && playing) this.compare(game);
  }

  /** @param {boolean} on whether the solution stands on the board */
  solved(on) {
    this.solution.setAttribute("aria-pressed", String(on));
    this.onsolution(on);
  }

  /** @param {GameState} game @param {GameInfo} info */
  summary(game, info) {
    const moves = game.moves.filter((entry) => entry.player >= 0).length;
    if (info.players === 2) return `${plural(moves, "move")}.`;
    // Of a person: it says nothing of an agent that one watches.
    const best = game.latest?.seats.includes("") ? game.latest.best ?? 0 : 0;
    const score = game.latest?.outcome?.scores?.[0] ?? 0;
    const record = !best ? "" : score === best ? " Your best score." : ` Your best score is ${best}.`;
    return `${plural(moves, info.moveName)}.${record}`;
  }

  /** How far the champion comes on the same deals. @param {GameState} game */
  async compare(game) {
    try {
      const found = await get(`/api/games/${game.id}/comparison`);
      if (!this.facts || !found.turns) return;
      const more = found.died ? `died after ${plural(found.reached, "turn")}`
        : `was still alive after ${plural(found.reached, "turn")}`;
      this.facts.textContent += ` You survived ${plural(found.turns, "turn")}; on the same deals ${found.agent} ${more}, with score ${found.score}.`;
    } catch { /* the figures are an extra */ }
  }
}

customElements.define("end-card", EndCard);
