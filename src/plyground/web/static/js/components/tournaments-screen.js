/** All runs, and a form that starts a tournament. */

import { button, custom, failedScreen, h, navigate } from "../dom.js";
import { plural, sentence, timeText } from "../format.js";
import { clearProblems, pointOut, problemIn } from "../forms.js";
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
      this.replaceChildren(failedScreen(error));
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
    this.rounds = h("input", { type: "number", name: "rounds", value: "4", min: "1", max: "200", required: true });
    this.seconds = h("input", {
      type: "number", name: "seconds", value: "0.05", min: "0.005", max: "5", step: "any", required: true,
    });
    this.wrong = h("p", { class: "bad wrong", role: "alert" });
    const select = h("select", {
      name: "game", onchange: () => this.choose(games.find((game) => game.name === select.value) ?? chosen),
    }, ...games.map((game) => h("option", { value: game.name, selected: game === chosen }, game.title)));
    return h("form", { class: "panel", novalidate: true, onsubmit: (/** @type {Event} */ event) => this.start(event) },
      h("h2", {}, "Start a tournament"),
      h("label", { class: "field" }, h("span", {}, "game"), select),
      h("fieldset", {}, h("legend", {}, "players"), this.players ?? "",
        h("details", { "data-apart": true }, h("summary", {}, "With other parameters"), this.variant,
          h("div", { class: "row" }, button("Add", () => this.addVariant())))),
      h("label", { class: "field" }, h("span", {}, "rounds"), this.rounds,
        h("small", {}, "each pair meets twice a round, with swapped sides")),
      h("label", { class: "field" }, h("span", {}, "seconds a move"), this.seconds),
      h("details", {}, h("summary", {}, "Options"), this.options), this.wrong,
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

  /** Say what is wrong, and where. @param {{reason: string, field?: import("../forms.js").Field}|null} problem */
  tell(problem) {
    clearProblems(this);
    this.wrong?.replaceChildren(problem?.reason ?? "");
    if (problem?.field) pointOut(problem.field);
  }

  addVariant() {
    const problem = problemIn(this.variant);
    this.tell(problem);
    if (!problem) this.addPlayer(this.variant.value, true);
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

  /**
   * What keeps the tournament from beginning, and the field that it is about.
   * @param {string[]} agents
   * @returns {{reason: string, field?: import("../forms.js").Field}|null}
   */
  problem(agents) {
    const fewest = this.game?.players === 1 ? 1 : 2;
    if (agents.length > MOST_PLAYERS) return { reason: `At most ${MOST_PLAYERS} players take part in a tournament.` };
    if (agents.length < fewest) {
      return { reason: fewest === 2 ? "Choose at least two players: they meet each other." : "Choose at least one player." };
    }
    return problemIn(this);
  }

  /** @param {Event} event */
  async start(event) {
    event.preventDefault();
    const agents = [...(this.players?.querySelectorAll("input:checked") ?? [])].map((one) =>
      /** @type {HTMLInputElement} */ (one).value);
    const problem = this.problem(agents);
    this.tell(problem);
    if (problem) return;
    try {
      const made = await post("/api/runs", {
        game: this.game?.name, agents, rounds: Number(this.rounds?.value),
        seconds: Number(this.seconds?.value), options: this.options.values,
      });
      navigate(`/run?id=${encodeURIComponent(made.id)}`);
    } catch (error) {
      this.tell({ reason: sentence(String(/** @type {Error} */ (error).message)) });
    }
  }
}

customElements.define("tournaments-screen", TournamentsScreen);
