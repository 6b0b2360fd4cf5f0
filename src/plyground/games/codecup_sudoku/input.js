/** CodeCup Sudoku: moves such as `Dg7`, with a claim that the grid has one solution. */

import { ask, button } from "/static/js/dom.js";
import { SudokuInput } from "/static/js/input/sudoku.js";

/** @typedef {import("/static/js/types.js").Snapshot} Snapshot */

const ROWS = "ABCDEFGHI", COLUMNS = "abcdefghi";

export default class CodeCupSudokuInput extends SudokuInput {
  /**
   * @param {import("/static/js/input/base.js").GameBoard} board
   * @param {import("/static/js/input/base.js").Play} play
   * @param {HTMLElement} tray
   */
  constructor(board, play, tray) {
    super(board, play, tray);
    this.claiming = false;
    this.claim = button("Claim with my move", () => this.toggleClaim(), {
      "aria-pressed": "false",
      title: "The next move says that exactly one solution is left; a false claim loses (!)",
    });
    this.claimNow = button("Claim now", () => this.askClaim(), {
      title: "Say that the grid as it stands has exactly one solution; a false claim loses",
    });
    this.tools.append(this.claim, this.claimNow);
  }

  help() {
    return `${super.help()} ! claims that one solution is left after the move.`;
  }

  countedAs() {
    return "solutions left";
  }

  ends() {
    return "solutions";
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

  /** A false claim loses: ask before. */
  async askClaim() {
    const sure = await ask("Say that exactly one solution is left? If that is wrong, the game is lost.",
      "Claim", "Not yet");
    if (sure) this.play("!", true);
  }

  /** @param {number} value */
  enter(value) {
    if (this.pencilling || !this.chosen || !this.active || !this.values().has(value)) return super.enter(value);
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

  /** @param {string} move */
  label(move) {
    return move.replace("!", " claim").trim();
  }

  /** @param {string} text @param {string} cell @param {string} brush */
  paint(text, cell, brush) {
    const { row, column } = this.readCell(cell);
    const cells = [...text.replace(/!+$/, "")];
    cells[9 * row + column] = brush === "erase" ? "." : brush;
    return cells.join("");
  }

  /** Which moves win is for the player to find out: no value looks special. */
  valueClass() {
    return "";
  }
}
