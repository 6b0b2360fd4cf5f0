/** A board on which a game of the champion replays itself; it stands still with reduced motion. */

import { custom, h } from "../dom.js";
import { makeInput } from "../input/index.js";
import { get } from "../net/api.js";
import { readSnapshot } from "../state/game.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */

const FRAME_MILLISECONDS = 900;
const PAUSE_FRAMES = 4;
const STILL_SHARE = 0.6;
/** Pictures begin somewhere between these shares of their game: an empty board invites nobody. */
const FIRST_SHARES = [0.3, 0.6];

/** @param {GameInfo} info */
export function livePicture(info) {
  const board = custom("game-board");
  board.asPicture(`A game of ${info.title}`);
  const frame = h("div", { class: "live-picture" }, board);
  get(`/api/pictures/${info.name}`).then((raw) => play(info, board, raw), () => {});
  return frame;
}

/** @param {GameInfo} info @param {any} board @param {any} raw */
async function play(info, board, raw) {
  const boards = [readSnapshot({ board: raw.board }).board];
  for (const frame of raw.frames) {
    const before = boards[boards.length - 1];
    const shapes = frame.shapes ? [...frame.shapes] : [...before.shapes];
    for (const [at, shape] of frame.changes ?? []) shapes[at] = shape;
    boards.push(readSnapshot({ board: { ...before, shapes } }).board);
  }
  const owners = boards.map((_, at) => whoPlaced(boards, at));
  const input = await makeInput(info, board, () => {}, h("div"));
  board.setFoot(0);
  board.classList.remove("drags");
  board.arrival = (/** @type {any} */ shape, /** @type {any} */ old) => input.arrival(shape, old);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || boards.length < 2;
  let at = still ? Math.floor(boards.length * STILL_SHARE) : Math.floor(boards.length * between(FIRST_SHARES));
  board.knowsOwners = true;
  const show = () => {
    board.draw(boards[at]);
    board.own(owners[at]);
  };
  show();
  if (still) return;
  const timer = setInterval(() => {
    if (!board.isConnected) {
      clearInterval(timer);
      return;
    }
    if (document.hidden) return;
    at = (at + 1) % (boards.length + PAUSE_FRAMES);
    if (at < boards.length) show();
  }, FRAME_MILLISECONDS);
}

/** @param {number[]} ends */
const between = ([low, high]) => low + Math.random() * (high - low);

/**
 * Who wrote what stands in the cells of a frame: the players take turns, one frame each.
 * @param {import("../types.js").Board[]} boards
 * @param {number} at
 * @returns {Map<string, number>}
 */
function whoPlaced(boards, at) {
  const found = new Map();
  for (let frame = 1; frame <= at; frame++) {
    const before = new Map(written(boards[frame - 1]));
    for (const [cell, text] of written(boards[frame])) if (!before.get(cell) && text) found.set(cell, (frame - 1) % 2);
  }
  return found;
}

/** @param {import("../types.js").Board} board @returns {[string, string][]} */
const written = (board) => board.shapes.filter((shape) => shape.kind === "text" && shape.cell)
  .map((shape) => [shape.cell, shape.text]);
