/** Blockudoku: drag a piece (it hangs above the finger) or click it and then the board. */

import { button, s } from "/static/js/dom.js";
import { BoardInput } from "/static/js/input/base.js";

/** @typedef {import("/static/js/types.js").Snapshot} Snapshot */
/** @typedef {import("/static/js/types.js").Shape} Shape */
/** @typedef {import("/static/js/components/game-board.js").Place} Place */
/** @typedef {{slot: number, cells: [number, number][], rows: number, columns: number,
 *   box: {x: number, y: number}, fits: boolean}} Piece */

const SIDE = 9;
/** By how much a piece hangs above a finger; a mouse holds it in its middle. */
const LIFT_TOUCH = 2.2, LIFT_MOUSE = 0;
const SNAP = 1.3;
/** A pointer that goes less far was a click. */
const DRAG = 0.25;
const SLOT_ROOM = 3;
/** Where the numbers of the pieces in hand stand. */
const NUMBERS = 9.74;
/** The cells of every piece, each as row and column, in the order of their numbers. */
const PIECES = (
  "00|00 01|00 10|00 11|01 10|00 01 02|00 10 20|00 11 22|02 11 20|00 01 10|00 10 11|01 10 11|" +
  "00 01 11|00 01 02 03|00 10 20 30|00 01 10 11|00 10 20 21|02 10 11 12|00 01 11 21|00 01 02 10|" +
  "00 01 10 20|00 01 02 12|01 11 20 21|00 10 11 12|01 10 11 12|00 10 11 20|01 10 11 21|00 01 02 11|" +
  "00 01 11 12|01 10 11 20|00 10 11 21|01 02 10 11|00 01 02 03 04|00 10 20 30 40|00 10 11 12 20|" +
  "00 01 02 11 21|01 11 20 21 22|02 10 11 12 22|00 01 02 10 12|00 01 11 20 21|00 01 10 20 21|" +
  "00 02 10 11 12|00 01 02 10 20|00 01 02 12 22|02 12 20 21 22|00 10 20 21 22|01 10 11 12 21"
).split("|").map((text) => text.split(" ").map((cell) => [Number(cell[0]), Number(cell[1])]));

export default class BlockudokuInput extends BoardInput {
  /**
   * @param {import("/static/js/input/base.js").GameBoard} board
   * @param {import("/static/js/input/base.js").Play} play
   * @param {HTMLElement} tray
   */
  constructor(board, play, tray) {
    super(board, play, tray);
    /** @type {Piece[]} */
    this.pieces = [];
    /** @type {Set<string>} */
    this.filled = new Set();
    /** @type {number|null} the slot of the piece in hand */
    this.held = null;
    this.dragging = false;
    this.moved = false;
    this.lift = LIFT_MOUSE;
    this.pointer = { x: 4.5, y: 4.5 };
    /** where the piece was taken */
    this.started = this.pointer;
    /** @type {{row: number, column: number}|null} where the keyboard holds the piece */
    this.cursor = null;
    this.slots = [1, 2, 3].map((slot) => button(`Piece ${slot}`, () => this.take(slot), {
      "aria-pressed": "false",
    }));
    this.tellsMoves = true;
    this.board.classList.add("drags");
    this.tray.classList.add("slots");
    this.tray.append(...this.slots);
    this.on("pointerdown", (event) => this.press(event));
    this.on("pointermove", (event) => this.move(event));
    this.on("pointerup", (event) => this.release(event));
    this.on("pointercancel", () => this.letGo());
  }

  help() {
    return "1, 2 and 3 take a piece, arrow keys move it, Enter places it, Escape puts it back.";
  }

  /** @param {Snapshot} snapshot @param {boolean} active */
  show(snapshot, active) {
    const changed = this.snapshot?.text !== snapshot.text;
    super.show(snapshot, active);
    this.legal = new Set(snapshot.legal);
    const shapes = snapshot.board.shapes;
    this.filled = new Set(shapes.filter((shape) => shape.style === "filled" &&
      /^\d,\d$/.test(shape.cell)).map((shape) => shape.cell));
    this.pieces = [1, 2, 3].flatMap((slot) => readPiece(slot, shapes, snapshot.legal));
    if (changed && !this.dragging) this.letGo();
    if (this.held !== null && !this.piece(this.held)) this.letGo();
    for (const [index, control] of this.slots.entries()) {
      control.disabled = !active || !this.piece(index + 1)?.fits;
      control.setAttribute("aria-label", this.named(index + 1));
    }
    this.redraw();
  }

  /** @param {number} slot */
  piece(slot) {
    return this.pieces.find((piece) => piece.slot === slot) ?? null;
  }

  /** A piece in hand by its number and form, such as `Piece 2: a single cell`. @param {number} slot */
  named(slot) {
    const label = this.snapshot?.board.shapes.find((shape) => shape.cell === `slot${slot}` && shape.label)?.label;
    return label ? `P${label.slice(1)}` : `Piece ${slot}`;
  }

  /** @param {number} slot */
  take(slot) {
    const piece = this.piece(slot);
    if (!this.active || !piece) return;
    if (!piece.fits) {
      this.refuse(`Piece ${slot} fits nowhere now.`);
      return;
    }
    this.held = slot;
    const first = [...(this.legal ?? [])].find((move) => move.startsWith(`${slot}@`));
    const [row, column] = (first ?? "1@0,0").slice(2).split(",").map(Number);
    this.cursor = { row, column };
    this.board.say(`${this.named(slot)}, in hand over row ${row}, column ${column}.`);
    this.board.focus({ preventScroll: true });
    this.redraw();
  }

  letGo() {
    this.held = null;
    this.dragging = false;
    this.cursor = null;
    this.redraw();
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (!this.active || event.button > 0) return;
    const point = this.board.point(event);
    const slot = this.slotAt(point);
    if (slot !== null && this.piece(slot)?.fits) {
      this.held = slot;
      this.dragging = true;
      this.moved = false;
      this.cursor = null;
      this.lift = event.pointerType === "touch" ? LIFT_TOUCH : LIFT_MOUSE;
      this.pointer = this.started = point;
      this.board.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.board.focus({ preventScroll: true });
    } else if (this.held !== null) {
      this.lift = 0;
      this.pointer = point;
      this.cursor = null;
    }
    this.redraw();
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (this.held === null) return;
    const point = this.board.point(event);
    // From where it was taken: a slow finger goes only a little way from one event to the next.
    this.moved ||= Math.hypot(point.x - this.started.x, point.y - this.started.y) > DRAG;
    this.pointer = point;
    this.cursor = null;
    if (!this.dragging) this.lift = 0;
    this.redraw();
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (this.held === null) return;
    this.pointer = this.board.point(event);
    const target = this.target();
    if (this.dragging && !this.moved) {
      // A click takes the piece; the next click on the board places it.
      this.dragging = false;
      this.lift = 0;
      this.redraw();
      return;
    }
    if (target) this.placeAt(target.row, target.column);
    else if (this.dragging || this.slotAt(this.pointer) === null) {
      if (this.pointer.y < SIDE) this.board.say("The piece does not fit there.");
      this.letGo();
    }
  }

  /** @param {number} row @param {number} column */
  placeAt(row, column) {
    const move = `${this.held}@${row},${column}`;
    if (!this.legal?.has(move)) {
      const piece = this.held === null ? null : this.piece(this.held);
      this.refuse("The piece does not fit there.", (piece?.cells ?? [])
        .map(([down, right]) => `${row + down},${column + right}`).filter((cell) => this.filled.has(cell)));
      return;
    }
    this.letGo();
    this.play(move);
  }

  /** @param {{x: number, y: number}} point @returns {number|null} */
  slotAt(point) {
    if (point.y < SIDE + 0.3) return null;
    const slot = Math.floor(point.x / SLOT_ROOM) + 1;
    return slot >= 1 && slot <= 3 && this.piece(slot) ? slot : null;
  }

  /** The legal place nearest to where the piece hangs, or null if none is near. */
  target() {
    const piece = this.held === null ? null : this.piece(this.held);
    if (!piece) return null;
    if (this.cursor) return this.cursor;
    const corner = this.corner(piece);
    let best = null, distance = SNAP;
    for (const move of this.legal ?? []) {
      if (!move.startsWith(`${piece.slot}@`)) continue;
      const [row, column] = move.slice(2).split(",").map(Number);
      const away = Math.hypot(row - corner.y, column - corner.x);
      if (away < distance) {
        distance = away;
        best = { row, column };
      }
    }
    return best;
  }

  /** The top left corner of the hanging piece. @param {Piece} piece */
  corner(piece) {
    const down = this.lift ? this.lift + piece.rows : piece.rows / 2;
    return { x: this.pointer.x - piece.columns / 2, y: this.pointer.y - down };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.active || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    });
    const piece = this.held === null ? null : this.piece(this.held);
    if (/^[123]$/.test(event.key)) this.take(Number(event.key));
    else if (steps[event.key] && piece) {
      const [down, right] = steps[event.key];
      const from = this.cursor ?? this.target() ?? { row: 0, column: 0 };
      this.cursor = {
        row: Math.max(0, Math.min(SIDE - piece.rows, from.row + down)),
        column: Math.max(0, Math.min(SIDE - piece.columns, from.column + right)),
      };
      const fits = this.legal?.has(`${piece.slot}@${this.cursor.row},${this.cursor.column}`);
      this.board.say(`Row ${this.cursor.row}, column ${this.cursor.column}: ` +
        (fits ? "fits" : "does not fit"));
    } else if ((event.key === "Enter" || event.key === " ") && piece && this.cursor) {
      this.placeAt(this.cursor.row, this.cursor.column);
    } else if (event.key === "Escape") this.letGo();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.redraw();
  }

  redraw() {
    const overlay = this.board.overlay;
    overlay.replaceChildren(...edgeNumbers());
    for (const piece of this.pieces) {
      if (piece.slot === this.held && this.dragging) {
        overlay.append(s("rect", {
          x: (piece.slot - 1) * SLOT_ROOM, y: SIDE + 0.35, width: SLOT_ROOM, height: 2.9,
          class: "slot-cover",
        }));
      } else if (!piece.fits && this.snapshot?.turn === 0) {
        overlay.append(...piece.cells.map(([row, column]) => s("rect", {
          x: piece.box.x + column / 2, y: piece.box.y + row / 2, width: 0.47, height: 0.47,
          class: "does-not-fit",
        })));
      }
    }
    for (const [index, control] of this.slots.entries()) {
      control.setAttribute("aria-pressed", String(this.held === index + 1));
    }
    const piece = this.held === null ? null : this.piece(this.held);
    if (!piece || !this.active) return;
    const target = this.target();
    if (target) overlay.append(...this.drawTarget(piece, target));
    if (this.dragging) {
      const corner = this.corner(piece);
      overlay.append(...piece.cells.map(([row, column]) => s("rect", {
        x: corner.x + column + 0.03, y: corner.y + row + 0.03, width: 0.94, height: 0.94,
        class: "s-filled in-hand", rx: 0.14,
      })));
    } else {
      overlay.append(s("rect", {
        x: (piece.slot - 1) * SLOT_ROOM + 0.1, y: SIDE + 0.4, width: SLOT_ROOM - 0.2, height: 2.7,
        class: "chosen", rx: 0.2,
      }));
    }
  }

  /** The shadow of the piece, and what would clear. @param {Piece} piece @param {{row: number, column: number}} at */
  drawTarget(piece, at) {
    const cells = piece.cells.map(([row, column]) => [row + at.row, column + at.column]);
    const fits = this.legal?.has(`${piece.slot}@${at.row},${at.column}`);
    const shadow = cells.map(([row, column]) => s("rect", {
      x: column + 0.05, y: row + 0.05, width: 0.9, height: 0.9, rx: 0.14,
      class: fits ? "shadow" : "shadow bad",
    }));
    if (!fits) return shadow;
    const after = new Set([...this.filled, ...cells.map(([row, column]) => `${row},${column}`)]);
    return [...clearedCells(after).map((cell) => {
      const [row, column] = cell.split(",").map(Number);
      return s("rect", { x: column, y: row, width: 1, height: 1, class: "will-clear" });
    }), ...shadow];
  }

  /**
   * @param {string} move
   * @param {Snapshot} snapshot
   * @param {boolean} [played]
   * @param {Snapshot|null} [before]
   * @returns {Place}
   */
  placeOf(move, snapshot, played = false, before = null) {
    if (played) {
      if (!before) return { boxes: [] };
      snapshot = before;
    }
    const found = /^(\d)@(\d+),(\d+)$/.exec(move);
    if (!found) return { boxes: [] };
    const piece = readPiece(Number(found[1]), snapshot.board.shapes, snapshot.legal)[0];
    const row = Number(found[2]), column = Number(found[3]);
    if (!piece) return { boxes: [] };
    return {
      boxes: piece.cells.map(([down, right]) => ({ x: column + right, y: row + down, w: 1, h: 1 })),
      part: piece.slot, where: `${row},${column}`, tag: { x: (piece.slot - 1) * SLOT_ROOM + 0.32, y: NUMBERS },
    };
  }

  /** @param {string} move */
  label(move) {
    return move.replace("@", " at ");
  }

  /** As `1@4,6`, or as the list of moves has it. @param {string} text */
  readMoves(text) {
    return [...text.matchAll(/([1-3])\s*(?:@|at)\s*(\d)\s*,\s*(\d)/g)].map(([, slot, row, column]) => `${slot}@${row},${column}`);
  }

  /** @param {string} move */
  told(move) {
    const [piece, where = ""] = move.split("@");
    const [row, column] = where.split(",");
    return `piece ${piece} at row ${row}, column ${column}`;
  }

  /** @param {string[]} moves */
  legend(moves) {
    const [piece, where = ""] = (this.parts(moves[0] ?? "")[0] ?? "").split("@");
    const [row, column] = where.split(",");
    const corner = where ? `${piece} at ${where}: top left corner of piece ${piece} in row ${row}, column ${column}. ` : "";
    return `${corner}Cost: how much more cramped the board is left`;
  }

  dealLabel() {
    return "new pieces";
  }

  chanceOf() {
    return "to survive the next ten deals";
  }

  /** @param {string} entry */
  parts(entry) {
    return entry.split(" ");
  }

  brushes() {
    return [{ name: "cell", label: "Fill or empty a cell" },
      ...[1, 2, 3].map((slot) => ({ name: `slot${slot}`, label: `Piece ${slot}`, choices: pieceChoices(slot) })),
      { name: "clear", label: "Empty the board" }];
  }

  /** @param {string} text @param {string} cell @param {string} brush */
  paint(text, cell, brush) {
    const [board, ...rest] = text.split(" ");
    const hand = rest.slice(0, 3);
    const more = rest.slice(3).join(" ");
    const chosen = /^slot(\d)=(\d+|-)$/.exec(brush);
    let cells = [...board];
    if (brush === "clear") cells = cells.map(() => ".");
    else if (chosen) hand[Number(chosen[1]) - 1] = chosen[2];
    else if (/^\d,\d$/.test(cell)) {
      const [row, column] = cell.split(",").map(Number);
      const at = SIDE * row + column;
      cells[at] = cells[at] === "#" ? "." : "#";
    }
    return `${cells.join("")} ${hand.join(" ")} ${more}`.trim();
  }

  destroy() {
    this.tray.classList.remove("slots");
    super.destroy();
  }
}

/** Rows and columns are counted in the corners of the cells at the edge, as moves name them. */
function edgeNumbers() {
  return Array.from({ length: SIDE }, (_, at) => [
    s("text", { x: at + 0.9, y: 0.25, "font-size": 0.2, "text-anchor": "end", class: "edge-number" }, String(at)),
    at ? s("text", { x: 0.1, y: at + 0.25, "font-size": 0.2, class: "edge-number" }, String(at)) : null,
  ]).flat().filter((node) => node !== null);
}

/** Every piece that a place in the hand may hold, drawn, and none. @param {number} slot */
function pieceChoices(slot) {
  const drawn = PIECES.map((cells, number) => {
    const rows = 1 + Math.max(...cells.map(([row]) => row)), columns = 1 + Math.max(...cells.map(([, column]) => column));
    return {
      name: `slot${slot}=${number}`, label: `${rows} by ${columns}, ${cells.length} cells, piece ${number}`,
      picture: s("svg", { viewBox: `${(columns - 5) / 2} ${(rows - 5) / 2} 5 5`, "aria-hidden": "true" },
        ...cells.map(([row, column]) => s("rect", {
          x: column + 0.05, y: row + 0.05, width: 0.9, height: 0.9, rx: 0.15, class: "s-filled",
        }))),
    };
  });
  return [...drawn, { name: `slot${slot}=-`, label: "no piece", picture: null }];
}

/**
 * A piece in hand, read off its picture.
 * @param {number} slot
 * @param {Shape[]} shapes
 * @param {string[]} legal
 * @returns {Piece[]} none or one
 */
function readPiece(slot, shapes, legal) {
  const own = shapes.filter((shape) => shape.cell === `slot${slot}`);
  if (!own.length) return [];
  const left = Math.min(...own.map((shape) => shape.x));
  const top = Math.min(...own.map((shape) => shape.y));
  /** @type {[number, number][]} */
  const cells = own.map((shape) => [
    Math.round((shape.y - top) * 2), Math.round((shape.x - left) * 2),
  ]);
  return [{
    slot, cells,
    rows: 1 + Math.max(...cells.map(([row]) => row)),
    columns: 1 + Math.max(...cells.map(([, column]) => column)),
    box: { x: left, y: top },
    fits: legal.some((move) => move.startsWith(`${slot}@`)),
  }];
}

/**
 * The cells of all full rows, columns and boxes.
 * @param {Set<string>} filled
 */
function clearedCells(filled) {
  const found = new Set();
  for (let n = 0; n < SIDE; n++) {
    const row = [], column = [], box = [];
    for (let k = 0; k < SIDE; k++) {
      row.push(`${n},${k}`);
      column.push(`${k},${n}`);
      box.push(`${3 * Math.floor(n / 3) + Math.floor(k / 3)},${3 * (n % 3) + (k % 3)}`);
    }
    for (const region of [row, column, box]) {
      if (region.every((cell) => filled.has(cell))) region.forEach((cell) => found.add(cell));
    }
  }
  return [...found];
}
