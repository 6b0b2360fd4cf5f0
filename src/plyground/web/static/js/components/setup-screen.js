/** A new game: which one, who plays, how long agents think, the options of the game. */

import { custom, h, navigate, toast } from "../dom.js";
import { catalog, post } from "../net/api.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */

const PERSON = "";
const PREFERRED = ["champion", "alphabeta", "mcts", "greedy", "random"];

export class SetupScreen extends HTMLElement {
  constructor() {
    super();
    this.watch = false;
    this.wanted = "";
  }

  async connectedCallback() {
    document.title = this.watch ? "Watch – plyground" : "Play – plyground";
    try {
      this.games = await catalog();
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
      return;
    }
    const chosen = this.games.find((game) => game.name === this.wanted) ??
      this.games.find((game) => game.name === "connect4") ?? this.games[0];
    this.options = custom("option-fields");
    this.seats = h("div", { class: "seats" });
    this.seconds = h("select", { name: "seconds", "aria-label": "Time per move" },
      ...[["0.05", "0.05 s"], ["0.2", "0.2 s"], ["0.5", "0.5 s"], ["1", "1 s"], ["3", "3 s"],
        ["10", "10 s"], ["30", "30 s"]].map(([value, text]) =>
        h("option", { value, selected: value === (this.watch ? "0.2" : "1") }, text)));
    this.seed = h("input", {
      type: "number", name: "seed", min: "0", max: "4294967295", placeholder: "random",
    });
    this.position = h("input", { type: "text", name: "position", placeholder: "the usual one" });
    const tabs = h("div", { class: "tabs", role: "radiogroup", "aria-label": "Game" },
      ...this.games.map((game) => h("label", {},
        h("input", {
          type: "radio", name: "game", value: game.name, checked: game === chosen,
          onchange: () => this.choose(game),
        }), h("span", {}, game.title))));
    this.about = h("p", { class: "muted" });
    this.append(h("form", { class: "setup panel", onsubmit: (/** @type {Event} */ event) => this.start(event) },
      h("h1", {}, this.watch ? "Watch agents play" : "New game"),
      tabs, this.about, this.seats,
      h("label", { class: "field" }, h("span", {}, "time per move"), this.seconds,
        !this.watch && h("small", {}, "for agents; people take the time they need")),
      h("details", {}, h("summary", {}, "Options"), this.options,
        h("label", { class: "field" }, h("span", {}, "seed"), this.seed,
          h("small", {}, "of deals and of the agents' random choices")),
        h("label", { class: "field" }, h("span", {}, "start position"), this.position,
          h("small", {}, "text of a position, as the analysis shows it"))),
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary large" },
        this.watch ? "Watch" : "Play"), this.watch && custom("record-upload"))));
    this.choose(chosen);
  }

  /** @param {GameInfo} game */
  choose(game) {
    this.game = game;
    this.options.setOptions(game.options);
    if (this.about) this.about.textContent = `${game.summary[0].toUpperCase()}${game.summary.slice(1)}.`;
    const strongest = PREFERRED.find((name) => game.agents.some((agent) => agent.name === name)) ?? "random";
    const defaults = this.watch
      ? [strongest, game.agents.some((agent) => agent.name === "mcts") ? "mcts" : "random"]
      : [PERSON, strongest];
    this.seats?.replaceChildren(...game.playerNames.slice(0, game.players).map((name, seat) =>
      h("div", { class: "field" },
        h("span", {}, game.players === 1 ? "player" : seat === 0 ? `${name}, moves first` : name),
        this.seat(game, seat, defaults[seat]))));
  }

  /** @param {GameInfo} game @param {number} seat @param {string} value */
  seat(game, seat, value) {
    const choice = custom("agent-choice", { "data-seat": seat });
    choice.offer(game.agents, value, `Player ${seat + 1}`, !this.watch);
    return choice;
  }

  /** @param {Event} event */
  async start(event) {
    event.preventDefault();
    const seats = [...this.querySelectorAll("agent-choice")].map((one) =>
      /** @type {import("./agent-choice.js").AgentChoice} */ (one).value);
    /** @type {Record<string, unknown>} */
    const request = {
      game: this.game?.name, seats, seconds: Number(this.seconds?.value), options: this.options.values,
    };
    if (this.seed?.value) request.seed = Number(this.seed.value);
    if (this.position?.value.trim()) request.position = this.position.value.trim();
    try {
      const made = await post("/api/games", request);
      navigate(`/play?game=${made.id}`);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }
}

customElements.define("setup-screen", SetupScreen);
