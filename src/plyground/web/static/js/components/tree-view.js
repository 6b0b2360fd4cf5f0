/** The search tree of a position as a picture: branches open and close, thick lines were searched most. */

import { button, custom, h, toast, whileShown } from "../dom.js";
import { post } from "../net/api.js";
import { readSnapshot } from "../state/game.js";

/** @typedef {{move: string, lines: string[], share: number, mark: string, children: Node[]}} Node */

const SEARCHES = /** @type {const} */ ({
  mcts: ["Monte Carlo", "Random games from here on. The thicker a line, the more of them went there."],
  alphabeta: ["Alpha-beta", "Values and [alpha, beta] for the side to move; what is cut off need not be looked at."],
});
const THICKEST = 10;

/**
 * @param {{game: string, options: object, position: string, seed: number}} position what `/api/tree` is asked for
 * @param {(move: string) => string} label
 * @param {(line: string[]) => void} go
 */
export async function showTree(position, label, go) {
  const stillShown = whileShown();
  const about = h("p", { class: "muted" });
  const picture = h("div", { class: "scroll tree-picture", tabindex: "0", role: "group", "aria-label": "Tree" });
  const line = h("p", { class: "muted line" });
  /** @type {string[]} */
  let chosen = [];
  const open = button("Show on the board", () => {
    dialog.close();
    go(chosen);
  }, { class: "primary", disabled: true });
  const board = custom("game-board");
  board.asPicture("The position after the chosen moves");
  const select = async (/** @type {string[]} */ path) => {
    chosen = path;
    open.disabled = !path.length;
    line.textContent = path.length ? path.map(label).join("  ") : "Choose a move to see its position.";
    try {
      const snapshot = readSnapshot(await post("/api/position", { ...position, moves: path }));
      if (chosen === path) board.draw(snapshot.board);
    } catch { /* the picture is an extra */ }
  };
  const grow = async (/** @type {keyof typeof SEARCHES} */ search) => {
    for (const [name, tab] of tabs) tab.setAttribute("aria-pressed", String(name === search));
    about.textContent = "Searching…";
    try {
      const root = await post("/api/tree", { ...position, search });
      about.textContent = SEARCHES[search][1];
      picture.replaceChildren(h("p", { class: "root" }, root.lines.join(" · ")), h("ul", {},
        ...root.children.map((/** @type {Node} */ child, /** @type {number} */ at) =>
          branch(child, [], { label, select, most: most(root.children), open: at === 0 }))));
      void select([]);
      return true;
    } catch (error) {
      about.textContent = String(/** @type {Error} */ (error).message);
      return false;
    }
  };
  const tabs = Object.entries(SEARCHES).map(([name, [title]]) => /** @type {[string, HTMLButtonElement]} */ (
    [name, button(title, () => grow(/** @type {keyof typeof SEARCHES} */ (name)))]));
  const dialog = h("dialog", { class: "rules tree", "aria-labelledby": "tree-title" },
    h("div", { class: "row spread" }, h("h2", { id: "tree-title" }, "Search tree"),
      h("div", { class: "row" }, ...tabs.map(([, tab]) => tab)),
      button("Close", () => dialog.close(), { class: "quiet" })),
    about, h("div", { class: "tree-and-board" }, picture, h("div", { class: "tree-board" }, board)),
    h("div", { class: "row spread" }, line, open));
  if (!await grow("mcts") && !await grow("alphabeta")) {
    toast(about.textContent ?? "", "error");
    return;
  }
  if (!stillShown()) return;
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** The largest share of these, without what stands for many. @param {Node[]} nodes */
const most = (nodes) => Math.max(1e-9, ...nodes.filter((one) => one.mark !== "rest").map((one) => one.share));

/**
 * @param {Node} node
 * @param {string[]} before the moves above it
 * @param {{label: (move: string) => string, select: (line: string[]) => void, most: number, open?: boolean}} tree `most`
 *   is the largest share beside this one
 * @returns {HTMLElement}
 */
function branch(node, before, { label, select, most: largest, open = false }) {
  const line = [...before, node.move];
  const rest = node.mark === "rest" || node.mark === "cut";
  const said = node.lines.join(" · ").replace(/^n ([\d,]+)/, "$1 games");
  const item = h("li", {});
  item.style.setProperty("--thick", `${Math.max(1, Math.round(THICKEST * Math.min(1, node.share / largest)))}px`);
  if (rest) {
    item.append(h("span", { class: `node ${node.mark}` }, node.move, h("small", {}, said)));
    return item;
  }
  /** @type {HTMLElement|null} */
  let below = null;
  const made = button("", () => {
    select(line);
    if (node.children.length) unfold(below?.isConnected !== true);
  }, { class: `node ${node.mark}`, "aria-expanded": node.children.length ? "false" : null });
  made.append(h("b", {}, label(node.move)), h("small", {}, said));
  const unfold = (/** @type {boolean} */ on) => {
    below ??= h("ul", {}, ...node.children.map((child) => branch(child, line, { label, select, most: most(node.children) })));
    made.setAttribute("aria-expanded", String(on));
    if (on) item.append(below);
    else below.remove();
  };
  item.append(made);
  if (open && node.children.length) unfold(true);
  return item;
}
