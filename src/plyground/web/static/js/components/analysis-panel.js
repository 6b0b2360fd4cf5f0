/** Live search of the position on the board: best moves, best line, depth, speed, heat map. */

import { h } from "../dom.js";
import { shortNumber } from "../format.js";
import { listen, socket } from "../net/socket.js";

/** @typedef {import("../types.js").AnalysisUpdate} AnalysisUpdate */
/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").MoveView} MoveView */
/** @typedef {import("../types.js").ScoreView} ScoreView */
/** @typedef {import("../types.js").Snapshot} Snapshot */

const SECONDS = 20;
const LISTED = 6;
const KEY = "board";

/** @param {ScoreView} score */
function shortScore(score) {
  return score.text.replace(/^win in /, "W").replace(/^loss in /, "L").replace(/^draw.*/, "=")
    .replace(/^(-?[\d.]+) %$/, (_, number) => `${Math.round(Number(number))}%`);
}

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
    this.asked = "";
    /** @type {(move: string) => void} */
    this.onmove = () => {};
    this.toggle = h("input", { type: "checkbox", onchange: () => this.switch(this.toggle.checked) });
    this.warm = h("input", { type: "checkbox", checked: true, onchange: () => this.draw() });
    this.agent = h("select", { "aria-label": "Analyst", onchange: () => this.restart() });
    this.facts = h("p", { class: "facts", "aria-live": "off" });
    this.lines = h("ol", { class: "lines" });
    this.note = h("p", { class: "muted note" });
    /** @type {AnalysisUpdate|null} */
    this.found = null;
  }

  connectedCallback() {
    if (this.lines.isConnected) return;
    this.append(h("div", { class: "row spread" },
      h("label", { class: "switch" }, this.toggle, h("span", {}, "Analysis")),
      h("label", { class: "switch small" }, this.warm, h("span", {}, "Heat map")), this.agent),
    this.facts, this.lines, this.note);
    this.stopListening = listen("analysis", (message) => {
      if (message.key === KEY && this.running) this.take(message);
    });
    this.body(false);
  }

  disconnectedCallback() {
    this.stopListening?.();
    if (this.running) socket.send({ type: "stop-analysis", key: KEY });
  }

  /** @param {GameInfo} info */
  setGame(info) {
    this.info = info;
    this.agent.replaceChildren(...info.agents.map((agent) =>
      h("option", { value: agent.name, selected: agent.name === info.analyst }, agent.name)));
  }

  /**
   * The position on the board changed.
   * @param {Snapshot} snapshot
   * @param {import("../types.js").Options} options
   */
  show(snapshot, options) {
    const changed = this.snapshot?.text !== snapshot.text;
    this.snapshot = snapshot;
    this.options = options;
    if (this.running && changed) this.restart();
    else if (this.running) this.draw();
  }

  /** @param {boolean} on */
  switch(on) {
    this.running = on;
    this.toggle.checked = on;
    this.body(on);
    if (on) this.restart();
    else {
      socket.send({ type: "stop-analysis", key: KEY });
      this.found = null;
      this.clear();
    }
    this.dispatchEvent(new CustomEvent("switch", { detail: on }));
  }

  /** @param {boolean} on */
  body(on) {
    for (const part of [this.facts, this.lines, this.note]) part.hidden = !on;
    this.classList.toggle("on", on);
  }

  clear() {
    this.board?.warm([]);
    this.bar?.show(null);
    this.facts.textContent = "";
    this.note.textContent = "";
    this.lines.replaceChildren();
  }

  restart() {
    if (!this.running || !this.snapshot || !this.info) return;
    this.found = null;
    this.board?.warm([]);
    if (this.snapshot.turn < 0) {
      socket.send({ type: "stop-analysis", key: KEY });
      this.clear();
      this.facts.textContent = "The game is over here.";
      return;
    }
    this.facts.textContent = "Thinking…";
    this.asked = this.snapshot.text;
    socket.send({
      type: "analyse", key: KEY, game: this.info.name, options: this.options,
      position: this.snapshot.text, agent: this.agent.value, seconds: SECONDS,
    });
  }

  /** @param {any} message */
  take(message) {
    this.found = {
      move: "", score: null, depth: null, nodes: 0, elapsed: 0, line: [], moves: [], note: "",
      done: false, ...message,
    };
    this.draw();
  }

  draw() {
    const found = this.found;
    if (!found || !this.snapshot || this.snapshot.text !== this.asked) return;
    if (found.score) this.bar?.show(found.score);
    const rate = found.elapsed > 0 ? `${shortNumber(found.nodes / found.elapsed)} nodes/s` : "";
    this.facts.textContent = [
      found.score ? `${found.score.text}${found.score.exact ? " (proven)" : ""}` : "",
      found.depth ? `depth ${found.depth}` : "", `${shortNumber(found.nodes)} nodes`, rate,
      found.done ? "done" : "",
    ].filter(Boolean).join(" · ");
    this.note.textContent = found.note;
    const ranked = rank(found.moves, found.move);
    this.lines.replaceChildren(...ranked.slice(0, LISTED).map((entry) => this.line(entry, found)));
    if (!ranked.length && found.move) {
      this.lines.replaceChildren(this.line({ move: found.move, score: found.score, visits: null }, found));
    }
    this.heat(ranked, found);
  }

  /** @param {MoveView} entry @param {AnalysisUpdate} found */
  line(entry, found) {
    const label = this.input?.label(entry.move) ?? entry.move;
    const rest = entry.move === found.move ? found.line.slice(1, 12)
      .map((move) => this.input?.label(move) ?? move).join("  ") : "";
    return h("li", {},
      h("button", { type: "button", onclick: () => this.onmove(entry.move), title: "Play this move" }, label),
      h("span", { class: entry.score ? tone(entry.score) : "" }, entry.score?.text ?? ""),
      h("span", { class: "muted pv" }, rest || (entry.visits ? `${shortNumber(entry.visits)} visits` : "")));
  }

  /** @param {MoveView[]} ranked @param {AnalysisUpdate} found */
  heat(ranked, found) {
    const { board, input, snapshot } = this;
    if (!board || !input || !snapshot) return;
    if (!this.warm.checked) {
      board.warm([]);
      return;
    }
    /** @type {Map<string, any>} */
    const best = new Map();
    for (const entry of ranked) {
      const place = input.placeOf(entry.move, snapshot);
      const box = place.boxes[0];
      if (!box || !entry.score || place.arrow) continue;
      const key = `${box.x} ${box.y}`;
      const old = best.get(key);
      if (old && old.value >= entry.score.expectation) continue;
      best.set(key, {
        place, value: entry.score.expectation, label: shortScore(entry.score),
        best: entry.move === found.move,
      });
    }
    board.warm([...best.values()]);
  }
}

/** Best first; the analyst's own choice before its equals. @param {MoveView[]} moves @param {string} choice */
function rank(moves, choice) {
  return moves.map((entry) => ({ ...entry, score: entry.score ?? null, visits: entry.visits ?? null }))
    .sort((a, b) => Number(b.move === choice) - Number(a.move === choice) ||
      (b.score?.expectation ?? -2) - (a.score?.expectation ?? -2) || (b.visits ?? 0) - (a.visits ?? 0));
}

/** @param {ScoreView} score */
const tone = (score) => (score.expectation > 0.05 ? "good" : score.expectation < -0.05 ? "bad" : "even");

customElements.define("analysis-panel", AnalysisPanel);
