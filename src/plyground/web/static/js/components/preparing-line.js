/** A thin line that says that something is made ready, which happens at the first run only. */

import { h } from "../dom.js";
import { get } from "../net/api.js";

const POLL_MILLISECONDS = 700;

export class PreparingLine extends HTMLElement {
  constructor() {
    super();
    this.text = h("span", {});
    this.thread = h("span", { class: "thread", "aria-hidden": "true" });
    this.what = "";
    /** @type {ReturnType<typeof setInterval>|undefined} */
    this.timer = undefined;
  }

  connectedCallback() {
    if (this.text.isConnected) return;
    this.setAttribute("role", "status");
    this.hidden = !this.what;
    this.append(this.thread, this.text);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** @param {string} what empty: nothing is being prepared */
  show(what) {
    if (what === this.what) return;
    this.what = what;
    this.hidden = !what;
    clearInterval(this.timer);
    this.timer = undefined;
    if (!what) return;
    this.say(null);
    this.ask();
    this.timer = setInterval(() => this.ask(), POLL_MILLISECONDS);
  }

  async ask() {
    try {
      this.say(await get("/api/preparing"));
    } catch { /* the line goes on without figures */ }
  }

  /** @param {{label: string, done: number, total: number}|null} now what is being compiled */
  say(now) {
    if (!this.what) return;
    this.thread.classList.toggle("known", Boolean(now));
    this.thread.style.setProperty("--done", now ? `${Math.round((100 * now.done) / Math.max(1, now.total))}%` : "0%");
    this.title = now ? `compiling ${now.label}` : "";
    this.text.textContent = now
      ? `Preparing ${this.what}, first run only: ${now.done} of ${now.total} parts. No clock runs.`
      : `Loading ${this.what}. No clock runs.`;
  }
}

customElements.define("preparing-line", PreparingLine);
