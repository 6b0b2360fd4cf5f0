/** One player beside the board: name, clock, points, whether it thinks. */

import { h } from "../dom.js";
import { clockText } from "../format.js";

const SHOWN_SECONDS = 0.05;

export class PlayerStrip extends HTMLElement {
  constructor() {
    super();
    this.dot = h("span", { class: "dot", "aria-hidden": "true" });
    this.name = h("span", { class: "name" });
    this.state = h("span", { class: "state" });
    this.points = h("span", { class: "points" });
    this.clock = h("time", { class: "clock" });
  }

  connectedCallback() {
    if (!this.dot.isConnected) this.append(this.dot, this.name, this.state, this.points, this.clock);
  }

  /**
   * @param {{name: string, seat: number, turn: boolean, thinking: boolean, points: string,
   *   used: number}} player
   */
  show(player) {
    this.dot.className = `dot seat-${player.seat}`;
    this.name.textContent = player.name;
    this.state.textContent = player.thinking ? "thinking" : "";
    this.points.textContent = player.points;
    // Who answers at once has no clock to look at.
    this.clock.textContent = player.used < SHOWN_SECONDS ? "" : clockText(player.used);
    this.clock.title = "time used so far";
    this.classList.toggle("turn", player.turn);
  }
}

customElements.define("player-strip", PlayerStrip);
