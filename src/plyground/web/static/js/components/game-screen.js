/** A game: played, watched or replayed. The board shows the latest position or an earlier one. */

import { custom, h, navigate, toast } from "../dom.js";
import { outcomeText, seatName } from "../format.js";
import { makeInput } from "../input/index.js";
import { gameInfo } from "../net/api.js";
import { listen } from "../net/socket.js";
import { GameState } from "../state/game.js";
import { playSound } from "../state/sound.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").ReviewedMove} ReviewedMove */

const TICK_MILLISECONDS = 100;

export class GameScreen extends HTMLElement {
  constructor() {
    super();
    this.wanted = "";
    /** @type {number|null} the position to show; null follows the game */
    this.ply = null;
    /** @type {GameInfo|null} */
    this.info = null;
    /** @type {import("../input/base.js").BoardInput|null} */
    this.input = null;
    /** @type {Snapshot|null} */
    this.shown = null;
    /** @type {{ply: number, move: string}|null} */
    this.hinted = null;
    /** @type {ReviewedMove[]} */
    this.reviewing = [];
    this.ending = new AbortController();
  }

  connectedCallback() {
    this.board = custom("game-board");
    this.tray = h("div", { class: "tray" });
    this.replay = custom("replay-bar");
    this.replay.onchoose = (/** @type {number} */ ply) => this.choose(ply);
    this.moves = custom("move-list");
    this.moves.onchoose = (/** @type {number} */ ply) => this.choose(ply);
    this.bar = custom("eval-bar", { hidden: true });
    this.graph = custom("eval-graph", { hidden: true });
    this.graph.onchoose = (/** @type {number} */ ply) => this.choose(ply);
    this.analysis = custom("analysis-panel");
    this.actions = custom("game-actions");
    this.top = custom("player-strip");
    this.bottom = custom("player-strip");
    this.status = h("p", { class: "game-status", role: "status" }, "Opening the game…");
    this.chips = h("div", { class: "chips" });
    this.heading = h("h1", { class: "game-title" });
    this.append(h("div", { class: "game-layout" },
      h("section", { class: "board-column", "aria-label": "Board" },
        this.top, h("div", { class: "board-row" }, this.bar, this.board), this.bottom,
        this.tray, this.replay),
      h("aside", { class: "side" },
        h("div", { class: "panel head" }, this.heading, this.status, this.chips, this.actions),
        h("div", { class: "panel" }, this.analysis, this.graph),
        h("div", { class: "panel moves" }, this.moves))));
    this.analysis.board = this.board;
    this.analysis.bar = this.bar;
    this.analysis.onmove = (/** @type {string} */ move) => this.play(move);
    this.analysis.addEventListener("switch", (/** @type {CustomEvent} */ event) => {
      this.bar.hidden = !event.detail || this.info?.players === 1;
    });
    this.stops = [
      listen("hint", (message) => this.takeHint(message)),
      listen("review", (message) => this.takeReview(message)),
      listen("error", (message) => this.takeError(message)),
    ];
    this.timer = setInterval(() => this.tick(), TICK_MILLISECONDS);
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.ending.signal });
    this.state = new GameState(this.wanted);
    this.state.addEventListener("change", (event) =>
      this.changed(/** @type {CustomEvent} */ (event).detail));
  }

  disconnectedCallback() {
    this.ending.abort();
    clearInterval(this.timer);
    for (const stop of this.stops ?? []) stop();
    this.input?.destroy();
    this.state?.close();
  }

  /** @param {number} added moves since the last picture */
  async changed(added) {
    const latest = this.state?.latest;
    if (!latest) return;
    if (!this.info) {
      this.info = await gameInfo(latest.game);
      if (!this.isConnected) return;
      this.input ??= makeInput(latest.game, this.board, (move, judged) => this.play(move, judged),
        this.tray ?? h("div"));
      this.moves.label = (/** @type {string} */ move) => this.input?.label(move) ?? move;
      this.analysis.input = this.input;
      this.analysis.setGame(this.info);
      if (this.heading) this.heading.textContent = this.info.title;
      document.title = `${this.info.title} – plyground`;
      this.classList.toggle("solo", this.info.players === 1);
    }
    if (latest.review.length) this.reviewing = latest.review;
    else if (this.reviewing.length && added < 0) this.reviewing = [];
    if (added > 0) playSound();
    if (this.ply !== null && this.ply > (this.state?.length ?? 0)) this.ply = null;
    await this.draw();
  }

  async draw() {
    const { state, info } = this;
    const latest = state?.latest;
    if (!state || !latest || !info) return;
    const ply = this.ply ?? state.length;
    let snapshot;
    try {
      snapshot = this.ply === null ? latest.position : await state.position(ply);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
      return;
    }
    if (ply !== (this.ply ?? state.length)) return;
    this.shown = snapshot;
    this.board.draw(snapshot.board, latest.game);
    this.input?.show(snapshot, this.mayMove());
    this.markMoves(snapshot, ply);
    this.replay.show(ply, state.length);
    this.moves.show(state.moves, ply, this.reviewing);
    this.moves.parentElement.hidden = state.length === 0;
    this.actions.show(state, info, ply);
    this.analysis.show(snapshot, latest.options);
    this.graph.hidden = this.reviewing.length === 0;
    this.graph.show(this.reviewing, state.length, ply);
    this.describe(snapshot, ply);
    this.tick();
  }

  /** @param {Snapshot} snapshot @param {number} ply */
  markMoves(snapshot, ply) {
    const marks = [];
    const last = this.state?.moves[ply - 1];
    const before = this.state?.known.get(ply - 1);
    if (last && last.player >= 0 && this.input) {
      const source = this.info?.name === "blockudoku" ? before : snapshot;
      if (source) marks.push({ place: this.input.placeOf(last.move, source, true), kind: "last" });
    }
    if (this.hinted?.ply === ply && this.input) {
      marks.push({ place: this.input.placeOf(this.hinted.move, snapshot), kind: "hint" });
    }
    const better = this.reviewing.find((entry) => entry.ply === ply && entry.mark);
    if (better && this.ply !== null && this.input) {
      marks.push({ place: this.input.placeOf(better.best, snapshot), kind: "hint" });
    }
    this.board.mark(marks);
  }

  /** Whether a person can move on the board as it is shown. */
  mayMove() {
    const latest = this.state?.latest;
    if (!latest || this.ply !== null || latest.outcome || latest.kind !== "game") return false;
    const turn = latest.position.turn;
    const alone = latest.seats.length === 1 && latest.speed !== "normal" && this.actions.auto;
    return turn >= 0 && latest.seats[turn] === "" && !alone;
  }

  /** @param {Snapshot} snapshot @param {number} ply */
  describe(snapshot, ply) {
    const latest = this.state?.latest;
    if (!latest || !this.info || !this.status || !this.chips) return;
    const live = this.ply === null;
    let text = snapshot.board.caption;
    if (live && latest.outcome) text = outcomeText(latest.outcome, latest.seats, this.info);
    else if (!live) text = `After ${ply} of ${this.state?.length} moves: ${text}`;
    else if (latest.thinking) text = `${text}: thinking`;
    this.status.textContent = text;
    this.status.classList.toggle("over", live && latest.outcome !== null);
    this.board.say(text);
    const chips = [];
    if (this.info.players === 1) {
      /** @type {Record<string, string>} */
      const values = { score: "0", turns: "0", streak: "0" };
      for (const [, name, value] of snapshot.text.matchAll(/\b([a-z]+)=(\d+)/g)) values[name] = value;
      for (const [name, value] of Object.entries(values)) chips.push(chip(name, value));
      const best = Math.max(latest.best ?? 0, Number(values.score));
      chips.push(chip("best", String(best)));
    }
    this.chips.replaceChildren(...chips);
  }

  tick() {
    const latest = this.state?.latest;
    if (!latest || !this.info || !this.state) return;
    const turn = latest.outcome ? -1 : latest.position.turn;
    const running = (performance.now() - this.state.received) / 1000;
    const points = /score (\d+) - (\d+)/.exec(this.shown?.board.caption ?? "")?.slice(1) ?? [];
    const person = latest.seats.indexOf("");
    const below = person === 1 && latest.seats[0] !== "" ? 1 : 0;
    const strips = this.info.players === 1 ? [[this.bottom, 0]] : [[this.bottom, below], [this.top, 1 - below]];
    this.top.hidden = this.info.players === 1;
    for (const [strip, seat] of strips) {
      const people = latest.seats.filter((name) => !name).length;
      const name = latest.seats[seat] || (people > 1 ? this.info.playerNames[seat] : seatName(""));
      strip.show({
        name: latest.seats[seat] && latest.kind === "game" ? `${name} (${latest.seconds} s)` : name,
        seat, turn: turn === seat, thinking: latest.thinking && turn === seat,
        points: points[seat] ?? "",
        used: (latest.used[seat] ?? 0) + (turn === seat && latest.kind === "game" ? running : 0),
      });
    }
  }

  /** @param {string} move @param {boolean} [judged] */
  play(move, judged = false) {
    if (this.mayMove()) {
      this.hinted = null;
      this.state?.play(move, judged);
    } else toast("Play from here to try a move.", "info");
  }

  /** @param {number} ply */
  choose(ply) {
    if (!this.state) return;
    this.ply = ply >= this.state.length ? null : ply;
    const suffix = this.ply === null ? "" : `&pos=${ply}`;
    navigate(`/play?game=${this.wanted}${suffix}`, true);
    this.draw();
  }

  /** @param {any} message */
  takeHint(message) {
    if (message.id !== this.wanted) return;
    this.hinted = { ply: message.ply, move: message.move };
    const label = this.input?.label(message.move) ?? message.move;
    const score = message.score ? `, ${message.score.text}` : "";
    toast(`${message.agent} would play ${label}${score}`);
    this.draw();
  }

  /** @param {any} message */
  takeReview(message) {
    if (message.id !== this.wanted) return;
    const merged = new Map(message.done ? [] : this.reviewing.map((entry) => [entry.ply, entry]));
    for (const entry of message.moves) {
      merged.set(entry.ply, { score: null, best: "", loss: 0, mark: "", ...entry });
    }
    this.reviewing = [...merged.values()].sort((a, b) => a.ply - b.ply);
    if (message.done) {
      if (this.state?.latest) this.state.latest.review = this.reviewing;
      const count = this.reviewing.filter((entry) => entry.mark).length;
      toast(`Review done: ${count} ${count === 1 ? "move" : "moves"} marked.`);
    }
    this.draw();
  }

  /** @param {any} message */
  takeError(message) {
    if (message.id !== this.wanted) return;
    if (message.kind === "not-found" && this.status) this.status.textContent = message.message;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || target.closest("input, select, textarea, dialog") ||
        event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = /** @type {Record<string, HTMLButtonElement>} */ ({
      u: this.actions.undo, h: this.actions.hint, n: this.actions.again,
    });
    const action = actions[event.key.toLowerCase()];
    if (action && !action.hidden && !action.disabled) {
      event.preventDefault();
      action.click();
    }
  }
}

/** @param {string} name @param {string} value */
const chip = (name, value) => h("span", { class: "chip" }, h("small", {}, name), h("b", {}, value));

customElements.define("game-screen", GameScreen);
