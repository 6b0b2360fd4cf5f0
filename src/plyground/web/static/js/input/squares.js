/** Any board game: click the squares of a move one after the other, or choose it from the list. */

import { h, s } from "../dom.js";
import { GenericInput } from "./generic.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */

export class SquaresInput extends GenericInput {
  /**
   * @param {import("./base.js").GameBoard} board
   * @param {import("./base.js").Play} play
   * @param {HTMLElement} tray
   */
  constructor(board, play, tray) {
    super(board, play, tray);
    /** @type {string[]} the squares chosen so far */
    this.chosen = [];
    this.on("click", (event) => this.click(event.target.dataset?.cell ?? ""));
  }

  help() {
    return "Click the squares of a move one after the other, or choose a move from the list. "
      + "Escape forgets the squares.";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Escape") this.choose([]);
  }

  /** @param {Snapshot} snapshot @param {boolean} active */
  show(snapshot, active) {
    super.show(snapshot, active);
    this.choose([]);
  }

  /** @param {string} cell */
  click(cell) {
    const legal = this.snapshot?.legal ?? [];
    if (!this.active || !cell || legal.includes(cell)) return; // a move of one square is played
    const longer = [...this.chosen, cell];
    if (begins(legal, longer).length) this.choose(longer);
    else this.choose(begins(legal, [cell]).length ? [cell] : []);
  }

  /** @param {string[]} squares the beginning of a move; it is played when no other one is left */
  choose(squares) {
    const legal = this.snapshot?.legal ?? [];
    const left = begins(legal, squares);
    this.chosen = squares;
    if (this.active && squares.length && left.includes(squares.join("-")) && left.length === 1) {
      this.chosen = [];
      this.play(left[0]);
    }
    this.choice.replaceChildren(...left.map((move) => h("option", {}, move)));
    this.draw(left);
  }

  /** @param {string[]} left the moves that are still possible */
  draw(left) {
    const next = new Set(left.map((move) => move.split("-")[this.chosen.length]));
    /** @param {string} cell @param {string} kind */
    const mark = (cell, kind) => {
      const box = this.board.boxOf(cell);
      return box ? [s("rect", {
        x: box.x + 0.06, y: box.y + 0.06, width: box.w - 0.12, height: box.h - 0.12, rx: 0.1,
        class: kind, "pointer-events": "none",
      })] : [];
    };
    const marks = this.chosen.flatMap((cell) => mark(cell, "square-chosen"));
    if (this.active && this.chosen.length) {
      marks.push(...[...next].flatMap((cell) => mark(cell, "square-next")));
    }
    this.board.overlay.replaceChildren(...marks);
  }

  /**
   * @param {string} move
   * @returns {import("./base.js").Place}
   */
  placeOf(move) {
    const boxes = move.split("-").flatMap((cell) => this.board.boxOf(cell) ?? []);
    return { boxes };
  }
}

/**
 * The moves that begin with these squares.
 * @param {string[]} legal
 * @param {string[]} squares
 */
function begins(legal, squares) {
  return legal.filter((move) => {
    const parts = move.split("-");
    return squares.every((cell, index) => parts[index] === cell);
  });
}
