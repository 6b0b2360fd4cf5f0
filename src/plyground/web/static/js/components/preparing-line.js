/** A thin line that says that something is made ready, which happens at the first run only. */

import { h } from "../dom.js";

export class PreparingLine extends HTMLElement {
  constructor() {
    super();
    this.text = h("span", {});
    this.began = 0;
  }

  connectedCallback() {
    if (this.text.isConnected) return;
    this.setAttribute("role", "status");
    this.append(h("span", { class: "thread", "aria-hidden": "true" }), this.text);
  }

  /** @param {string} what empty: nothing is being prepared */
  show(what) {
    if (!what) {
      this.began = 0;
      this.hidden = true;
      return;
    }
    this.began ||= performance.now();
    const seconds = Math.floor((performance.now() - this.began) / 1000);
    const since = seconds > 1 ? `, ${seconds} s so far` : "";
    this.text.textContent = `Preparing ${what}, first run only${since}. No clock runs.`;
    this.hidden = false;
  }
}

customElements.define("preparing-line", PreparingLine);
