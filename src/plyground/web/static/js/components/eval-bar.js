/** A bar that shows who is better: the first player's share of it. */

import { h } from "../dom.js";
import { forFirst, shortForFirst } from "../format.js";

/** @typedef {import("../types.js").ScoreView} ScoreView */

export class EvalBar extends HTMLElement {
  constructor() {
    super();
    this.fill = h("div", { class: "fill" });
    this.text = h("span", { class: "value" });
  }

  connectedCallback() {
    if (this.fill.isConnected) return;
    this.setAttribute("role", "meter");
    this.setAttribute("aria-label", "Evaluation for the first player");
    this.setAttribute("aria-valuemin", "-1");
    this.setAttribute("aria-valuemax", "1");
    this.append(this.fill, this.text);
    this.show(null);
  }

  /** @param {ScoreView|null} score */
  show(score) {
    const value = score ? forFirst(score) : 0;
    // Only a decided game fills the bar.
    const share = score?.exact ? 50 + 50 * value : 50 + 46 * value;
    this.fill.style.setProperty("--share", `${share}%`);
    this.setAttribute("aria-valuenow", value.toFixed(2));
    this.setAttribute("aria-valuetext", score ? score.text : "unknown");
    this.text.textContent = score ? shortForFirst(score).replace(/^([+-])(\d\.\d\d)$/, (_, sign, far) => sign + Number(far).toFixed(1)) : "";
    this.classList.toggle("low", value < 0);
    this.classList.toggle("unknown", !score);
  }
}

customElements.define("eval-bar", EvalBar);
