/** The moves of an analysis with their variations; a click goes to the position after one. */

import { button, h } from "../dom.js";

/** @typedef {import("../state/tree.js").TreeNode} TreeNode */

export class MoveTree extends HTMLElement {
  constructor() {
    super();
    /** @type {(node: TreeNode) => void} */
    this.onchoose = () => {};
    /** @type {(move: string) => string} */
    this.label = (move) => move;
  }

  /** @param {TreeNode} root @param {TreeNode} current */
  show(root, current) {
    this.setAttribute("role", "navigation");
    this.setAttribute("aria-label", "Variations");
    this.replaceChildren(h("div", { class: "variation" },
      this.item(root, current, "Start"), ...this.line(root, current)));
    const here = /** @type {HTMLElement|null} */ (this.querySelector("[aria-current]"));
    if (here) this.scrollTop = here.offsetTop - this.clientHeight / 2;
  }

  /** The moves after a node: the main one, then the others in brackets, then on. @param {TreeNode} node @param {TreeNode} current @returns {HTMLElement[]} */
  line(node, current) {
    const [main, ...others] = node.children;
    if (!main) return [];
    return [this.item(main, current, `${main.depth}. ${this.label(main.move)}`),
      ...others.map((other) => h("div", { class: "variation" },
        this.item(other, current, `${other.depth}. ${this.label(other.move)}`), ...this.line(other, current))),
      ...this.line(main, current)];
  }

  /** @param {TreeNode} node @param {TreeNode} current @param {string} text */
  item(node, current, text) {
    return button(text, () => this.onchoose(node), { "aria-current": node === current ? "true" : null });
  }
}

customElements.define("move-tree", MoveTree);
