/** Live search of the position on the board: values on the board, best moves, a line to play. */

import { button, custom, h } from "../dom.js";
import { sentence, shortNumber } from "../format.js";
import { listen, socket } from "../net/socket.js";

/** @typedef {import("../types.js").AnalysisUpdate} AnalysisUpdate */
/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").MoveView} MoveView */
/** @typedef {import("../types.js").ScoreView} ScoreView */
/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../types.js").Outcome} Outcome */

const SECONDS = 20;
const LISTED = 60;
const LINE_SHOWN = 12;
const KEY = "board";
/** So many moves of one value tell nobody anything: those that have no place of their own are left out. */
const ALIKE = 10;
/** Estimated parts that differ by less are the same. */
const SAME_PART = 0.03;
const PREPARING_MILLISECONDS = 900;

export class AnalysisPanel extends HTMLElement {
  constructor() {
    super();
    /** @type {import("./game-board.js").GameBoard|null} */
    this.board = null;
    /** @type {import("../input/base.js").BoardInput|null} */
    this.input = null;
    /** @type {import("./eval-bar.js").EvalBar|null} */
    this.bar = null;
    /** @type {GameInfo|null} */
    this.info = null;
    /** @type {Snapshot|null} */
    this.snapshot = null;
    /** @type {import("../types.js").Options} */
    this.options = {};
    this.running = false;
    /** the turn in the list that one points at */
    this.pointed = "";
    this.asked = "";
    /** @type {(move: string) => void} */
    this.onmove = () => {};
    /** @type {(line: string[]) => void} */
    this.online = () => {};
    this.warm = h("input", { type: "checkbox", checked: true, onchange: () => this.draw() });
    this.agent = h("select", { "aria-label": "Analyst", onchange: () => this.restart() });
    this.headline = h("p", { class: "headline" });
    this.facts = h("p", { class: "facts muted", "aria-live": "off" });
    this.lines = h("ol", { class: "lines" });
    this.line = h("p", { class: "best-line" });
    this.note = h("p", { class: "muted note" });
    this.preparing = custom("preparing-line", { hidden: true });
    this.preparing.clocks = "";
    /** @type {AnalysisUpdate|null} */
    this.found = null;
  }

  connectedCallback() {
    if (this.lines.isConnected) return;
    this.append(h("div", { class: "row spread" }, h("h2", {}, "Moves"),
      h("label", { class: "switch small" }, this.warm, h("span", {}, "On board")), this.agent),
    this.preparing, this.headline, this.facts, this.lines, this.line, this.note);
    this.stopListening = [
      listen("analysis", (message) => {
        if (message.key === KEY && this.running) this.take(message);
      }),
      listen("error", (message) => {
        if (message.request === "analyse" && this.running) this.headline.textContent = message.message;
      }),
    ];
  }

  disconnectedCallback() {
    for (const stop of this.stopListening ?? []) stop();
    if (this.running) socket.send({ type: "stop-analysis", key: KEY });
  }

  /** @param {GameInfo} info */
  setGame(info) {
    this.info = info;
    this.agent.replaceChildren(...info.agents.map((agent) =>
      h("option", { value: agent.name, selected: agent.name === info.analyst, title: agent.summary }, agent.name)));
  }

  /**
   * The position on the board changed.
   * @param {Snapshot} snapshot
   * @param {import("../types.js").Options} options
   * @param {Outcome|null} [outcome] where a referee has ended the game
   */
  show(snapshot, options, outcome = null) {
    const changed = this.snapshot?.text !== snapshot.text;
    this.snapshot = snapshot;
    this.options = options;
    this.outcome = outcome ?? snapshot.outcome;
    if (this.running && changed) this.restart();
    else if (this.running) this.draw();
  }

  /** @param {boolean} on */
  switch(on) {
    this.running = on;
    if (on) this.restart();
    else {
      socket.send({ type: "stop-analysis", key: KEY });
      this.found = null;
      this.clear();
    }
    this.dispatchEvent(new CustomEvent("switch", { detail: on }));
  }

  clear() {
    this.preparing.show("");
    this.board?.warm([]);
    this.bar?.show(null);
    this.headline.textContent = "";
    this.facts.textContent = "";
    this.note.textContent = "";
    this.lines.replaceChildren();
    this.line.replaceChildren();
  }

  restart() {
    if (!this.running || !this.snapshot || !this.info) return;
    this.found = null;
    this.board?.warm([]);
    if (this.snapshot.turn < 0) {
      socket.send({ type: "stop-analysis", key: KEY });
      this.clear();
      const winner = this.outcome?.winner;
      this.headline.textContent = "The game is over in this position.";
      if (this.info.players === 2 && this.outcome) {
        const expectation = winner === null || winner === undefined ? 0 : winner === 0 ? 1 : -1;
        const short = expectation === 0 ? "=" : expectation > 0 ? "1–0" : "0–1";
        this.bar?.show({ player: 0, text: this.headline.textContent, expectation, exact: true, short });
      }
      return;
    }
    this.headline.textContent = "Thinking…";
    this.facts.textContent = "";
    const asked = this.snapshot.text;
    setTimeout(() => {
      if (this.found || this.asked !== asked || !this.running) return;
      this.preparing.show(`${this.agent.value} of ${this.info?.title}`);
    }, PREPARING_MILLISECONDS);
    this.asked = this.snapshot.text;
    socket.send({
      type: "analyse", key: KEY, game: this.info.name, options: this.options,
      position: this.snapshot.text, agent: this.agent.value, seconds: SECONDS,
    });
  }

  /** @param {any} message */
  take(message) {
    this.preparing.show("");
    this.found = {
      move: "", score: null, depth: null, nodes: 0, elapsed: 0, line: [], moves: [], note: "",
      done: false, ...message,
    };
    this.draw();
  }

  draw() {
    const found = this.found;
    if (!found || !this.snapshot || this.snapshot.text !== this.asked) return;
    // A move that the search would play if it ended now, before it has looked at any, is no news.
    if (!found.done && !found.score && !found.moves.some((entry) => entry.score)) return;
    this.bar?.show(found.score);
    const named = this.equals(found) ? [`All ${found.moves.length} moves`] : found.move ? this.named(found.move, " then ") : [];
    this.headline.replaceChildren(h("b", {}, ...named),
      h("span", { class: found.score ? tone(found.score) : "muted" },
        found.score ? ` ${this.valueText(found.score, found.moves[0])}` : found.move ? " no value is known" : "Thinking…"));
    const rate = found.nodes > 0 && found.elapsed > 0 ? `${shortNumber(found.nodes / found.elapsed)}/s` : "";
    this.facts.textContent = [
      found.depth ? `depth ${found.depth}` : "", found.nodes ? `${shortNumber(found.nodes)} nodes` : "", rate,
      found.done ? "done" : "",
    ].filter(Boolean).join(" · ");
    this.note.textContent = [found.note, this.input?.legend(found.moves.map((entry) => entry.move)) ?? ""]
      .filter(Boolean).map(sentence).join(" ");
    this.lines.replaceChildren(...found.moves.slice(0, LISTED).map((entry) => this.entry(entry)));
    this.drawLine(found.line);
    this.heat(found);
  }

  /** Whether all moves are proven to be worth the same: then none is the best. @param {AnalysisUpdate} found */
  equals(found) {
    const first = found.moves[0]?.score;
    return found.moves.length > 1 && found.moves.length >= (this.snapshot?.legal.length ?? 0) &&
      Boolean(first?.exact) && found.moves.every((entry) => entry.score?.exact && entry.score.short === first?.short);
  }

  /** @param {ScoreView} score @param {MoveView} [entry] the move that it belongs to */
  valueText(score, entry) {
    if (entry?.kept !== undefined) return `even so far, ${this.keptText(entry.kept)}`;
    const of = this.input?.chanceOf();
    return score.text + (of ? ` ${of}` : score.exact ? ", proven" : "");
  }

  /** @param {number} kept */
  keptText(kept) {
    return `keeps ${percent(kept)} of the ${this.input?.ends()}`;
  }

  /** @param {string} entry */
  parts(entry) {
    return this.input?.parts(entry) ?? [entry];
  }

  /** The best line: every move of it can be clicked. @param {string[]} line */
  drawLine(line) {
    const moves = line.flatMap((move) => this.parts(move)).slice(0, LINE_SHOWN);
    this.line.replaceChildren(...moves.map((move, at) =>
      button(this.input?.label(move) ?? move, () => this.online(moves.slice(0, at + 1)), {
        class: "quiet", title: "Go there on the analysis board",
      })));
  }

  /** @param {MoveView} entry */
  entry(entry) {
    const moves = this.parts(entry.move);
    const act = () => (moves.length > 1 ? this.online(moves) : this.onmove(entry.move));
    const made = button("", act);
    made.append(...this.named(entry.move));
    // The turn of a line shows itself on the board as long as one points at it.
    const turn = moves.length > 1 && this.warm.checked;
    const point = (/** @type {string} */ to) => () => {
      this.pointed = to;
      this.markTurn();
    };
    const listeners = turn ? {
      onpointerenter: point(entry.move), onfocusin: point(entry.move), onpointerleave: point(""), onfocusout: point(""),
    } : {};
    return h("li", listeners, made,
      h("span", { class: entry.score ? tone(entry.score) : "" }, entry.kept === undefined ? entry.score?.text ?? "" : `keeps ${percent(entry.kept)}`),
      h("span", { class: "muted pv" }, this.aside(entry)));
  }

  /** What is said of a move besides its value. @param {MoveView} entry */
  aside(entry) {
    if (entry.score?.cost) {
      const more = entry.score.cost / (this.found?.moves[0]?.score?.cost || entry.score.cost) - 1;
      return entry === this.found?.moves[0] ? "best cost" : `cost ${more < 0 ? "−" : "+"}${(100 * Math.abs(more)).toFixed(Math.abs(more) < 0.01 ? 1 : 0)} %`;
    }
    return entry.visits ? `${shortNumber(entry.visits)} ${this.input?.countedAs() ?? "visits"}` : "";
  }

  /** A move in words; the parts of a turn in their order, each with the colour of its piece. @param {string} entry @param {string} [between] */
  named(entry, between = "  ") {
    const moves = this.parts(entry);
    return moves.flatMap((move, at) => {
      const place = moves.length > 1 && this.snapshot ? this.input?.placeOf(move, this.snapshot) : null;
      return [...(at ? [h("span", { class: "then", "aria-hidden": "true" }, between), hidden(", then ")] : []),
        ...(place?.part ? [h("span", { class: `piece part-${place.part}` }, String(place.part)), hidden(" at "), place.where ?? ""]
          : [this.input?.label(move) ?? move])];
    });
  }

  /** The parts of the turn that one points at, else of the best, in the colours and with the numbers of their pieces. */
  markTurn() {
    const { board, input, snapshot, found } = this;
    if (!board || !input || !snapshot || !found) return;
    const shown = found.moves.some((entry) => entry.move === this.pointed) ? this.pointed : found.move;
    board.mark(this.parts(shown).filter(Boolean).map((move, at) => {
      const place = input.placeOf(move, snapshot);
      return { place, kind: "hint", part: place.part ?? at + 1 };
    }));
  }

  /** Values on the board; of a whole turn its parts as numbered shadows. @param {AnalysisUpdate} found */
  heat(found) {
    const { board, input, snapshot } = this;
    if (!board || !input || !snapshot) return;
    if (!this.warm.checked) {
      board.warm([]);
      return;
    }
    const turn = this.parts(found.move);
    if (turn.length > 1 || this.info?.players === 1) {
      board.warm([]);
      this.markTurn();
      return;
    }
    /** @type {Map<string, any>} */
    const best = new Map();
    const moves = found.moves.length ? found.moves : found.move ? [{ move: found.move, score: found.score, visits: null, kept: undefined }] : [];
    for (const entry of moves) {
      const place = input.placeOf(entry.move, snapshot);
      const box = place.boxes[0];
      if (!box) continue;
      const key = `${place.arrow ? "arrow to" : ""} ${box.x} ${box.y}`;
      if (best.has(key)) continue;
      best.set(key, {
        place, value: entry.score?.expectation ?? 0, label: entry.kept === undefined ? entry.score?.short ?? "?" : percent(entry.kept).replace(" ", ""),
        best: entry.move === found.move && !this.equals(found), kept: entry.kept,
      });
    }
    const shown = [...best.values()];
    const alike = shown.length >= ALIKE && shown.every((one) => one.label === shown[0].label ||
      Math.abs(one.kept - shown[0].kept) < SAME_PART);
    if (alike && !this.equals(found)) this.note.textContent += " The moves are worth about the same: one of them is marked.";
    board.warm(!alike ? shown : shown.filter((one) => one.best || one.place.value)
      .map((one) => (one.place.value ? one : { ...one, label: "" })));
  }
}

/** What is read out only. @param {string} text */
const hidden = (text) => h("span", { class: "visually-hidden" }, text);

/** @param {number} part */
const percent = (part) => `${part > 0 && part < 0.01 ? "<1" : Math.round(100 * part)} %`;

/** @param {ScoreView} score */
const tone = (score) => (score.expectation > 0.02 ? "good" : score.expectation < -0.02 ? "bad" : "even");

customElements.define("analysis-panel", AnalysisPanel);
