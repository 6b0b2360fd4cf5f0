/** CodeCup Sudoku: moves such as `Dg7`, with a claim that the grid has one solution. */

import { button } from "../dom.js";
import { SudokuInput } from "./sudoku.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */

const ROWS = "ABCDEFGHI", COLUMNS = "abcdefghi";

export class CodeCupSudokuInput extends SudokuInput {
  /**
   * @param {import("./base.js").GameBoard} board
   * @param {import("./base.js").Play} play
   * @param {HTMLElement} tray
   */
  constructor(board, play, tray) {
    super(board, play, tray);
    this.claiming = false;
    this.claim = button("Claim: unique after my move", () => this.toggleClaim(), {
      "aria-pressed": "false",
      title: "The next move says that exactly one solution is left; a false claim loses (!)",
    });
    this.claimNow = button("Claim now", () => this.play("!", true), {
      title: "Say that the grid as it stands has exactly one solution; a false claim loses",
    });
    this.tools.append(this.claim, this.claimNow);
  }

  help() {
    return `${super.help()} ! claims that one solution is left after the move.`;
  }

  /** @param {string} cell */
  readCell(cell) {
    if (cell.includes(",")) return super.readCell(cell);
    return { row: ROWS.indexOf(cell[0]), column: COLUMNS.indexOf(cell[1]) };
  }

  /** @param {number} row @param {number} column */
  cellName(row, column) {
    const name = `${row},${column}`;
    return this.board.boxOf(name) ? name : ROWS[row] + COLUMNS[column];
  }

  /** @param {string} move */
  readMove(move) {
    const found = /^([A-I])([a-i])([1-9])/.exec(move);
    if (!found) return null;
    return {
      row: ROWS.indexOf(found[1]), column: COLUMNS.indexOf(found[2]), value: Number(found[3]), move,
    };
  }

  /** @param {Snapshot} snapshot @param {boolean} active */
  show(snapshot, active) {
    if (this.snapshot?.text !== snapshot.text) this.claiming = false;
    super.show(snapshot, active);
    this.claim.setAttribute("aria-pressed", String(this.claiming));
    this.claim.disabled = this.claimNow.disabled = !active;
  }

  toggleClaim() {
    this.claiming = !this.claiming;
    this.claim.setAttribute("aria-pressed", String(this.claiming));
    this.board.say(this.claiming ? "Your next move claims a unique solution." : "No claim.");
  }

  /** @param {number} value */
  enter(value) {
    if (!this.chosen || !this.active || !this.values().has(value)) return super.enter(value);
    const move = `${ROWS[this.chosen.row]}${COLUMNS[this.chosen.column]}${value}`;
    return this.play(this.claiming ? `${move}!` : move, true);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "!" && this.active) {
      this.toggleClaim();
      event.preventDefault();
      event.stopPropagation();
    } else super.key(event);
  }

  /** Which moves win is for the player to find out: no value looks special. */
  valueClass() {
    return "";
  }
}
