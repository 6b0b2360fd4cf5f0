/** The first screen: the games with a picture each, and the latest games. */

import { custom, h, toast } from "../dom.js";
import { outcomeText, pairing, timeText } from "../format.js";
import { catalog, get } from "../net/api.js";
import { readOutcome, readSnapshot } from "../state/game.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").GameSummary} GameSummary */

const LISTED = 8;

class HomeScreen extends HTMLElement {
  async connectedCallback() {
    document.title = "plyground";
    this.append(h("header", { class: "hero" },
      h("h1", {}, "Play. Watch. Understand."),
      h("p", {}, "Four games, strong opponents, and an analysis that shows the value of every move.")));
    try {
      const games = await catalog();
      this.append(h("section", { class: "cards", "aria-label": "Games" },
        ...games.map((game) => this.card(game))));
      this.append(...this.recent(await get("/api/games"), games));
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }

  /** @param {GameInfo} game */
  card(game) {
    const board = custom("game-board");
    const picture = h("a", {
      class: "picture", href: `/play?new=${game.name}`, tabindex: "-1", "aria-hidden": "true",
    }, board);
    get(`/api/pictures/${game.name}`).then((raw) => {
      board.draw(readSnapshot({ board: raw }).board, game.name);
      board.removeAttribute("tabindex");
      board.removeAttribute("role");
    }, () => {});
    return h("article", { class: "card" }, picture,
      h("div", { class: "card-text" },
        h("h2", {}, game.title),
        h("p", {}, sentence(game.summary)),
        h("div", { class: "row" },
          h("a", { class: "button primary", href: `/play?new=${game.name}` }, "Play"),
          h("a", { class: "button", href: `/watch?new=${game.name}` }, "Watch"),
          h("a", { class: "button", href: `/analyse?game=${game.name}` }, "Analyse"),
          h("a", { class: "button", href: `/tournaments?game=${game.name}` }, "Tournament"))));
  }

  /** @param {GameSummary[]} list @param {GameInfo[]} games */
  recent(list, games) {
    const shown = list.filter((one) => one.moves > 0 || one.kind === "record").slice(0, LISTED);
    if (!shown.length) return [];
    const rows = shown.map((one) => {
      const info = games.find((game) => game.name === one.game);
      const state = one.outcome && info
        ? outcomeText(readOutcome(one.outcome), one.seats, info)
        : one.kind === "record" ? "record" : `after ${one.moves} moves`;
      return h("li", {}, h("a", { href: `/play?game=${one.id}` },
        h("strong", {}, info?.title ?? one.game), h("span", {}, pairing(one.seats)),
        h("span", { class: "muted" }, state), h("span", { class: "muted" }, timeText(one.updated))));
    });
    return [h("section", { class: "recent", "aria-labelledby": "recent" },
      h("h2", { id: "recent" }, "Latest games"), h("ul", {}, ...rows))];
  }
}

/** @param {string} text */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

customElements.define("home-screen", HomeScreen);
