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
    /** what is said of the clocks; an analysis beside a game stops none */
    this.clocks = " No clock runs.";
    /** What was compiled so far, by its name: parts that are done, and all of them. @type {Map<string, [number, number]>} */
    this.parts = new Map();
    this.began = 0;
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
    this.parts.clear();
    this.began = performance.now();
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
    // Several things are compiled at a time: what was seen of each is added up, so that it only grows.
    if (now) this.parts.set(now.label, [Math.max(now.done, this.parts.get(now.label)?.[0] ?? 0), now.total]);
    const known = [...this.parts.values()];
    const done = known.reduce((sum, one) => sum + one[0], 0);
    const total = known.reduce((sum, one) => sum + one[1], 0);
    this.thread.classList.toggle("known", total > 0);
    this.thread.style.setProperty("--done", `${Math.round((100 * done) / Math.max(1, total))}%`);
    this.title = now ? `compiling ${now.label}` : "";
    const seconds = Math.round((performance.now() - this.began) / 1000);
    this.text.textContent = total
      ? `Preparing ${this.what}, first run only: ${done} of ${total} parts, ${seconds} s.${this.clocks}`
      : `Loading ${this.what}.${this.clocks}`;
  }
}

customElements.define("preparing-line", PreparingLine);
