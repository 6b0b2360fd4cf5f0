/** Connect 4: click a column to drop; drag an opponent's bottom disc to another column. */

import { s } from "/static/js/dom.js";
import { plural } from "/static/js/format.js";
import { BoardInput } from "/static/js/input/base.js";

/** @typedef {import("/static/js/types.js").Snapshot} Snapshot */
/** @typedef {import("/static/js/components/game-board.js").Place} Place */

const OWN = ["first", "second"];

export default class Connect4Input extends BoardInput {
  /**
   * @param {import("/static/js/input/base.js").GameBoard} board
   * @param {import("/static/js/input/base.js").Play} play
   * @param {HTMLElement} tray
   */
  constructor(board, play, tray) {
    super(board, play, tray);
    this.column = 0;
    /** @type {number|null} the column whose bottom disc is in the hand */
    this.lifted = null;
    this.dragging = false;
    this.pointed = false;
    this.pointer = { x: 0, y: 0 };
    this.on("pointermove", (event) => this.move(event));
    this.on("pointerdown", (event) => this.press(event));
    this.on("pointerup", (event) => this.release(event));
    this.on("pointercancel", () => this.drop());
    this.on("pointerleave", () => {
      if (this.dragging) return;
      this.pointed = false;
      this.redraw();
    });
    this.board.classList.add("drags");
    this.board.setFoot(0.3);
    this.on("focus", () => this.redraw());
    this.on("blur", () => this.redraw());
  }

  help() {
    return "Arrow keys choose a column, Enter drops a disc, a number drops there at once. " +
      "M lifts an opponent's bottom disc of the chosen column; Enter puts it on another column.";
  }

  /** @param {Snapshot} snapshot @param {boolean} active */
  show(snapshot, active) {
    const changed = this.snapshot?.text !== snapshot.text;
    super.show(snapshot, active);
    const cells = snapshot.board.shapes.filter((shape) => shape.cell);
    this.columns = 1 + Math.max(...cells.map((shape) => Number(shape.cell.split(",")[1])));
    this.rows = 1 + Math.max(...cells.map((shape) => Number(shape.cell.split(",")[0])));
    /** @type {Map<string, string>} */
    this.discs = new Map(cells.map((shape) => [shape.cell, shape.style]));
    this.legal = new Set(snapshot.legal);
    this.column = Math.min(this.column, this.columns - 1);
    if (changed) this.lifted = null;
    if (!active) this.dragging = false;
    this.redraw();
  }

  /** @param {number} column @returns {number} discs in the column */
  heightOf(column) {
    let height = 0;
    while (height < (this.rows ?? 0) && this.discs?.get(`${height},${column}`) !== "hole") height++;
    return height;
  }

  /** @param {number} column whether some mean move takes this column's bottom disc */
  canLift(column) {
    return [...(this.legal ?? [])].some((move) => move.startsWith(`${column + 1}-`));
  }

  /** @param {{x: number}} point */
  columnAt(point) {
    return Math.max(0, Math.min((this.columns ?? 1) - 1, Math.floor(point.x)));
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (!this.active || event.button > 0) return;
    const point = this.board.point(event);
    this.column = this.columnAt(point);
    this.pointed = true;
    const rows = this.rows ?? 0;
    if (point.y > rows - 1 && point.y < rows && this.canLift(this.column)) {
      this.lifted = this.column;
      this.dragging = true;
      this.started = this.pointer = point;
      this.board.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
    this.redraw();
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.active) return;
    this.pointer = this.board.point(event);
    this.pointed = true;
    this.column = this.columnAt(this.pointer);
    this.redraw();
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (!this.active || event.button > 0) return;
    this.pointer = this.board.point(event);
    const target = this.columnAt(this.pointer);
    const source = this.lifted;
    const dragged = this.dragging;
    this.drop();
    if (source !== null && dragged && target !== source) this.put(source, target);
    else if (source !== null && !dragged && target !== source) this.put(source, target);
    else this.dropDisc(target);
  }

  drop() {
    this.lifted = null;
    this.dragging = false;
    this.redraw();
  }

  /** @param {number} column */
  dropDisc(column) {
    const move = String(column + 1);
    if (this.legal?.has(move)) this.play(move);
    else this.refuse(`Column ${move} is full.`, [`${(this.rows ?? 1) - 1},${column}`]);
  }

  /** @param {number} source @param {number} target */
  put(source, target) {
    const move = `${source + 1}-${target + 1}`;
    if (this.legal?.has(move)) this.play(move);
    else this.refuse(`Column ${target + 1} is full.`, [`${(this.rows ?? 1) - 1},${target}`]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.active || event.ctrlKey || event.metaKey || event.altKey) return;
    const columns = this.columns ?? 1;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      this.column = (this.column + (event.key === "ArrowLeft" ? columns - 1 : 1)) % columns;
      this.pointed = true;
      this.board.say(`Column ${this.column + 1}, ${plural(this.heightOf(this.column), "disc")}`);
    } else if (event.key === "Enter" || event.key === " " || event.key === "ArrowDown") {
      const source = this.lifted;
      if (source === null) this.dropDisc(this.column);
      else if (source !== this.column) {
        this.drop();
        this.put(source, this.column);
      }
    } else if (event.key === "m" || event.key === "M") {
      if (this.canLift(this.column)) {
        this.lifted = this.column;
        this.board.say("Disc lifted; choose a column and press Enter.");
      } else {
        this.refuse("Only an opponent's disc in the bottom row can be taken, if mean moves are allowed.",
          [`0,${this.column}`]);
      }
    } else if (event.key === "Escape") this.drop();
    else if (/^[1-9]$/.test(event.key) && this.lifted === null) {
      if (Number(event.key) <= columns) this.dropDisc(Number(event.key) - 1);
      else this.refuse(`The board has ${plural(columns, "column")}.`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.redraw();
  }

  redraw() {
    const overlay = this.board.overlay;
    overlay.replaceChildren();
    if (!this.active || !this.snapshot || !(this.pointed || this.board.matches(":focus-visible"))) {
      return;
    }
    const rows = this.rows ?? 0, own = OWN[this.snapshot.turn], other = OWN[1 - this.snapshot.turn];
    overlay.append(s("rect", {
      x: this.column + 0.03, y: 0.03, width: 0.94, height: rows - 0.06, class: "column-hover", rx: 0.2,
    }));
    const height = this.heightOf(this.column);
    if (this.lifted !== null) {
      overlay.append(s("circle", {
        cx: this.lifted + 0.5, cy: rows - 0.5, r: 0.41, class: "s-hole lifted-from",
      }));
      if (this.column !== this.lifted && height < rows) {
        overlay.append(s("circle", {
          cx: this.column + 0.5, cy: rows - height - 0.5, r: 0.41, class: `s-${other} ghost`,
        }));
      }
      const at = this.dragging ? this.pointer : { x: this.column + 0.5, y: 0.1 };
      overlay.append(s("circle", { cx: at.x, cy: at.y, r: 0.43, class: `s-${other} in-hand` }));
    } else if (height < rows) {
      overlay.append(s("circle", {
        cx: this.column + 0.5, cy: rows - height - 0.5, r: 0.41, class: `s-${own} ghost`,
      }));
      if (this.pointed && this.pointer.y > rows - 1 && this.canLift(this.column)) {
        overlay.append(s("circle", {
          cx: this.column + 0.5, cy: rows - 0.5, r: 0.45, class: "liftable",
        }));
      }
    }
  }

  /** @param {string} move @param {Snapshot} snapshot @param {boolean} [played] @returns {Place} */
  placeOf(move, snapshot, played = false) {
    const discs = new Map(snapshot.board.shapes.filter((shape) => shape.cell)
      .map((shape) => [shape.cell, shape.style]));
    const [from, to] = move.includes("-") ? move.split("-").map(Number) : [0, Number(move)];
    const rows = Math.floor(snapshot.board.height), column = to - 1;
    let height = 0;
    while (height < rows && discs.get(`${height},${column}`) !== "hole") height++;
    const row = Math.max(0, played ? height - 1 : Math.min(height, rows - 1));
    const box = { x: column, y: rows - row - 1, w: 1, h: 1 };
    if (!from) return { boxes: [box], value: { x: column + 0.5, y: rows + 0.62 } };
    return { boxes: [box], arrow: [from - 0.5, rows - 0.5, to - 0.5, rows - row - 0.5] };
  }

  /** @param {string[]} moves */
  legend(moves) {
    const mean = moves.find((move) => move.includes("-"))?.split("-");
    return mean ? `${mean[0]}-${mean[1]}: the bottom disc of column ${mean[0]} goes to column ${mean[1]}. Arrows: the ` +
      "three best, one to a column" : "";
  }

  /** @param {string} move */
  told(move) {
    const [from, to] = move.split("-");
    return to ? `the bottom disc of column ${from} to column ${to}` : `column ${from}`;
  }

  /** @param {import("/static/js/types.js").Shape} shape @param {import("/static/js/types.js").Shape} old */
  arrival(shape, old) {
    if (shape.kind !== "circle" || shape.style === "hole") return null;
    // A disc on an empty place came in at the top; any other one fell by a row.
    return { x: 0, y: old.style === "hole" ? -(shape.y + 0.4) : -1 };
  }

  brushes() {
    return [{ name: "x", label: "Red" }, { name: "o", label: "Yellow" }, { name: "erase", label: "Erase" },
      { name: "side", label: `Let ${this.snapshot?.turn === 1 ? "red" : "yellow"} move` }];
  }

  /** Also without spaces: `4453`, and `45-2` for a drop and a mean move. @param {string} text */
  readMoves(text) {
    return /^[\d\s,;-]+$/.test(text) ? text.match(/\d-\d|\d/g) ?? [] : [];
  }

  /** @param {string} text @param {string} cell @param {string} brush */
  paint(text, cell, brush) {
    const [board, side] = text.split(" ");
    const rows = board.split("/").map((row) => [...row]);
    const column = Number(cell.split(",")[1]);
    if (brush === "side") return this.written(rows, side === "x" ? "o" : "x");
    const discs = rows.map((row) => row[column]).filter((disc) => disc !== ".");
    if (brush === "erase") discs.shift();
    else if (discs.length < rows.length) discs.unshift(brush);
    rows.forEach((row, at) => {
      row[column] = discs[at - (rows.length - discs.length)] ?? ".";
    });
    return this.written(rows, side);
  }

  /** @param {string[][]} rows @param {string} side */
  written(rows, side) {
    const count = rows.flat().filter((disc) => disc !== ".").length;
    const plies = count + ((count % 2 === 0) === (side === "x") ? 0 : 1);
    return `${rows.map((row) => row.join("")).join("/")} ${side} ${plies}`;
  }

  destroy() {
    this.board.setFoot(0);
    super.destroy();
  }
}
