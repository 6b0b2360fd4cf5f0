/** A game as this page knows it: moves, latest position, and earlier positions on demand. */

import { get } from "../net/api.js";
import { listen, socket } from "../net/socket.js";

/** @typedef {import("../types.js").GameUpdate} GameUpdate */
/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../types.js").MoveRecord} MoveRecord */

const AHEAD = 16;

/**
 * A snapshot with the fields that the server leaves out when they are empty.
 * @param {any} raw
 * @returns {Snapshot}
 */
export function readSnapshot(raw) {
  const board = { caption: "", ...raw.board };
  board.shapes = board.shapes.map((/** @type {any} */ shape) => ({
    width: 0, height: 0, style: "text", text: "", stroke: 0, cell: "", radius: 0, label: "", ...shape,
  }));
  return { legal: [], last: "", epilogue: null, ...raw, board, outcome: readOutcome(raw.outcome) };
}

/**
 * @param {any} raw
 * @returns {any} an outcome with all its fields, or null
 */
export function readOutcome(raw) {
  if (!raw) return null;
  return { termination: "normal", scores: null, points: null, detail: "", ...raw };
}

export class GameState extends EventTarget {
  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    /** @type {GameUpdate|null} */
    this.latest = null;
    /** @type {MoveRecord[]} */
    this.moves = [];
    /** @type {Map<number, Snapshot>} */
    this.known = new Map();
    this.received = performance.now();
    this.sent = -1;
    this.stopListening = listen("game", (message) => {
      if (message.id === id) this.take(message);
    });
    socket.keep(`game ${id}`, { type: "join", id });
  }

  /** @param {any} message */
  take(message) {
    const kept = this.moves.slice(0, message.keep);
    if (kept.length < message.keep) {
      // A message was missed: ask for the whole game.
      socket.send({ type: "join", id: this.id });
      return;
    }
    const before = this.moves.length;
    this.moves = kept.concat(message.moves ?? []);
    for (const ply of [...this.known.keys()]) if (ply > message.keep) this.known.delete(ply);
    this.latest = {
      kind: "game", title: "", thinking: false, preparing: false, speed: "normal", best: null, start: "", moves: [],
      ...message,
      review: message.review ?? (message.keep > 0 ? this.latest?.review ?? [] : []),
      position: readSnapshot(message.position),
      outcome: readOutcome(message.outcome),
    };
    if (this.moves.length < before && this.latest) this.latest.review = [];
    this.sent = -1;
    this.known.set(this.moves.length, /** @type {GameUpdate} */ (this.latest).position);
    this.received = performance.now();
    this.dispatchEvent(new CustomEvent("change", { detail: this.moves.length - before }));
  }

  get length() {
    return this.moves.length;
  }

  /**
   * The position after `ply` moves.
   * @param {number} ply
   * @returns {Promise<Snapshot>}
   */
  async position(ply) {
    const known = this.known.get(ply);
    if (known) return known;
    const first = Math.max(0, ply - AHEAD / 2);
    const last = Math.min(this.length, ply + AHEAD);
    const answer = await get(`/api/games/${this.id}/positions?from=${first}&to=${last}`);
    answer.positions.forEach((/** @type {any} */ raw, /** @type {number} */ index) =>
      this.known.set(answer.from + index, readSnapshot(raw)));
    const found = this.known.get(ply);
    if (!found) throw new Error(`The game has no position ${ply}.`);
    return found;
  }

  /** @param {object} message */
  send(message) {
    socket.send({ id: this.id, ...message });
  }

  /** @param {string} move @param {boolean} [judged] */
  play(move, judged = false) {
    if (this.sent === this.length) return;  // a double click
    this.sent = this.length;
    this.send({ type: "move", move, ply: this.length, judged });
  }

  close() {
    this.stopListening();
    socket.drop(`game ${this.id}`);
    socket.send({ type: "leave", id: this.id });
  }
}
