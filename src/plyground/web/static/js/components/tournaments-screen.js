/** All runs, and a form that starts a tournament. */

import { button, custom, h, navigate, toast } from "../dom.js";
import { plural, timeText } from "../format.js";
import { catalog, get, post } from "../net/api.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").RunSummary} RunSummary */

const MOST_PLAYERS = 8;

export class TournamentsScreen extends HTMLElement {
  constructor() {
    super();
    this.wanted = "";
  }

  async connectedCallback() {
    document.title = "Tournaments – plyground";
    try {
      const games = await catalog();
      const chosen = games.find((game) => game.name === this.wanted) ??
        games.find((game) => game.name === "connect4") ?? games[0];
      this.options = custom("option-fields");
      this.variant = custom("agent-choice");
      this.players = h("div", { class: "checks", role: "group", "aria-label": "Players" });
      this.append(h("div", { class: "two-columns" },
        h("section", { class: "panel runs", "aria-labelledby": "runs" },
          h("h1", { id: "runs" }, "Tournaments"), this.list(await get("/api/runs"), games)),
        this.form(games, chosen)));
      this.choose(chosen);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }

  /** @param {RunSummary[]} runs @param {GameInfo[]} games */
  list(runs, games) {
    if (!runs.length) {
      return h("p", { class: "muted" }, "No matches or tournaments have been played yet.");
    }
    return h("ul", { class: "run-list" }, ...runs.map((run) => h("li", {},
      h("a", { href: `/run?id=${encodeURIComponent(run.id)}` },
        h("strong", {}, games.find((game) => game.name === run.game)?.title ?? run.game), h("span", {}, run.players.join(", ")),
        h("span", { class: "muted" }, plural(run.games, "game")),
        h("span", { class: "muted" }, timeText(run.created)),
        run.running ? h("span", { class: "live" }, "live") : null))));
  }

  /** @param {GameInfo[]} games @param {GameInfo} chosen */
  form(games, chosen) {
    this.rounds = h("input", { type: "number", name: "rounds", value: "4", min: "1", max: "200" });
    this.seconds = h("input", {
      type: "number", name: "seconds", value: "0.05", min: "0.005", max: "5", step: "any",
    });
    const select = h("select", {
      name: "game", onchange: () => this.choose(games.find((game) => game.name === select.value) ?? chosen),
    }, ...games.map((game) => h("option", { value: game.name, selected: game === chosen }, game.title)));
    return h("form", { class: "panel", onsubmit: (/** @type {Event} */ event) => this.start(event) },
      h("h2", {}, "Start a tournament"),
      h("label", { class: "field" }, h("span", {}, "game"), select),
      h("fieldset", {}, h("legend", {}, "players"), this.players ?? "",
        h("details", {}, h("summary", {}, "With other parameters"), this.variant,
          h("div", { class: "row" }, button("Add", () => this.addPlayer(this.variant.value, true))))),
      h("label", { class: "field" }, h("span", {}, "rounds"), this.rounds,
        h("small", {}, "each pair meets twice a round, with swapped sides")),
      h("label", { class: "field" }, h("span", {}, "seconds a move"), this.seconds),
      h("details", {}, h("summary", {}, "Options"), this.options),
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Start")));
  }

  /** @param {GameInfo} game */
  choose(game) {
    this.game = game;
    this.options.setOptions(game.options);
    this.variant.offer(game.agents, game.agents[0].name, "Agent to add", false);
    this.players?.replaceChildren();
    game.agents.forEach((agent, index) => this.addPlayer(agent.name, index < 3, agent.summary));
  }

  /** @param {string} name @param {boolean} checked @param {string} [summary] */
  addPlayer(name, checked, summary = "") {
    const known = [...(this.players?.querySelectorAll("input") ?? [])].find((one) => one.value === name);
    if (known) {
      known.checked = checked;
      return;
    }
    this.players?.append(h("label", { title: summary },
      h("input", { type: "checkbox", name: "agent", value: name, checked }), h("span", {}, name)));
  }

  /** @param {Event} event */
  async start(event) {
    event.preventDefault();
    const agents = [...(this.players?.querySelectorAll("input:checked") ?? [])].map((one) =>
      /** @type {HTMLInputElement} */ (one).value);
    const fewest = this.game?.players === 1 ? 1 : 2;
    if (agents.length < fewest || agents.length > MOST_PLAYERS) {
      toast(agents.length > MOST_PLAYERS ? `At most ${MOST_PLAYERS} players take part in a tournament.`
        : fewest === 2 ? "Choose at least two players: they meet each other." : "Choose at least one player.", "error");
      return;
    }
    try {
      const made = await post("/api/runs", {
        game: this.game?.name, agents, rounds: Number(this.rounds?.value),
        seconds: Number(this.seconds?.value), options: this.options.values,
      });
      navigate(`/run?id=${encodeURIComponent(made.id)}`);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }
}

customElements.define("tournaments-screen", TournamentsScreen);
