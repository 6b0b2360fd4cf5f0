/** What one can do with a game: a row of icons, the rest in a menu; pace when agents play alone. */

import { ask, button, h, navigate, toast } from "../dom.js";
import { icon, iconButton } from "../icons.js";
import { post } from "../net/api.js";

/** @typedef {import("../types.js").GameUpdate} GameUpdate */
/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../state/game.js").GameState} GameState */

const SPEEDS = [["slow", "Slow"], ["normal", "Normal"], ["fast", "Fast"], ["max", "As fast as it can"]];

export class GameActions extends HTMLElement {
  constructor() {
    super();
    /** @type {GameState|null} */
    this.game = null;
    /** @type {GameInfo|null} */
    this.info = null;
    this.ply = 0;
    this.auto = false;
    /** whether the agent that plays for a person was asked to stop */
    this.pausing = false;
    /** @type {() => void} */
    this.onanalyse = () => {};
    /** whether a review is under way */
    this.reviewing = false;
    /** @type {() => void} */
    this.onreview = () => {};
    /** @type {() => void} */
    this.onrules = () => {};
    const act = (/** @type {string} */ type) => () => this.game?.send({ type });
    this.undo = iconButton("undo", "Undo (U)", act("undo"));
    this.hint = iconButton("hint", "Hint (H)", act("hint"));
    this.resign = iconButton("flag", "Resign", () => this.askResign());
    this.analyse = iconButton("analyse", "Analysis (A)", () => this.onanalyse(), { "aria-pressed": "false" });
    this.rules = iconButton("help", "Rules and keys (?)", () => this.onrules());
    this.more = iconButton("more", "More", () => this.toggleMenu(), { "aria-expanded": "false" });
    this.again = this.item("new", "New game (N)", () => this.newGame());
    this.review = this.item("review", "Review", () => this.startReview());
    this.fork = this.item("fork", "Play from here", () => this.openFork());
    this.share = this.item("link", "Link", () => this.copyLink());
    this.record = h("a", { class: "button", download: true, href: "#" }, icon("save"), "Download");
    this.menu = h("div", { class: "menu", hidden: true },
      this.review, this.fork, this.share, this.record, this.again);
    this.pause = iconButton("pause", "Pause", () => this.togglePause());
    this.step = iconButton("step", "One move", () => this.game?.send({ type: "step" }));
    this.speed = h("select", { "aria-label": "Speed", onchange: () => this.setSpeed(this.speed.value) },
      ...SPEEDS.map(([value, text]) => h("option", { value }, text)));
    this.speed.value = "normal";
    this.pace = h("div", { class: "pace row" }, this.pause, this.step, this.speed);
    this.auto_ = button("Let the champion play", () => this.setSpeed("fast"), { class: "quiet" });
    this.dialog = h("dialog", { "aria-label": "Play from here or copy the link" });
  }

  connectedCallback() {
    if (this.undo.isConnected) return;
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.menu.hidden) return;
      this.toggleMenu(false);
      this.more.focus();
    });
    this.append(h("div", { class: "icons" }, this.undo, this.hint, this.resign, this.analyse, this.rules, this.more),
      this.menu, this.pace, this.auto_, this.dialog);
  }

  /** @param {string} shape @param {string} label @param {() => void} action */
  item(shape, label, action) {
    const made = button("", () => {
      this.toggleMenu(false);
      action();
    });
    made.append(icon(shape), label);
    return made;
  }

  /** @param {boolean} [open] */
  toggleMenu(open = this.menu.hidden) {
    this.menu.hidden = !open;
    this.more.setAttribute("aria-expanded", String(open));
  }

  /** @param {GameState} game @param {GameInfo} info @param {number} ply */
  show(game, info, ply) {
    this.game = game;
    this.info = info;
    this.ply = ply;
    const latest = game.latest;
    if (!latest) return;
    if (this.pausing && (latest.speed === "normal" || latest.outcome)) this.auto = this.pausing = false;
    const playing = latest.kind === "game";
    const person = latest.seats.includes("") && playing;
    const over = latest.outcome !== null || !playing;
    const solo = info.players === 1;
    this.undo.hidden = this.hint.hidden = this.resign.hidden = !person;
    this.undo.disabled = !game.moves.some((entry) => entry.player >= 0 && latest.seats[entry.player] === "");
    this.hint.disabled = over || latest.position.turn < 0 || latest.seats[latest.position.turn] !== "";
    this.resign.disabled = over;
    const name = solo ? "Give up" : "Resign";
    this.resign.setAttribute("aria-label", name);
    this.resign.title = name;
    const alone = playing && !over && (!person || (solo && this.auto));
    this.pace.hidden = !alone;
    this.auto_.hidden = over || !solo || !person || this.auto;
    this.auto_.textContent = `Let ${info.analyst} play`;
    const paused = latest.speed === "off";
    const verb = paused ? "Go on" : "Pause";
    if (this.pause.title !== verb) {
      this.pause.replaceChildren(icon(paused ? "play" : "pause"));
      this.pause.setAttribute("aria-label", verb);
      this.pause.title = verb;
    }
    if (document.activeElement !== this.speed && !paused) this.speed.value = latest.speed;
    this.review.hidden = solo;
    this.review.disabled = game.length === 0 || this.reviewing;
    this.record.href = `/api/games/${game.id}/record`;
  }

  togglePause() {
    const paused = this.game?.latest?.speed === "off";
    if (this.auto && !paused) {
      this.pausing = true;
      this.game?.send({ type: "autoplay", speed: "off", agent: "" });
    } else this.setSpeed(paused ? this.speed.value : "off");
  }

  /** @param {string} speed */
  setSpeed(speed) {
    const latest = this.game?.latest;
    if (!latest || !this.info) return;
    const person = latest.seats.includes("");
    this.auto = person && speed !== "off";
    this.game?.send({ type: "autoplay", speed, agent: this.auto ? this.info.analyst : "" });
    this.speed.blur();
  }

  startReview() {
    if (this.reviewing) return;
    this.game?.send({ type: "review", seconds: 0.2 });
    this.onreview();
  }

  async askResign() {
    const name = this.resign.title;
    if (await ask("Give this game up?", name, "Go on")) this.game?.send({ type: "resign" });
  }

  /** Leave for another game; ask first if one is being played. */
  async newGame() {
    const latest = this.game?.latest;
    const playing = latest && latest.kind === "game" && !latest.outcome && latest.seats.includes("") &&
      (this.game?.length ?? 0) > 1;
    if (playing && !await ask("Leave this game and set up another? It stays in the list on the first page.",
      "New game", "Go on playing")) return;
    navigate(`/play?new=${this.info?.name ?? ""}`);
  }

  /** The same players once more. @param {boolean} swap whether they change sides */
  async rematch(swap) {
    const latest = this.game?.latest;
    if (!latest || !this.info) return;
    const options = { ...latest.options };
    if (this.info.seedOption) delete options[this.info.seedOption];
    const seats = swap ? [...latest.seats].reverse() : latest.seats;
    try {
      const made = await post("/api/games", {
        game: latest.game, options, seats, seconds: latest.seconds, position: latest.start,
      });
      navigate(`/play?game=${made.id}`);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }

  async copyLink() {
    const link = `${location.origin}/?game=${this.game?.id}&pos=${this.ply}`;
    try {
      await navigator.clipboard.writeText(link);
      toast("The link is in the clipboard.");
    } catch {
      const field = h("input", { class: "link", readonly: true, value: link, "aria-label": "Link to this position" });
      this.dialog.replaceChildren(h("form", { method: "dialog" }, h("h2", {}, "Link to this position"), field,
        h("button", { class: "primary" }, "Close")));
      this.dialog.showModal();
      field.select();
    }
  }

  openFork() {
    const { game, info } = this;
    if (!game || !info) return;
    const selects = Array.from({ length: info.players }, (_, seat) =>
      h("select", { "aria-label": info.playerNames[seat] },
        h("option", { value: "" }, "person"),
        ...info.agents.map((agent) => h("option", {
          value: agent.name, selected: seat === 1 && agent.name === info.analyst,
        }, agent.name))));
    const start = async () => {
      try {
        const made = await post(`/api/games/${game.id}/fork`, {
          ply: this.ply, seats: selects.map((one) => one.value), seconds: game.latest?.seconds ?? 1,
        });
        navigate(`/play?game=${made.id}`);
      } catch (error) {
        toast(String(/** @type {Error} */ (error).message), "error");
      }
    };
    this.dialog.replaceChildren(h("form", { method: "dialog" },
      h("h2", {}, `Play on after move ${this.ply}`),
      ...selects.map((one, seat) => h("label", { class: "field" },
        h("span", {}, info.playerNames[seat]), one)),
      h("div", { class: "row" },
        h("button", { class: "primary", onclick: start }, "Start"), h("button", {}, "Cancel"))));
    this.dialog.showModal();
  }
}

customElements.define("game-actions", GameActions);
