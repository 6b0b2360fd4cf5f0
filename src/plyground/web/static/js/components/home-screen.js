/** The first screen: the games as something to play, then what else there is. */

import { failedScreen, h } from "../dom.js";
import { outcomeText, pairing, plural, sentence, timeText } from "../format.js";
import { catalog, get } from "../net/api.js";
import { readOutcome } from "../state/game.js";
import { livePicture } from "./live-picture.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").GameSummary} GameSummary */

const LISTED = 4;
const PLACES = [
  ["/watch", "Watch the champions", "Two agents at one board, at your pace"],
  ["/analyse", "Analyse a position", "The value of every move, lines to play through"],
  ["/tournaments", "Tournaments", "Every agent against every other, with error bars"],
  ["/lab", "Lab", "Experiments: what was claimed, what was measured"],
  ["/class", "Class", "The ranking of a course, with everybody's games"],
];

class HomeScreen extends HTMLElement {
  async connectedCallback() {
    document.title = "plyground";
    this.append(h("h1", { class: "visually-hidden" }, "plyground: games to play, watch and understand"));
    const waiting = h("p", { class: "muted", role: "status" }, "Opening the games…");
    this.append(waiting);
    try {
      const games = await catalog();
      waiting.remove();
      this.append(h("section", { class: "cards", "aria-label": "Games" },
        ...games.map((game) => this.card(game))));
      this.append(h("nav", { class: "places", "aria-label": "More" }, ...PLACES.map(([address, name, text]) =>
        h("a", { href: address }, h("b", {}, name), h("span", { class: "muted" }, text)))));
      this.append(...this.recent(await get("/api/games"), games));
    } catch (error) {
      this.replaceChildren(failedScreen(error));
    }
  }

  /** @param {GameInfo} game */
  card(game) {
    return h("article", { class: "card" },
      h("a", {
        class: "picture", href: `/play?new=${game.name}`, tabindex: "-1", "aria-hidden": "true",
      }, livePicture(game)),
      h("h2", {}, game.title),
      h("p", { class: "muted" }, sentence(game.summary)),
      h("div", { class: "row" },
        h("a", { class: "button primary", href: `/play?new=${game.name}`, "aria-label": `Play ${game.title}` }, "Play"),
        h("a", { class: "button quiet", href: `/watch?new=${game.name}`, "aria-label": `Watch ${game.title}` }, "Watch"),
        h("a", { class: "button quiet", href: `/analyse?game=${game.name}`, "aria-label": `Analyse ${game.title}` }, "Analyse")));
  }

  /** @param {GameSummary[]} list @param {GameInfo[]} games */
  recent(list, games) {
    // One move may be a deal or another player's: nobody has played yet.
    const known = list.filter((one) => one.moves > 1 || one.kind === "record");
    const open = known.filter((one) => !one.outcome && one.kind !== "record");
    return [...this.listed("Go on with", open, games),
      ...this.listed("Look at again", known.filter((one) => !open.includes(one)), games)];
  }

  /** @param {string} title @param {GameSummary[]} list @param {GameInfo[]} games */
  listed(title, list, games) {
    if (!list.length) return [];
    const rows = list.slice(0, LISTED).map((one) => {
      const info = games.find((game) => game.name === one.game);
      const state = one.outcome && info
        ? outcomeText(readOutcome(one.outcome), one.seats, info)
        : one.kind === "record" ? "record" : `after ${plural(one.moves, "move")}`;
      return h("li", {}, h("a", { href: `/play?game=${one.id}` },
        h("strong", {}, info?.title ?? one.game), h("span", {}, pairing(one.seats)),
        h("span", { class: "muted" }, state), h("span", { class: "muted" }, timeText(one.updated))));
    });
    return [h("section", { class: "recent", "aria-label": title }, h("h2", {}, title), h("ul", {}, ...rows))];
  }
}

customElements.define("home-screen", HomeScreen);
