/** The analysis board: any position, pasted or played, searched live. */

import { button, custom, h, navigate, toast } from "../dom.js";
import { makeInput } from "../input/index.js";
import { catalog, post } from "../net/api.js";
import { readSnapshot } from "../state/game.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../types.js").GameInfo} GameInfo */

export class AnalyseScreen extends HTMLElement {
  constructor() {
    super();
    this.parameters = new URLSearchParams();
    /** @type {Snapshot[]} */
    this.trail = [];
    /** @type {import("../input/base.js").BoardInput|null} */
    this.input = null;
  }

  async connectedCallback() {
    document.title = "Analyse – plyground";
    try {
      this.games = await catalog();
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
      return;
    }
    const wanted = this.parameters.get("game") ?? "connect4";
    this.info = this.games.find((game) => game.name === wanted) ?? this.games[0];
    this.select = h("select", { "aria-label": "Game", onchange: () => this.change() },
      ...this.games.map((game) => h("option", {
        value: game.name, selected: game === this.info,
      }, game.title)));
    this.field = h("textarea", {
      rows: "3", "aria-label": "Position", spellcheck: "false",
      placeholder: "paste a position; empty: the start of the game",
    });
    this.options = custom("option-fields");
    this.board = custom("game-board");
    this.tray = h("div", { class: "tray" });
    this.bar = custom("eval-bar");
    this.analysis = custom("analysis-panel");
    this.status = h("p", { class: "game-status", role: "status" });
    this.back = button("↶ Take back", () => this.takeBack());
    this.append(h("div", { class: "game-layout" },
      h("section", { class: "board-column", "aria-label": "Board" },
        h("div", { class: "board-row" }, this.bar, this.board), this.tray),
      h("aside", { class: "side" },
        h("div", { class: "panel head" }, h("h1", { class: "game-title" }, "Analysis"), this.status,
          h("label", { class: "field" }, h("span", {}, "game"), this.select),
          h("label", { class: "field" }, h("span", {}, "position"), this.field),
          h("details", {}, h("summary", {}, "Options"), this.options),
          h("div", { class: "row" },
            button("Set up", () => this.setUp(this.field?.value.trim() ?? ""), { class: "primary" }),
            this.back, button("Play from here", () => this.playOn()))),
        h("div", { class: "panel" }, this.analysis))));
    this.analysis.board = this.board;
    this.analysis.bar = this.bar;
    this.analysis.onmove = (/** @type {string} */ move) => this.play(move);
    this.useGame();
    await this.setUp(this.parameters.get("position") ?? "");
    this.analysis.switch(true);
  }

  disconnectedCallback() {
    this.input?.destroy();
  }

  useGame() {
    if (!this.info) return;
    this.input?.destroy();
    this.board.overlay.replaceChildren();
    this.board.mark([]);
    this.input = makeInput(this.info.name, this.board, (move) => this.play(move), this.tray ?? h("div"));
    this.analysis.input = this.input;
    this.analysis.setGame(this.info);
    this.options.setOptions(this.info.options);
    this.bar.hidden = this.info.players === 1;
  }

  change() {
    this.info = this.games?.find((game) => game.name === this.select?.value) ?? this.info;
    if (this.field) this.field.value = "";
    this.useGame();
    this.setUp("");
  }

  /** @param {string} position @param {string[]} [moves] */
  async ask(position, moves = []) {
    return readSnapshot(await post("/api/position", {
      game: this.info?.name, options: this.options.values, position, moves,
    }));
  }

  /** @param {string} position */
  async setUp(position) {
    try {
      this.trail = [await this.ask(position)];
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
      if (this.trail.length || !position) return;
      this.trail = [await this.ask("")];
    }
    this.draw();
  }

  /** @param {string} move */
  async play(move) {
    const current = this.trail.at(-1);
    if (!current) return;
    try {
      this.trail.push(await this.ask(current.text, [move]));
      this.draw();
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }

  takeBack() {
    if (this.trail.length > 1) this.trail.pop();
    this.draw();
  }

  async playOn() {
    const current = this.trail.at(-1);
    if (!current || !this.info) return;
    const seats = this.info.players === 1 ? [""] : ["", this.info.analyst];
    if (current.turn === 1) seats.reverse();
    try {
      const made = await post("/api/games", {
        game: this.info.name, options: this.options.values, position: current.text, seats,
      });
      navigate(`/play?game=${made.id}`);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }

  draw() {
    const current = this.trail.at(-1);
    if (!current || !this.info || !this.field || !this.status || !this.back) return;
    this.board.draw(current.board, this.info.name);
    this.input?.show(current, current.turn >= 0);
    this.field.value = current.text;
    this.status.textContent = current.board.caption;
    this.back.disabled = this.trail.length < 2;
    this.analysis.show(current, this.options.values);
    const address = new URLSearchParams({ game: this.info.name, position: current.text });
    navigate(`/analyse?${address}`, true);
  }
}

customElements.define("analyse-screen", AnalyseScreen);
