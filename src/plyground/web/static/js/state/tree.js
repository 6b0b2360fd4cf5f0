/** Positions that grow out of one another: a line with its variations. */

/** @typedef {import("../types.js").Snapshot} Snapshot */

export class TreeNode {
  /** @param {Snapshot} snapshot @param {string} move @param {TreeNode|null} parent */
  constructor(snapshot, move = "", parent = null) {
    this.snapshot = snapshot;
    this.move = move;
    this.parent = parent;
    /** @type {TreeNode[]} the main continuation first */
    this.children = [];
  }

  /** Moves from the root to here. @returns {TreeNode[]} */
  path() {
    return this.parent ? [...this.parent.path(), this] : [];
  }

  get depth() {
    return this.path().length;
  }

  /** The child after a move, made if there is none. @param {string} move @param {Snapshot} snapshot */
  add(move, snapshot) {
    const known = this.children.find((child) => child.move === move);
    if (known) return known;
    const child = new TreeNode(snapshot, move, this);
    this.children.push(child);
    return child;
  }

  /** The end of the main line from here. @returns {TreeNode} */
  get end() {
    return this.children.length ? this.children[0].end : this;
  }

  /** The variations from here as plain values: each is its move and what follows it. @returns {Written[]} */
  written() {
    return this.children.map((child) => [child.move, ...child.written()]);
  }

  /** Which child to take at each step from the root to here. @returns {number[]} */
  get steps() {
    return this.path().map((node) => node.parent?.children.indexOf(node) ?? 0);
  }
}

/** @typedef {[string, ...any[]]} Written a move, then the variations after it */
