/** Slider and buttons to go through a game. Arrow keys work anywhere outside the board. */

import { h } from "../dom.js";
import { icon, iconButton } from "../icons.js";

const STEP_MILLISECONDS = 700;

export class ReplayBar extends HTMLElement {
  constructor() {
    super();
    this.ply = 0;
    this.last = 0;
    /** @type {(ply: number) => void} */
    this.onchoose = () => {};
    /** @type {ReturnType<typeof setInterval>|null} */
    this.timer = null;
    this.ending = new AbortController();
    this.slider = h("input", {
      type: "range", min: "0", max: "0", value: "0", step: "1", "aria-label": "Position in the game",
      oninput: () => this.choose(Number(this.slider.value)),
    });
    this.playing = iconButton("play", "Play through the game", () => this.toggle(), { "aria-pressed": "false" });
    this.count = h("output", { class: "count" }, "0 / 0");
  }

  connectedCallback() {
    if (this.slider.isConnected) return;
    const step = (/** @type {string} */ shape, /** @type {string} */ label, /** @type {() => number} */ to) =>
      iconButton(shape, label, () => this.choose(to()));
    this.append(
      step("first", "First position", () => 0), step("back", "One move back", () => this.ply - 1),
      this.playing,
      step("forward", "One move forward", () => this.ply + 1),
      step("last", "Latest position", () => this.last), this.slider, this.count);
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.ending.signal });
  }

  disconnectedCallback() {
    this.ending.abort();
    this.halt();
  }

  /** @param {number} ply @param {number} last */
  show(ply, last) {
    this.ply = ply;
    this.last = last;
    this.slider.max = String(last);
    this.slider.value = String(ply);
    this.count.textContent = `${ply} / ${last}`;
  }

  /** @param {number} ply */
  choose(ply) {
    this.onchoose(Math.max(0, Math.min(this.last, ply)));
  }

  toggle() {
    if (this.timer) {
      this.halt();
      return;
    }
    if (this.ply >= this.last) this.choose(0);
    this.timer = setInterval(() => {
      if (this.ply >= this.last) this.halt();
      else this.choose(this.ply + 1);
    }, STEP_MILLISECONDS);
    this.playing.setAttribute("aria-pressed", "true");
    this.playing.replaceChildren(icon("pause"));
  }

  halt() {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.playing.setAttribute("aria-pressed", "false");
    this.playing.replaceChildren(icon("play"));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || target.closest?.("input, select, textarea") ||
        event.ctrlKey || event.metaKey || event.altKey) return;
    const board = target.closest?.("game-board");
    if (board?.classList.contains("active")) return;
    if (event.key === "ArrowLeft") this.choose(this.ply - 1);
    else if (event.key === "ArrowRight") this.choose(this.ply + 1);
    else if (event.key === "Home") this.choose(0);
    else if (event.key === "End") this.choose(this.last);
    else return;
    event.preventDefault();
  }
}

customElements.define("replay-bar", ReplayBar);
