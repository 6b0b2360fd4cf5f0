/** The input of each game. */

import { BlockudokuInput } from "./blockudoku.js";
import { CodeCupSudokuInput } from "./codecup-sudoku.js";
import { CompetitiveSudokuInput } from "./competitive-sudoku.js";
import { Connect4Input } from "./connect4.js";
import { SquaresInput } from "./squares.js";

/** @type {Record<string, typeof import("./base.js").BoardInput>} */
const INPUTS = {
  blockudoku: BlockudokuInput,
  "codecup-sudoku": CodeCupSudokuInput,
  "competitive-sudoku": CompetitiveSudokuInput,
  connect4: Connect4Input,
};

/**
 * @param {string} game
 * @param {import("./base.js").GameBoard} board
 * @param {import("./base.js").Play} play
 * @param {HTMLElement} tray
 */
export function makeInput(game, board, play, tray) {
  const Input = INPUTS[game] ?? SquaresInput;
  return new Input(board, play, tray);
}
