/** Short messages at the edge of the page; errors from the server end up here. */

import { h } from "../dom.js";
import { sentence } from "../format.js";
import { listen } from "../net/socket.js";

const SECONDS = 5;

class ToastArea extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "status");
    this.setAttribute("aria-live", "polite");
    document.addEventListener("toast", (event) => {
      const { text, kind } = /** @type {CustomEvent} */ (event).detail;
      this.show(text, kind);
    });
    listen("error", (message) => this.show(message.message, "error"));
  }

  /** @param {string} text @param {string} kind */
  show(text, kind) {
    this.querySelector(`.${kind}`)?.remove();
    if (!text) return;
    const note = h("div", { class: `toast ${kind}` }, sentence(text));
    this.append(note);
    setTimeout(() => note.remove(), SECONDS * 1000);
  }
}

customElements.define("toast-area", ToastArea);
