/** Competitive Sudoku: shows regions that are nearly full, and the taboo list. */

import { h, s } from "/static/js/dom.js";
import { SudokuInput } from "/static/js/input/sudoku.js";

/** @typedef {import("/static/js/types.js").Snapshot} Snapshot */

const NEARLY_FULL = 2;
const TABOO_LISTED = 2;

export default class CompetitiveSudokuInput extends SudokuInput {
  /**
   * @param {import("/static/js/input/base.js").GameBoard} board
   * @param {import("/static/js/input/base.js").Play} play
   * @param {HTMLElement} tray
   */
  constructor(board, play, tray) {
    super(board, play, tray);
    this.tellsMoves = true;
    this.taboo = h("p", { class: "taboo", title: "Each was played as a pass. Whoever plays it again loses at once." });
    this.tools.append(this.taboo);
  }

  help() {
    return `${super.help()} A value that leaves no solution passes the turn.`;
  }

  /** @param {Snapshot} snapshot @param {boolean} active */
  show(snapshot, active) {
    const shape = /^(\d)x(\d)/.exec(snapshot.text);
    this.blockRows = shape ? Number(shape[1]) : 3;
    this.blockColumns = shape ? Number(shape[2]) : 3;
    const listed = /taboo=(\S+)/.exec(snapshot.text)?.[1].split(";") ?? [];
    this.tabooMoves = new Set(listed);
    super.show(snapshot, active);
    const shown = listed.slice(-TABOO_LISTED).map((move) => move.replace(/^(\d+),(\d+)=(\d+)$/, "$3 at ($1,$2)"));
    const more = listed.length > shown.length ? ` and ${listed.length - shown.length} more` : "";
    // Its place is kept while it is empty: no button moves when the first pass is played.
    this.taboo.textContent = listed.length ? `Taboo, loses: ${shown.join(", ")}${more}` : "";
  }

  /** The taboo values, struck out in a corner of their squares. */
  tabooMarks() {
    return [...this.tabooMoves ?? []].flatMap((move, at, all) => {
      const [cell, value] = move.split("=");
      const box = this.board.textOf(cell) ? null : this.board.boxOf(cell);
      const before = all.slice(0, at).filter((other) => other.startsWith(`${cell}=`)).length;
      return box ? [s("text", {
        x: box.x + 0.82 - 0.26 * (before % 3), y: box.y + 0.32 + 0.3 * Math.floor(before / 3), "font-size": 0.27,
        "text-anchor": "middle", class: "taboo-mark",
      }, value)] : [];
    });
  }

  /** @returns {[number, number]} */
  blockShape() {
    return [this.blockRows ?? 3, this.blockColumns ?? 3];
  }

  redraw() {
    super.redraw();
    this.board.overlay.prepend(...this.nearlyFull());
    this.board.overlay.append(...this.tabooMarks());
  }

  /** Tints rows, columns and blocks that lack one square, and the squares that complete a region. */
  nearlyFull() {
    const filled = new Set(this.snapshot?.board.shapes
      .filter((shape) => shape.kind === "text" && shape.cell).map((shape) => shape.cell));
    const size = this.size, rows = this.blockRows ?? 3, columns = this.blockColumns ?? 3;
    /** @type {{top: number, left: number, height: number, width: number}[]} */
    const regions = [];
    for (let n = 0; n < size; n++) {
      regions.push({ top: n, left: 0, height: 1, width: size });
      regions.push({ top: 0, left: n, height: size, width: 1 });
      regions.push({
        top: Math.floor(n / rows) * rows, left: (n % rows) * columns, height: rows, width: columns,
      });
    }
    const frames = [];
    for (const region of regions) {
      /** @type {string[]} */
      const open = [];
      for (let row = region.top; row < region.top + region.height; row++) {
        for (let column = region.left; column < region.left + region.width; column++) {
          if (!filled.has(this.cellName(row, column))) open.push(this.cellName(row, column));
        }
      }
      const corner = this.board.boxOf(this.cellName(region.top, region.left));
      if (open.length < 1 || open.length > NEARLY_FULL || !corner) continue;
      if (open.length === 1) {
        frames.push(s("rect", {
          x: corner.x, y: corner.y, width: region.width, height: region.height, class: "nearly-full",
        }));
      }
      for (const cell of open) {
        const box = this.board.boxOf(cell);
        if (box) {
          frames.push(s("rect", {
            x: box.x, y: box.y, width: box.w, height: box.h, class: `completes open-${open.length}`,
          }));
        }
      }
    }
    return frames;
  }

  /** @param {number} value @param {string|undefined} move */
  describe(value, move) {
    if (move?.endsWith("!")) return `${value} leaves no solution: passes the turn`;
    if (this.chosen && this.tabooMoves?.has(`${this.chosen.row},${this.chosen.column}=${value}`)) {
      return `${value} is taboo: it was a pass before and loses at once`;
    }
    return super.describe(value, move);
  }

  /** @param {{row: number, column: number}} cell @param {number} value */
  whyNot(cell, value) {
    if (this.tabooMoves?.has(`${cell.row},${cell.column}=${value}`)) {
      return { reason: `${value} is taboo here: it was a pass before, and playing it again loses.`, cells: [] };
    }
    const other = super.whyNot(cell, value);
    if (other.cells.length || this.moves.has(`${cell.row},${cell.column}`)) return other;
    return { reason: "You may not play on this square: it is not in your territory.", cells: [] };
  }

  /** @param {string} text @param {string} cell @param {string} brush */
  paint(text, cell, brush) {
    const words = text.split(" ");
    const rows = words[1].split("/");
    const { row, column } = this.readCell(cell);
    const cells = rows[row].match(/[0-9A-Z.][+-]?/gi) ?? [];
    cells[column] = brush === "erase" ? "." : brush;
    rows[row] = cells.join("");
    words[1] = rows.join("/");
    return words.filter((word) => !/^(taboo|ply)=|^\d+-\d+$/.test(word)).join(" ");
  }

  /** As `(4,2) -> 7`, `4,2=7`, or as the list of moves has it. @param {string} text */
  readMoves(text) {
    if (/^\s*\dx\d\s/.test(text)) return []; // a position, perhaps with taboo moves
    return [...text.matchAll(/(\d+)\s*,\s*(\d+)\s*\)?\s*(?:->|→|=)\s*(\d+)(\s*pass|!)?/g)]
      .map(([, row, column, value, pass]) => `(${row},${column}) -> ${value}${pass ? "!" : ""}`);
  }

  /** A pass places nothing: the word stands there. @param {string} move @param {Snapshot} snapshot @param {boolean} [played] */
  placeOf(move, snapshot, played = false) {
    const place = super.placeOf(move, snapshot, played);
    return move.endsWith("!") && place.text ? { ...place, text: `${place.text} pass` } : place;
  }

  /** @param {string} move */
  label(move) {
    return move.replace(/\s*->\s*/, " → ").replace("!", " pass");
  }
}
