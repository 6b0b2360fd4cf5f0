/** Any game without an input of its own: pick a move from a list, or click a cell that is a move. */

import { button, h } from "../dom.js";
import { BoardInput } from "./base.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */

export class GenericInput extends BoardInput {
  /**
   * @param {import("./base.js").GameBoard} board
   * @param {import("./base.js").Play} play
   * @param {HTMLElement} tray
   */
  constructor(board, play, tray) {
    super(board, play, tray);
    this.choice = h("select", { "aria-label": "Move" });
    this.confirm = button("Play", () => this.play(this.choice.value), { class: "primary" });
    this.tray.append(h("div", { class: "row" }, this.choice, this.confirm));
    this.on("click", (event) => {
      const cell = event.target.dataset?.cell;
      if (this.active && cell && this.snapshot?.legal.includes(cell)) this.play(cell);
    });
  }

  /** @param {Snapshot} snapshot @param {boolean} active */
  show(snapshot, active) {
    super.show(snapshot, active);
    this.choice.replaceChildren(...snapshot.legal.map((move) => h("option", {}, move)));
    this.choice.disabled = this.confirm.disabled = !active;
  }
}
