/** The rules of a game in pictures, the words of its board, and its keys; over the dimmed board. */

import { button, custom, h, toast, whileShown } from "../dom.js";
import { sideName } from "../format.js";
import { makeInput } from "../input/index.js";
import { get } from "../net/api.js";
import { readSnapshot } from "../state/game.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").RulesCard} Card */

/** How a game without an input of its own is played. */
const SQUARES = [["click or tap", "the squares of a move in turn"], ["list", "every move, to choose without the board"],
  ["arrows, Enter", "go from square to square, take one"], ["Esc", "forget the squares"]];
const EVERYWHERE = [["?", "this card"], ["A", "analysis on or off"], ["U", "undo"], ["H", "hint"],
  ["N", "new game"], ["← → Home End", "go through the game (outside the board)"]];

const VALUES = [["W7, L7", "won or lost in at most 7 moves, proven"], ["=", "a draw, proven"],
  ["63 %", "the chance to win"], ["+0.9", "an estimate: above 0 is good for the side to move"],
  ["green, red, grey", "good, bad, even for the side to move"],
  ["bar beside the board", "the share of the first player, and the value as that player sees it"]];

/** @type {Map<string, Promise<Card>>} */
const known = new Map();

/** Show the card of a game. @param {GameInfo} info */
export async function showRules(info) {
  const stillShown = whileShown();
  let card;
  try {
    if (!known.has(info.name)) known.set(info.name, get(`/api/rules/${info.name}`));
    card = await known.get(info.name);
  } catch (error) {
    known.delete(info.name);
    toast(String(/** @type {Error} */ (error).message), "error");
    return;
  }
  if (!card) return;
  const steps = await Promise.all(card.steps.map((step) => drawStep(info, step)));
  const words = card.words.length || info.players !== 2 ? card.words : [0, 1].map((seat) => ({
    word: sideName(info, seat), meaning: seat ? "the other player" : "the player who moves first", style: seat ? "second" : "first",
  }));
  const drawn = Math.max(1, card.steps.filter((step) => step.board).length);
  if (!stillShown() || document.querySelector("dialog.rules")) return;
  const dialog = h("dialog", { class: "rules", "aria-labelledby": "rules-title" },
    h("div", { class: "row spread" }, h("h2", { id: "rules-title" }, info.title),
      button("Close", () => dialog.close(), { class: "quiet" })),
    h("div", { class: "card-body", tabindex: "0" }, steps.length ? h("ol", { class: "rule-steps" }, ...steps)
      : h("p", {}, `${info.summary[0].toUpperCase()}${info.summary.slice(1)}.`),
    words.length ? h("dl", { class: "rule-words" }, ...words.flatMap((word) => [
      h("dt", {}, word.style ? h("i", { class: `swatch style-${word.style}` }) : "", word.word), h("dd", {}, word.meaning),
    ])) : "",
    h("h3", { class: "rule-keys-title" }, "Keys"),
    h("dl", { class: "rule-keys" }, ...[...(info.input ? card.keys : SQUARES), ...EVERYWHERE].flatMap(([key, what]) => [
      h("dt", {}, h("kbd", {}, key)), h("dd", {}, what),
    ])),
    ...(info.players === 2 ? [h("h3", {}, "Values in the analysis"),
      h("dl", { class: "rule-words" }, ...VALUES.flatMap(([value, what]) => [h("dt", {}, value), h("dd", {}, what)]))] : [])));
  dialog.style.setProperty("--boards", String(drawn));
  for (const swatch of dialog.querySelectorAll(".swatch")) {
    const style = [...swatch.classList].find((name) => name.startsWith("style-"))?.slice(6);
    /** @type {HTMLElement} */ (swatch).style.setProperty("background", `var(--s-${style})`);
  }
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {GameInfo} info @param {Card["steps"][number]} step */
async function drawStep(info, step) {
  const text = h("p", {}, step.text);
  if (!step.board) return h("li", { class: "no-board" }, text);
  const board = custom("game-board");
  const snapshot = readSnapshot({ text: step.position, board: step.board, turn: 0, legal: [] });
  const input = await makeInput(info, board, () => {}, h("div"));
  const item = h("li", {}, h("div", { class: "rule-board" }, board), text);
  board.draw(snapshot.board);
  input.show(snapshot, false);
  board.setFoot(0);
  board.mark(step.moves.map((move) => ({ place: input.placeOf(move, snapshot), kind: "hint" })));
  board.overlay.replaceChildren();
  board.asPicture(step.text);
  return item;
}
