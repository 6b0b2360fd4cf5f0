/** The input of a game: its own module if it has one, else the one that works for every game. */

import { SquaresInput } from "./squares.js";

/**
 * @param {import("../types.js").GameInfo} info
 * @param {import("./base.js").GameBoard} board
 * @param {import("./base.js").Play} play
 * @param {HTMLElement} tray
 * @returns {Promise<import("./base.js").BoardInput>}
 */
export async function makeInput(info, board, play, tray) {
  const Input = info.input ? (await import(info.input)).default : SquaresInput;
  return new Input(board, play, tray);
}
