/** A game: played, watched or replayed. The board shows the latest position or an earlier one. */

import { custom, h, lostScreen, navigate, toast } from "../dom.js";
import { outcomeParts, outcomeText, playerNames, readPoints, turnText } from "../format.js";
import { makeInput } from "../input/index.js";
import { gameInfo } from "../net/api.js";
import { listen, socket } from "../net/socket.js";
import { GameState, readSnapshot } from "../state/game.js";
import { playSound } from "../state/sound.js";
import { showRules } from "./rules-card.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").ReviewedMove} ReviewedMove */

const TICK_MILLISECONDS = 100;
const PREPARING_MILLISECONDS = 500;
/** An answer that comes at once waits until the move before it has arrived on the board. */
const ARRIVAL_MILLISECONDS = 330;
/** So many moves are told at most where several came at once. */
const MOVES_TOLD = 2;

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
    /** @type {{ply: number, move: string, text: string}|null} */
    this.hinted = null;
    /** @type {ReviewedMove[]} */
    this.reviewing = [];
    /** positions that the review under way has to value; 0 while there is none */
    this.reviewTotal = 0;
    this.solution = false;
    /** what agents have moved last, for those who cannot see it */
    this.news = "";
    /** @type {Promise<void>|null} */
    this.opening = null;
    /** when the last move will have arrived on the board */
    this.arriving = 0;
    /** whether an answer waits for that; nobody can move before it is seen */
    this.settling = false;
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
    this.reviewPanel = custom("review-panel", { hidden: true });
    this.reviewPanel.onchoose = (/** @type {number} */ ply) => this.choose(ply);
    this.analysis = custom("analysis-panel");
    this.actions = custom("game-actions");
    this.actions.onreview = () => this.beginReview(1);
    this.actions.onanalyse = () => this.toggleAnalysis();
    this.actions.onrules = () => this.info && showRules(this.info);
    this.end = custom("end-card", { hidden: true });
    this.end.onrematch = (/** @type {boolean} */ swap) => this.actions.rematch(swap);
    this.end.onreview = () => this.actions.startReview();
    this.end.onshare = () => this.actions.copyLink();
    this.end.onsolution = (/** @type {boolean} */ on) => {
      this.solution = on;
      if (on && this.ply !== null) this.choose(this.state?.length ?? 0);
      else this.draw();
    };
    this.top = custom("player-strip");
    this.bottom = custom("player-strip");
    this.status = h("p", { class: "game-status", role: "status" }, "Opening the game…");
    this.preparing = custom("preparing-line", { hidden: true });
    this.chips = h("div", { class: "chips" });
    this.heading = h("h1", { class: "game-title" });
    this.detail = h("p", { class: "muted game-detail" });
    this.append(h("div", { class: "game-layout" },
      h("section", { class: "board-column", "aria-label": "Board" },
        this.top, this.chips, h("div", { class: "board-row" }, this.bar, this.board), this.bottom),
      h("div", { class: "tray-column" }, this.tray),
      h("aside", { class: "side", "aria-label": "Game" },
        h("div", { class: "panel head" }, h("div", { class: "row spread titles" }, this.heading, this.detail),
          this.status, this.preparing, this.actions),
        this.end,
        h("div", { class: "panel analysis-box", hidden: true }, this.analysis),
        h("div", { class: "panel review-box", hidden: true }, this.reviewPanel),
        h("div", { class: "panel moves" }, this.moves, this.replay))));
    this.analysis.board = this.board;
    this.analysis.bar = this.bar;
    this.analysis.onmove = (/** @type {string} */ move) => this.play(move);
    this.analysis.online = (/** @type {string[]} */ line) => this.openLine(line);
    this.analysis.addEventListener("switch", (/** @type {CustomEvent} */ event) => {
      this.bar.hidden = !event.detail || this.info?.players === 1;
      this.actions.analyse.setAttribute("aria-pressed", String(event.detail));
      this.analysis.parentElement.hidden = !event.detail;
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
    this.opening ??= this.open(latest);
    await this.opening;
    if (!this.isConnected || !this.info) return;
    if (latest.keep === 0) this.endReview();
    if (latest.review.length) this.reviewing = latest.review;
    else if (this.reviewing.length && added < 0) this.reviewing = [];
    if (added !== 0) {
      this.solution = false;
      this.hinted = null;
      this.news = this.tellMoves(added);
    }
    if (added > 0 && this.ply === null) await this.arrived(added === 2 && this.shown !== null);
    if (added > 0) playSound();
    if (latest.outcome && added !== 0) toast("");
    if (this.ply !== null && this.ply > (this.state?.length ?? 0)) this.ply = null;
    const before = this.shown;
    await this.draw();
    if (added > 0 && this.ply === null) this.celebrate(before);
  }

  /** The moves of agents among the last ones, as sentences. @param {number} added moves since the last picture */
  tellMoves(added) {
    const { state, info } = this;
    if (added <= 0 || !state?.latest || !info) return "";
    const { seats } = state.latest, names = playerNames(seats, info);
    return state.moves.slice(-Math.min(added, MOVES_TOLD)).filter((entry) => seats[entry.player])
      .map(({ move, player }) => `${names[player]}: ${this.input?.told(move) ?? move}. `).join("");
  }

  /** Wait until a person's move has arrived, if the one to be shown is the answer to it. @param {boolean} both came at once */
  async arrived(both) {
    const { state } = this;
    const seats = state?.latest?.seats ?? [];
    const answers = Boolean(seats[state?.moves.at(-1)?.player ?? -1]) && seats.includes("");
    if (answers && both && state) {
      this.settling = true;
      const between = await state.position(state.length - 1).catch(() => null);
      if (between) this.drawBoard(between, state.length - 1);
      this.arriving = performance.now() + ARRIVAL_MILLISECONDS;
      this.settling = false;
    }
    const wait = this.arriving - performance.now();
    if (answers && wait > 0) {
      this.settling = true;
      await new Promise((resolve) => setTimeout(resolve, wait));
      this.settling = false;
    }
    this.arriving = performance.now() + ARRIVAL_MILLISECONDS;
  }

  /** The first message of a game: who plays what. @param {import("../types.js").GameUpdate} latest */
  async open(latest) {
    const info = await gameInfo(latest.game);
    this.input = await makeInput(info, this.board, (move, judged) => this.play(move, judged), this.tray ?? h("div"));
    if (!this.isConnected) {
      this.input.destroy();
      return;
    }
    this.board.arrival = (/** @type {any} */ shape, /** @type {any} */ old) => this.input?.arrival(shape, old) ?? null;
    this.moves.label = (/** @type {string} */ move) => this.input?.label(move) ?? move;
    this.reviewPanel.label = (/** @type {string} */ move) => this.input?.told(move) ?? move;
    this.moves.dealLabel = (/** @type {string} */ event) => this.input?.dealLabel(event) ?? event;
    this.analysis.input = this.input;
    this.analysis.setGame(info);
    if (this.heading) this.heading.textContent = info.title;
    const seed = info.seedOption ? latest.options[info.seedOption] : info.chance ? latest.seed : "";
    if (this.detail) this.detail.textContent = latest.title || (seed !== "" ? `No. ${seed}` : "");
    document.title = `${info.title} – plyground`;
    this.classList.toggle("solo", info.players === 1);
    this.info = info;
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
    this.actions.show(state, info, ply);
    const solved = this.solution && this.ply === null && snapshot.epilogue;
    this.drawBoard(solved ? readSnapshot({ board: snapshot.epilogue }) : snapshot, ply);
    this.input?.show(snapshot, this.mayMove());
    this.markMoves(snapshot, ply);
    // Two buttons that both play are one too many: while agents play, theirs goes on.
    this.replay.playing.hidden = latest.kind === "game" && !latest.outcome && !latest.seats.includes("");
    this.replay.show(ply, state.length);
    this.moves.show(state.moves, ply, this.reviewing);
    this.moves.parentElement.hidden = state.length === 0;
    this.end.show(state, info);
    this.analysis.show(snapshot, latest.options, this.ply === null ? latest.outcome : null);
    this.reviewPanel.show(this.reviewing, state, ply, playerNames(latest.seats, info), this.reviewTotal);
    this.reviewPanel.parentElement.hidden = this.reviewPanel.hidden;
    this.describe(snapshot, ply);
    this.tick();
  }

  /** The board after so many moves, and who placed what stands on it. @param {Snapshot} snapshot @param {number} ply */
  drawBoard(snapshot, ply) {
    const { state, info } = this;
    if (!state?.latest || !info) return;
    this.board.draw(snapshot.board);
    this.board.own(this.input?.owners(state.moves.slice(0, ply)) ?? new Map(), playerNames(state.latest.seats, info));
  }

  /** @param {Snapshot} snapshot @param {number} ply */
  markMoves(snapshot, ply) {
    const marks = [];
    const last = this.state?.moves[ply - 1];
    const before = this.state?.known.get(ply - 1) ?? null;
    if (last && last.player >= 0 && this.input) {
      marks.push({ place: this.input.placeOf(last.move, snapshot, true, before), kind: "last" });
    }
    const hinted = this.hinted?.ply === ply ? this.hinted.move : "";
    const better = this.ply !== null ? this.reviewing.find((entry) => entry.ply === ply && entry.mark) : null;
    const played = better && !hinted ? this.state?.moves[ply]?.move : "";
    if (played && this.input) marks.push({ place: this.input.placeOf(played, snapshot), kind: "played" });
    const parts = (this.input?.parts(hinted || better?.best || "") ?? []).filter(Boolean);
    for (const [at, move] of parts.entries()) {
      const place = this.input?.placeOf(move, snapshot) ?? { boxes: [] };
      marks.push({ place, kind: "hint", part: parts.length > 1 ? place.part ?? at + 1 : undefined });
    }
    this.board.mark(marks);
  }

  /** Points that a move has won rise from the board. @param {Snapshot|null} before */
  celebrate(before) {
    const last = this.state?.moves.at(-1);
    const now = readPoints(this.shown), then = readPoints(before);
    if (!last || last.player < 0 || now.length !== then.length || !this.input || !this.shown) return;
    const seat = now.length === 1 ? 0 : last.player;
    const won = (now[seat] ?? 0) - (then[seat] ?? 0);
    const place = this.input.placeOf(last.move, this.shown, true, before);
    if (won > 0 && place.boxes.length) {
      const middle = place.boxes[Math.floor(place.boxes.length / 2)];
      this.board.pop(middle, `+${won}`);
    }
  }

  /** Whether a person can move on the board as it is shown. */
  mayMove() {
    const latest = this.state?.latest;
    if (!latest || this.settling || this.ply !== null || latest.outcome || latest.kind !== "game") return false;
    if (latest.preparing && !latest.thinking) return false;
    const turn = latest.position.turn;
    return turn >= 0 && latest.seats[turn] === "" && !this.actions.auto;
  }

  /** @param {Snapshot} snapshot @param {number} ply */
  describe(snapshot, ply) {
    const latest = this.state?.latest;
    if (!latest || !this.info || !this.status || !this.chips) return;
    const live = this.ply === null;
    let text = turnText(this.info, snapshot);
    if (live && latest.outcome) text = outcomeParts(latest.outcome, latest.seats, this.info).headline;
    else if (this.hinted?.ply === ply) text = this.hinted.text;
    else if (!live) text = `After ${ply} of ${this.state?.length} moves`;
    else if (this.mayMove()) text = "Your turn";
    this.status.textContent = text;
    this.status.classList.toggle("over", live && latest.outcome !== null);
    this.classList.toggle("ended", latest.outcome !== null);
    this.classList.toggle("hands-off", latest.outcome !== null || latest.kind !== "game" || !latest.seats.includes(""));
    const said = !live ? text : latest.outcome ? outcomeText(latest.outcome, latest.seats, this.info) : snapshot.board.caption;
    this.board.say(`${live ? this.news : ""}${said}`);
    /** @type {HTMLElement[]} */
    const chips = [];
    if (this.info.players === 1) {
      const values = new Map(this.info.tally);
      for (const [, name, value] of snapshot.text.matchAll(/(?<= )([a-z_]\w*)=(-?\d+)(?= |$)/g)) {
        if (values.has(name)) values.set(name, Number(value));
      }
      for (const [name, value] of values) chips.push(chip(name.replaceAll("_", " "), String(value)));
      const counts = !latest.outcome && latest.seats.includes("") && !this.actions.auto;
      const best = Math.max(latest.best ?? 0, counts ? values.get("score") ?? 0 : 0);
      // The best of a person: it says nothing of an agent that one watches.
      if (values.has("score") && latest.seats.includes("")) chips.push(chip("best", String(best)));
    }
    const key = chips.map((one) => one.textContent).join();
    if (key !== this.chips.dataset.key) this.chips.replaceChildren(...chips);
    this.chips.dataset.key = key;
  }

  tick() {
    const latest = this.state?.latest;
    if (!latest || !this.info || !this.state) return;
    const turn = latest.outcome ? -1 : latest.position.turn;
    const since = performance.now() - this.state.received;
    const thinks = latest.thinking && !latest.preparing;
    const person = turn >= 0 && latest.seats[turn] === "" && !latest.preparing;
    const running = latest.kind === "game" && (thinks || person) ? since / 1000 : 0;
    const points = this.info.players === 2 ? readPoints(this.shown) : [];
    const seat0 = latest.seats.indexOf("");
    const below = seat0 === 1 && latest.seats[0] !== "" ? 1 : 0;
    const strips = this.info.players === 1 ? [[this.bottom, 0]] : [[this.bottom, below], [this.top, 1 - below]];
    this.top.hidden = this.info.players === 1;
    this.bottom.hidden = this.info.players === 1;
    const names = playerNames(latest.seats, this.info);
    for (const [strip, seat] of strips) {
      strip.show({
        name: names[seat], seat, turn: turn === seat, thinking: latest.thinking && turn === seat,
        points: points[seat] ?? "",
        used: (latest.used[seat] ?? 0) + (turn === seat ? running : 0),
      });
    }
    this.preparing?.show(latest.preparing && (since > PREPARING_MILLISECONDS || !latest.thinking)
      ? latest.thinking ? names[Math.max(0, turn)] : this.info.title : "");
  }

  /** @param {string} move @param {boolean} [judged] */
  play(move, judged = false) {
    if (this.mayMove()) {
      this.hinted = null;
      toast("");
      if (!socket.connected) toast("There is no connection just now. Your move is sent as soon as it is back.");
      this.state?.play(move, judged);
    } else if (this.ply !== null || this.state?.latest?.outcome || !this.state?.latest?.seats.includes("")) {
      toast("This is not the latest position of a game of yours. Play from here opens one.", "info");
    } else toast("It is not your turn yet.", "info");
  }

  /** Go through a line of the analysis on the analysis board. @param {string[]} line */
  openLine(line) {
    if (!this.shown || !this.info) return;
    const query = new URLSearchParams({
      game: this.info.name, position: this.shown.text, line: line.join(";"),
      options: JSON.stringify(this.state?.latest?.options ?? {}),
    });
    navigate(`/analyse?${query}`);
  }

  toggleAnalysis() {
    this.hinted = null;
    this.draw();
    this.analysis.switch(!this.analysis.running);
  }

  /** @param {number} ply */
  choose(ply) {
    if (!this.state) return;
    this.ply = ply >= this.state.length ? null : ply;
    if (this.ply !== null && this.solution) this.end.solved(false);
    const suffix = this.ply === null ? "" : `&pos=${ply}`;
    navigate(`${location.pathname === "/watch" ? "/watch" : "/play"}?game=${this.wanted}${suffix}`, true);
    this.draw();
  }

  /** @param {any} message */
  takeHint(message) {
    if (message.id !== this.wanted) return;
    // The value of a game for one is a cost, which tells a player nothing.
    const worth = message.worth && this.info?.players !== 1 ? `: ${message.worth}` : "";
    const parts = (this.input?.parts(message.move) ?? []).map((move) => this.input?.told(move) ?? move);
    this.hinted = { ply: message.ply, move: message.move, text: `Hint: ${parts.join(", then ")}${worth}` };
    this.draw();
  }

  /** A review replaces the one before it whole. @param {number} total positions to value */
  beginReview(total) {
    this.reviewing = [];
    if (this.state?.latest) this.state.latest.review = [];
    this.reviewTotal = total;
    this.actions.reviewing = true;
    this.draw();
  }

  endReview() {
    this.reviewTotal = 0;
    this.actions.reviewing = false;
  }

  /** @param {any} message */
  takeReview(message) {
    if (message.id !== this.wanted) return;
    if (!this.reviewTotal) this.beginReview(message.total);
    this.reviewTotal = message.total;
    const merged = new Map(message.done ? [] : this.reviewing.map((entry) => [entry.ply, entry]));
    for (const entry of message.moves) {
      merged.set(entry.ply, { score: null, best: "", loss: 0, mark: "", why: "", line: [], ...entry });
    }
    this.reviewing = [...merged.values()].sort((a, b) => a.ply - b.ply);
    if (message.done) {
      this.endReview();
      if (this.state?.latest) this.state.latest.review = this.reviewing;
      const count = this.reviewing.filter((entry) => entry.mark).length;
      toast(`Review done: ${count} ${count === 1 ? "move" : "moves"} marked.`);
    }
    this.draw();
  }

  /** @param {any} message */
  takeError(message) {
    if (message.id !== this.wanted) return;
    if (this.state) this.state.sent = -1;
    this.endReview();
    if (message.kind === "not-found") this.lost(message.message);
    else this.draw();
  }

  /** There is no such game. @param {string} reason */
  lost(reason) {
    if (this.info) return;
    toast("", "error");
    this.replaceChildren(lostScreen("This game is not here",
      `${reason}. It may have been played on another server, or the link is cut off.`));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || target.closest?.("input, select, textarea, dialog") ||
        event.ctrlKey || event.metaKey || event.altKey) return;
    // Digits and the like reach the board from anywhere; arrows and Enter belong to what has the focus.
    if (event.key.length === 1 && event.key !== " " && !target.closest?.("game-board")) this.input?.key(event);
    if (event.defaultPrevented) return;
    if (event.key === "?" && this.info) showRules(this.info);
    else if (event.key.toLowerCase() === "a") this.toggleAnalysis();
    else {
      const actions = /** @type {Record<string, HTMLButtonElement>} */ ({
        u: this.actions.undo, h: this.actions.hint, n: this.actions.again,
      });
      const action = actions[event.key.toLowerCase()];
      if (!action || action.hidden || action.disabled) return;
      action.click();
    }
    event.preventDefault();
  }
}

/** @param {string} name @param {string} value */
const chip = (name, value) => h("span", { class: "chip" }, h("small", {}, name), h("b", {}, value));

customElements.define("game-screen", GameScreen);
