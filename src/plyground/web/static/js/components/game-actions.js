/** What one can do with a game: undo, hint, resign, pace, review, link, record, play on. */

import { button, h, navigate, toast } from "../dom.js";
import { post } from "../net/api.js";

/** @typedef {import("../types.js").GameUpdate} GameUpdate */
/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../state/game.js").GameState} GameState */

const SPEEDS = ["off", "slow", "normal", "fast", "max"];

export class GameActions extends HTMLElement {
  constructor() {
    super();
    /** @type {GameState|null} */
    this.game = null;
    /** @type {GameInfo|null} */
    this.info = null;
    this.ply = 0;
    const act = (/** @type {string} */ type) => () => this.game?.send({ type });
    this.undo = button("↶ Undo", act("undo"), { title: "Take back your last move (U)" });
    this.hint = button("Hint", act("hint"), { title: "What would a strong agent play? (H)" });
    this.resign = button("Resign", () => this.askResign(), {});
    this.again = button("New game", () => navigate(`/play?new=${this.info?.name ?? ""}`), { title: "(N)" });
    this.review = button("Review", () => this.startReview(), {
      title: "Value every position and mark the mistakes",
    });
    this.fork = button("Play from here", () => this.openFork(), {
      title: "A new game from the position on the board",
    });
    this.share = button("Link", () => this.copyLink(), { title: "Copy a link to this position" });
    this.record = h("a", { class: "button", download: true, href: "#" }, "Download");
    this.speed = h("select", {
      "aria-label": "Autoplay", onchange: () => this.setSpeed(),
    }, ...SPEEDS.map((speed) => h("option", { value: speed }, speed)));
    this.pace = h("label", { class: "field inline" }, h("span", {}, "Autoplay"), this.speed);
    this.link = h("input", { class: "link", readonly: true, "aria-label": "Link", hidden: true });
    this.dialog = h("dialog", { "aria-label": "Play from here" });
  }

  connectedCallback() {
    if (this.undo.isConnected) return;
    this.append(h("div", { class: "row" }, this.undo, this.hint, this.resign, this.pace),
      h("div", { class: "row" }, this.fork, this.review, this.share, this.record, this.again),
      this.link, this.dialog);
  }

  /** @param {GameState} game @param {GameInfo} info @param {number} ply */
  show(game, info, ply) {
    this.game = game;
    this.info = info;
    this.ply = ply;
    const latest = game.latest;
    if (!latest) return;
    const playing = latest.kind === "game";
    const person = latest.seats.includes("") && playing;
    const over = latest.outcome !== null || !playing;
    const solo = info.players === 1;
    this.undo.hidden = !person;
    this.undo.disabled = !game.moves.some((entry) => entry.player >= 0 && latest.seats[entry.player] === "");
    this.hint.hidden = !person;
    this.hint.disabled = over || latest.position.turn < 0 || latest.seats[latest.position.turn] !== "";
    this.resign.hidden = !person;
    this.resign.disabled = over;
    this.resign.textContent = solo ? "Give up" : "Resign";
    this.pace.hidden = over || (person && !solo);
    if (document.activeElement !== this.speed) {
      const pace = person && latest.speed === "normal" && !this.auto ? "off" : latest.speed;
      this.speed.value = pace;
    }
    this.review.hidden = solo;
    this.review.disabled = game.length === 0;
    this.record.href = `/api/games/${game.id}/record`;
  }

  setSpeed() {
    const latest = this.game?.latest;
    if (!latest || !this.info) return;
    const person = latest.seats.includes("");
    this.auto = person && this.speed.value !== "off";
    this.game?.send({
      type: "autoplay", speed: this.speed.value, agent: person ? this.info.analyst : "",
    });
    this.speed.blur();
  }

  startReview() {
    this.review.disabled = true;
    this.game?.send({ type: "review", seconds: 0.2 });
  }

  askResign() {
    this.dialog.replaceChildren(h("form", { method: "dialog" },
      h("p", {}, "Give this game up?"),
      h("div", { class: "row" },
        h("button", { class: "primary", onclick: () => this.game?.send({ type: "resign" }) },
          this.resign.textContent ?? "Resign"),
        h("button", {}, "Go on"))));
    this.dialog.showModal();
  }

  async copyLink() {
    const link = `${location.origin}/?game=${this.game?.id}&pos=${this.ply}`;
    this.link.value = link;
    this.link.hidden = false;
    this.link.select();
    try {
      await navigator.clipboard.writeText(link);
      toast("The link is in the clipboard.");
    } catch {
      toast("Copy the link from the field.");
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
