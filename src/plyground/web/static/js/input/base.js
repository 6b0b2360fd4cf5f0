/** How a person plays on a board. Each game has its own; this is what they share. */

import { toast } from "../dom.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../types.js").MoveRecord} MoveRecord */
/** @typedef {import("../types.js").Shape} Shape */
/** @typedef {import("../components/game-board.js").GameBoard} GameBoard */
/** @typedef {import("../components/game-board.js").Place} Place */
/** @typedef {(move: string, judged?: boolean) => void} Play */
/** @typedef {{name: string, label: string, key?: string, choices?: Choice[]}} Brush */
/** @typedef {{name: string, label: string, picture: Node|null}} Choice */

export class BoardInput {
  /**
   * @param {GameBoard} board
   * @param {Play} play
   * @param {HTMLElement} tray room for controls beside or below the board
   */
  constructor(board, play, tray) {
    this.board = board;
    this.play = play;
    this.tray = tray;
    this.active = false;
    /** @type {Snapshot|null} */
    this.snapshot = null;
    /** whether `readMoves` tells a game from any other text */
    this.tellsMoves = false;
    this.ending = new AbortController();
    this.on("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
  }

  /**
   * Listen on the board until this input is removed.
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  on(type, listener) {
    this.board.addEventListener(type, listener, { signal: this.ending.signal });
  }

  /**
   * A new position. `active` when a person is to move in it.
   * @param {Snapshot} snapshot
   * @param {boolean} active
   */
  show(snapshot, active) {
    this.snapshot = snapshot;
    this.active = active;
    this.board.classList.toggle("active", active);
    this.board.setAttribute("aria-label", `Board: ${snapshot.board.caption}. ${this.help()}`);
  }

  /** What the keys do, for screen readers. */
  help() {
    return "Choose a move from the list below the board.";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    void event;
  }

  /**
   * Say why a move cannot be played, and flash the cells that stand against it.
   * @param {string} reason a sentence
   * @param {string[]} [cells]
   */
  refuse(reason, cells = []) {
    this.board.say(reason);
    this.board.flash(cells);
    toast(reason, "info");
  }

  /**
   * Where a move happens on the board: to be played in the snapshot, or already `played` there
   * (then `before` is the position before it, where it is known).
   * @param {string} move
   * @param {Snapshot} snapshot
   * @param {boolean} [played]
   * @param {Snapshot|null} [before]
   * @returns {Place}
   */
  placeOf(move, snapshot, played = false, before = null) {
    void [snapshot, played, before];
    const box = this.board.boxOf(move);
    return { boxes: box ? [box] : [] };
  }

  /**
   * Where a shape that is new on the board came from, in cells relative to its place.
   * @param {Shape} shape
   * @param {Shape} old what stood there
   * @returns {{x: number, y: number}|null} null: it appears in its place
   */
  arrival(shape, old) {
    void [shape, old];
    return null;
  }

  /**
   * Who placed what stands in a cell, where the moves tell.
   * @param {MoveRecord[]} moves
   * @returns {Map<string, number>} seats by the names of cells
   */
  owners(moves) {
    void moves;
    return new Map();
  }

  /** The single moves of an entry of an analysis, which may be a whole turn. @param {string} entry */
  parts(entry) {
    return [entry];
  }

  /** @param {string} move @returns {string} the move as lists show it */
  label(move) {
    return move;
  }

  /** @param {string} move @returns {string} the move as a sentence tells it */
  told(move) {
    return this.label(move);
  }

  /** A random event as lists show it. @param {string} event @returns {string} */
  dealLabel(event) {
    return `deal ${event}`;
  }

  /** What the moves of a list mean, in a sentence; empty where they explain themselves. @param {string[]} moves */
  legend(moves) {
    void moves;
    return "";
  }

  /** What the chance of a move is a chance of, after the number: empty for winning. */
  chanceOf() {
    return "";
  }

  /** What an analysis counts for every move. */
  countedAs() {
    return "visits";
  }

  /** What a move keeps a part of, where an analysis estimates that. */
  ends() {
    return "possible ends";
  }

  /** The moves of a game that was pasted as text; whether they are moves at all is for the rules to say. @param {string} text */
  readMoves(text) {
    return text.split(/[\s,;]+/).filter(Boolean);
  }

  /** What can be put on the board by hand; empty where a game has no editor. @returns {Brush[]} */
  brushes() {
    return [];
  }

  /**
   * The text of a position after something was put on the board by hand.
   * @param {string} text
   * @param {string} cell
   * @param {string} brush
   * @returns {string}
   */
  paint(text, cell, brush) {
    void [cell, brush];
    return text;
  }

  destroy() {
    this.ending.abort();
    this.board.overlay.replaceChildren();
    this.board.classList.remove("active", "drags");
    this.tray.replaceChildren();
  }
}
