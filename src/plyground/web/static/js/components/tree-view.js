/** The search tree of a position: branches open and close, bars show how much was searched there. */

import { button, h, toast, whileShown } from "../dom.js";
import { post } from "../net/api.js";

/** @typedef {{move: string, lines: string[], share: number, mark: string, children: Node[]}} Node */

/**
 * @param {object} position what `/api/tree` is asked for
 * @param {(move: string) => string} label
 * @param {(line: string[]) => void} go
 */
export async function showTree(position, label, go) {
  const stillShown = whileShown();
  let root;
  try {
    root = await post("/api/tree", position);
  } catch (error) {
    toast(String(/** @type {Error} */ (error).message), "error");
    return;
  }
  if (!stillShown()) return;
  const dialog = h("dialog", { class: "rules tree", "aria-labelledby": "tree-title" },
    h("div", { class: "row spread" }, h("h2", { id: "tree-title" }, "Search tree"),
      button("Close", () => dialog.close(), { class: "quiet" })),
    h("p", { class: "muted" }, "Where a Monte Carlo search of 4000 games looked. A bar is the share of its parent's visits."),
    h("ul", { class: "branches" }, ...root.children.map((/** @type {Node} */ child) => branch(child, [], label, (line) => {
      dialog.close();
      go(line);
    }))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {Node} node
 * @param {string[]} before the moves above it
 * @param {(move: string) => string} label
 * @param {(line: string[]) => void} go
 * @returns {HTMLElement}
 */
function branch(node, before, label, go) {
  const line = [...before, node.move];
  const rest = node.mark === "rest" || node.mark === "cut";
  const bar = h("span", { class: "share", "aria-hidden": "true" });
  bar.style.setProperty("--share", `${Math.round(100 * node.share)}%`);
  const text = h("span", { class: `node ${node.mark}` }, rest ? node.move : label(node.move),
    h("small", {}, ` ${node.lines.join(" · ").replace(/^n ([\d,]+)/, "$1 games")}`));
  const open = rest ? "" : button("Go", () => go(line), { class: "quiet", "aria-label": `Go to ${line.map(label).join(" ")}` });
  if (!node.children.length) return h("li", {}, h("div", { class: "leaf" }, bar, text, open));
  return h("li", {}, h("details", {}, h("summary", {}, bar, text), h("div", { class: "leaf" }, open),
    h("ul", { class: "branches" }, ...node.children.map((child) => branch(child, line, label, go)))));
}
