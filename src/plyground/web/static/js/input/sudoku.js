/** Both Sudoku games: choose a cell, then a value; candidates of the cells on request. */

import { button, h, s } from "../dom.js";
import { BoardInput } from "./base.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../components/game-board.js").Place} Place */
/** @typedef {{row: number, column: number, value: number, move: string}} Entry */

const DIGITS = "123456789ABCDEFGHIJKLMNOP";

export class SudokuInput extends BoardInput {
  /**
   * @param {import("./base.js").GameBoard} board
   * @param {import("./base.js").Play} play
   * @param {HTMLElement} tray
   */
  constructor(board, play, tray) {
    super(board, play, tray);
    this.size = 9;
    /** @type {{row: number, column: number}|null} */
    this.chosen = null;
    /** @type {Map<string, Map<number, string>>} moves by cell and value */
    this.moves = new Map();
    this.candidates = false;
    this.picker = h("div", { class: "picker", role: "group", "aria-label": "Values" });
    this.tools = h("div", { class: "row tools" });
    this.toggle = button("Candidates", () => this.toggleCandidates(), {
      "aria-pressed": "false", title: "Show the values that can be played (C)",
    });
    this.pencil = button("Pencil", () => this.togglePencil(), {
      "aria-pressed": "false", title: "Digits become pencil marks of your own (P, or hold Shift)",
    });
    this.pencilling = false;
    /** @type {Map<string, Set<number>>} own pencil marks by cell */
    this.pencilled = new Map();
    this.board.knowsOwners = true;
    this.tools.append(this.pencil, this.toggle);
    this.tray.append(this.picker, this.tools);
    this.on("click", (event) => {
      const cell = event.target.dataset?.cell;
      if (cell) this.choose(this.readCell(cell));
    });
  }

  help() {
    return "Arrow keys choose a cell, a digit plays its value, P writes pencil marks, C shows candidates.";
  }

  /**
   * Row and column of a cell's name.
   * @param {string} cell
   */
  readCell(cell) {
    const [row, column] = cell.split(",").map(Number);
    return { row, column };
  }

  /** @param {number} row @param {number} column */
  cellName(row, column) {
    return `${row},${column}`;
  }

  /**
   * A move taken apart, or null for one without a cell.
   * @param {string} move
   * @returns {Entry|null}
   */
  readMove(move) {
    const found = /(\d+)\s*,\s*(\d+)\D+(\d+)/.exec(move);
    if (!found) return null;
    return { row: Number(found[1]), column: Number(found[2]), value: Number(found[3]), move };
  }

  /** @param {Snapshot} snapshot @param {boolean} active */
  show(snapshot, active) {
    super.show(snapshot, active);
    const cells = snapshot.board.shapes.filter((shape) => shape.cell && shape.kind === "rect");
    this.size = Math.round(Math.sqrt(cells.length)) || 9;
    this.moves = new Map();
    for (const text of snapshot.legal) {
      const entry = this.readMove(text);
      if (!entry) continue;
      const key = `${entry.row},${entry.column}`;
      if (!this.moves.has(key)) this.moves.set(key, new Map());
      this.moves.get(key)?.set(entry.value, text);
    }
    if (snapshot.turn < 0) this.chosen = null;
    this.redraw();
  }

  /** @param {{row: number, column: number}|null} cell */
  choose(cell) {
    this.chosen = cell;
    if (cell) {
      const values = [...this.values().keys()];
      const place = this.board.shapes.find((shape) => shape.cell === this.cellName(cell.row, cell.column) &&
        shape.label)?.label ?? "";
      this.board.say(`${place}. ` + (values.length ? `Values ${values.join(", ")}` : "No value can be played."));
    }
    this.redraw();
  }

  /** @returns {Map<number, string>} the moves in the chosen cell */
  values() {
    if (!this.chosen) return new Map();
    return this.moves.get(`${this.chosen.row},${this.chosen.column}`) ?? new Map();
  }

  /** @param {number} value */
  enter(value) {
    const move = this.values().get(value);
    if (!this.active && !this.pencilling) return;
    if (!this.chosen) this.refuse("Choose a cell first: click it, or use the arrow keys.");
    else if (this.pencilling) this.note(value);
    else if (move) this.play(move);
    else {
      const { reason, cells } = this.whyNot(this.chosen, value);
      this.refuse(reason, cells);
    }
  }

  /**
   * Why a value cannot be played, and the cells that stand against it.
   * @param {{row: number, column: number}} cell
   * @param {number} value
   * @returns {{reason: string, cells: string[]}}
   */
  whyNot(cell, value) {
    const name = this.cellName(cell.row, cell.column);
    if (this.board.textOf(name)) return { reason: "This cell is filled already.", cells: [name] };
    const [high, wide] = this.blockShape();
    for (let row = 0; row < this.size; row++) {
      for (let column = 0; column < this.size; column++) {
        const other = this.cellName(row, column);
        if (this.board.textOf(other) !== String(value)) continue;
        const where = row === cell.row ? "row" : column === cell.column ? "column"
          : Math.floor(row / high) === Math.floor(cell.row / high) &&
            Math.floor(column / wide) === Math.floor(cell.column / wide) ? "block" : "";
        if (where) return { reason: `${value} already stands in this ${where}.`, cells: [other] };
      }
    }
    return { reason: `${value} cannot be played here.`, cells: [] };
  }

  /** Rows and columns of a block. @returns {[number, number]} */
  blockShape() {
    const side = Math.round(Math.sqrt(this.size));
    return [side, side];
  }

  /** @param {number} value */
  note(value) {
    if (!this.chosen) return;
    const name = this.cellName(this.chosen.row, this.chosen.column);
    const marks = this.pencilled.get(name) ?? new Set();
    if (!marks.delete(value)) marks.add(value);
    this.pencilled.set(name, marks);
    this.redraw();
  }

  togglePencil() {
    this.pencilling = !this.pencilling;
    this.pencil.setAttribute("aria-pressed", String(this.pencilling));
    this.redraw();
  }

  /** @param {import("../types.js").MoveRecord[]} moves */
  owners(moves) {
    const found = new Map();
    for (const { move, player } of moves) {
      const entry = this.readMove(move);
      if (entry) found.set(this.cellName(entry.row, entry.column), player);
    }
    return found;
  }

  brushes() {
    return [...Array.from({ length: this.size }, (_, at) => ({ name: DIGITS[at], label: DIGITS[at] })),
      { name: "erase", label: "Erase" }];
  }

  toggleCandidates() {
    this.candidates = !this.candidates;
    this.toggle.setAttribute("aria-pressed", String(this.candidates));
    this.redraw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    });
    const step = steps[event.key];
    const value = DIGITS.indexOf(event.key.toUpperCase()) + 1;
    if (step && this.active) {
      const from = this.chosen ?? { row: 0, column: 0 };
      this.choose(this.chosen === null ? from : {
        row: (from.row + step[0] + this.size) % this.size,
        column: (from.column + step[1] + this.size) % this.size,
      });
    } else if (event.key.toLowerCase() === "c" && this.size < 12) this.toggleCandidates();
    else if (event.key.toLowerCase() === "p" && this.size < 12) this.togglePencil();
    else if (event.key === "Escape") this.choose(null);
    else if (event.key.length === 1 && value >= 1 && value <= this.size && (this.chosen || this.active)) {
      this.enter(value);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} value @param {string|undefined} move */
  describe(value, move) {
    return move ? `play ${value}` : `${value} cannot be played`;
  }

  redraw() {
    const overlay = this.board.overlay;
    overlay.replaceChildren();
    overlay.append(...this.drawReach());
    if (this.candidates) overlay.append(...this.drawCandidates());
    overlay.append(...this.drawPencil());
    if (this.chosen) {
      const box = this.board.boxOf(this.cellName(this.chosen.row, this.chosen.column));
      if (box) {
        overlay.append(s("rect", {
          x: box.x + 0.04, y: box.y + 0.04, width: box.w - 0.08, height: box.h - 0.08,
          class: "chosen", rx: 0.1,
        }));
      }
    }
    this.drawPicker();
    // Up to nine values stand in one row; more of them in rows of equal length.
    this.picker.style.setProperty("--across", String(this.size <= 9 ? this.size : Math.ceil(this.size / 2)));
    this.picker.classList.toggle("idle", !this.chosen);
  }

  /** The buttons of the values. They stay the same ones: one that has the focus keeps it. */
  drawPicker() {
    const known = this.values();
    if (this.picker.childElementCount !== this.size) {
      this.picker.replaceChildren(...Array.from({ length: this.size }, (_, at) =>
        button(String(at + 1), () => this.enter(at + 1))));
    }
    for (const [at, made] of [...this.picker.children].entries()) {
      const value = at + 1, move = known.get(value);
      const left = this.size - this.board.shapes.filter((shape) => shape.kind === "text" && shape.cell &&
        shape.text === String(value)).length;
      const off = !this.pencilling && (!move || !this.active);
      made.className = `${this.valueClass(move)}${off ? " off" : ""}`;
      made.setAttribute("aria-disabled", String(off));
      made.setAttribute("aria-label", this.pencilling ? `pencil ${value}`
        : this.chosen ? this.describe(value, move) : `${value}: choose a cell first`);
      made.setAttribute("data-left", String(Math.max(0, left)));
    }
  }

  /** @param {string|undefined} move @returns {string} */
  valueClass(move) {
    return move?.endsWith("!") ? "special" : "";
  }

  /** Row, column and block of the chosen cell, and the cells with the same digit. */
  drawReach() {
    if (!this.chosen) return [];
    const { row: atRow, column: atColumn } = this.chosen;
    const [high, wide] = this.blockShape();
    const digit = this.board.textOf(this.cellName(atRow, atColumn));
    const marks = [];
    for (let row = 0; row < this.size; row++) {
      for (let column = 0; column < this.size; column++) {
        const name = this.cellName(row, column);
        const near = row === atRow || column === atColumn ||
          (Math.floor(row / high) === Math.floor(atRow / high) &&
            Math.floor(column / wide) === Math.floor(atColumn / wide));
        const equal = digit !== "" && this.board.textOf(name) === digit;
        const box = near || equal ? this.board.boxOf(name) : null;
        if (box) {
          marks.push(s("rect", {
            x: box.x, y: box.y, width: box.w, height: box.h, class: equal ? "same-digit" : "in-reach",
          }));
        }
      }
    }
    return marks;
  }

  drawPencil() {
    const across = Math.ceil(Math.sqrt(this.size));
    return [...this.pencilled].flatMap(([cell, values]) => {
      const box = this.board.textOf(cell) ? null : this.board.boxOf(cell);
      return box ? [...values].map((value) => s("text", {
        x: box.x + (((value - 1) % across) + 0.5) * (box.w / across),
        y: box.y + (Math.floor((value - 1) / across) + 0.72) * (box.h / across),
        "font-size": 0.85 / across, "text-anchor": "middle", class: "pencilled",
      }, DIGITS[value - 1])) : [];
    });
  }

  drawCandidates() {
    const across = Math.ceil(Math.sqrt(this.size));
    const marks = [];
    for (const [key, values] of this.moves) {
      const [row, column] = key.split(",").map(Number);
      const box = this.board.boxOf(this.cellName(row, column));
      if (!box) continue;
      for (const [value, move] of values) {
        const place = value - 1;
        marks.push(s("text", {
          x: box.x + ((place % across) + 0.5) * (box.w / across),
          y: box.y + (Math.floor(place / across) + 0.72) * (box.h / across),
          "font-size": 0.7 / across, "text-anchor": "middle",
          class: `candidate ${this.valueClass(move)}`,
        }, DIGITS[place]));
      }
    }
    return marks;
  }

  destroy() {
    this.board.knowsOwners = false;
    super.destroy();
  }

  /** @param {string} move @param {Snapshot} snapshot @param {boolean} [played] @returns {Place} */
  placeOf(move, snapshot, played = false) {
    void snapshot;
    const entry = this.readMove(move);
    const box = entry && this.board.boxOf(this.cellName(entry.row, entry.column));
    return { boxes: box ? [box] : [], text: entry && !played ? String(entry.value) : "" };
  }
}
