/** Any board game: click the squares of a move one after the other, or choose it from the list. */

import { h, s } from "../dom.js";
import { GenericInput } from "./generic.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */

/** @type {Record<string, {name: string, x: number, y: number}>} */
const STEPS = {
  ArrowUp: { name: "up", x: 0, y: -1 }, ArrowDown: { name: "down", x: 0, y: 1 },
  ArrowLeft: { name: "left", x: -1, y: 0 }, ArrowRight: { name: "right", x: 1, y: 0 },
};

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
    /** the square that the keyboard is on */
    this.cursor = "";
    this.on("click", (event) => this.click(event.target.dataset?.cell ?? ""));
  }

  help() {
    return "Click the squares of a move one after the other, or choose a move from the list. "
      + "Arrow keys go from square to square, Enter takes one, Escape forgets the squares.";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.active) return;
    const legal = this.snapshot?.legal ?? [];
    const way = STEPS[event.key];
    if (way && legal.includes(way.name)) this.play(way.name); // a move that is called up, down, left or right
    else if (way) this.go(way.x, way.y);
    else if (event.key === "Escape") {
      this.cursor = "";
      this.choose([]);
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      if (legal.includes(this.cursor)) this.play(this.cursor);
      else this.click(this.cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The cursor goes to the nearest square in a direction. @param {number} x @param {number} y */
  go(x, y) {
    const places = this.board.shapes.filter((shape) => shape.cell && shape.kind !== "text").map((shape) => {
      const box = this.board.boxOf(shape.cell);
      return { cell: shape.cell, label: shape.label, x: (box?.x ?? 0) + (box?.w ?? 0) / 2, y: (box?.y ?? 0) + (box?.h ?? 0) / 2 };
    });
    const from = places.find((place) => place.cell === this.cursor);
    /** How far a square is, where it lies in that direction. @param {{x: number, y: number}} to */
    const far = (to) => {
      const along = from ? x * (to.x - from.x) + y * (to.y - from.y) : 1;
      const aside = from ? Math.abs(y * (to.x - from.x) + x * (to.y - from.y)) : 0;
      return along > 0.1 && aside <= along ? along + 2 * aside : Infinity;
    };
    const reached = places.filter((place) => far(place) < Infinity).sort((a, b) => far(a) - far(b))[0];
    if (!reached) return;
    this.cursor = reached.cell;
    this.board.say(reached.label || reached.cell);
    this.draw(begins(this.snapshot?.legal ?? [], this.chosen));
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
    else {
      const starts = begins(legal, [cell]).length > 0;
      if (!starts) {
        const from = this.chosen.length ? `From ${this.chosen.join("-")} to ${cell} is no move.` : `${cell} cannot be played now.`;
        this.refuse(from, [cell]);
      }
      this.choose(starts ? [cell] : []);
    }
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
    if (this.active && this.cursor) marks.push(...mark(this.cursor, "square-cursor"));
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
