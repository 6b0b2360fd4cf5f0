/** A board on which a game of the champion replays itself; it stands still with reduced motion. */

import { custom, h } from "../dom.js";
import { sentence } from "../format.js";
import { makeInput } from "../input/index.js";
import { get } from "../net/api.js";
import { readSnapshot } from "../state/game.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */

const FRAME_MILLISECONDS = 900;
const PAUSE_FRAMES = 4;
const PREPARING_MILLISECONDS = 400;
const STILL_SHARE = 0.6;
/** Pictures begin somewhere between these shares of their game: an empty board invites nobody. */
const FIRST_SHARES = [0.3, 0.6];

/** @param {GameInfo} info */
export function livePicture(info) {
  const board = custom("game-board");
  board.asPicture(`A game of ${info.title}`);
  // The rules of a game from a file are compiled before they give a picture.
  const preparing = custom("preparing-line", { hidden: true });
  preparing.clocks = "";
  const waiting = setTimeout(() => preparing.show(info.title), PREPARING_MILLISECONDS);
  const frame = h("div", { class: "live-picture" }, board, preparing);
  get(`/api/pictures/${info.name}`)
    .then((raw) => play(info, board, raw), (error) => frame.append(h("p", { class: "muted" }, sentence(error.message))))
    .finally(() => {
      clearTimeout(waiting);
      preparing.show("");
    });
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
  const owners = whoPlaced(boards);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || boards.length < 2;
  let at = Math.floor(boards.length * (still ? STILL_SHARE : between(FIRST_SHARES)));
  board.knowsOwners = true;
  const show = () => {
    board.draw(boards[at]);
    board.own(owners[at]);
  };
  show();
  const input = await makeInput(info, board, () => {}, h("div"));
  board.setFoot(0);
  board.classList.remove("drags");
  board.knowsOwners = true;
  board.arrival = (/** @type {any} */ shape, /** @type {any} */ old) => input.arrival(shape, old);
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
 * Who wrote what stands in the cells of each frame: the players take turns, one frame each.
 * @param {import("../types.js").Board[]} boards
 * @returns {Map<string, number>[]}
 */
function whoPlaced(boards) {
  const found = [new Map()];
  for (let frame = 1; frame < boards.length; frame++) {
    const before = new Map(written(boards[frame - 1]));
    const placed = new Map(found[frame - 1]);
    for (const [cell, text] of written(boards[frame])) if (!before.get(cell) && text) placed.set(cell, (frame - 1) % 2);
    found.push(placed);
  }
  return found;
}

/** @param {import("../types.js").Board} board @returns {[string, string][]} */
const written = (board) => board.shapes.filter((shape) => shape.kind === "text" && shape.cell)
  .map((shape) => [shape.cell, shape.text]);
