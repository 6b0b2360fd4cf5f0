/** Form fields for the options of a game or the parameters of an agent. */

import { h } from "../dom.js";

/** @typedef {import("../types.js").OptionInfo} OptionInfo */
/** @typedef {import("../types.js").Options} Options */

const BOARDS = ["random-2x2", "random-2x3", "random-3x3", "random-3x4", "random-4x4", "easy-2x2",
  "easy-3x3", "hard-3x3", "empty-2x2", "empty-2x3", "empty-3x3"];
/** @type {Record<string, string[]>} values offered for free texts */
const SUGGESTIONS = { board: BOARDS, pieces: ["0-46", "13-46"] };

export class OptionFields extends HTMLElement {
  constructor() {
    super();
    /** @type {OptionInfo[]} */
    this.options = [];
  }

  /** @param {OptionInfo[]} options */
  setOptions(options) {
    this.options = options;
    this.replaceChildren(...options.map((option) => this.field(option)));
  }

  /** @param {OptionInfo} option */
  field(option) {
    const name = `option-${option.name}`;
    const control = this.control(option, name);
    return h("label", { class: "field" },
      h("span", {}, option.name.replace("_", " ")), control, h("small", {}, option.help));
  }

  /** @param {OptionInfo} option @param {string} name */
  control(option, name) {
    if (option.choices.length) {
      return h("select", { name }, ...option.choices.map((choice) =>
        h("option", { selected: choice === option.default }, choice)));
    }
    if (typeof option.default === "boolean") {
      return h("input", { type: "checkbox", name, checked: option.default });
    }
    if (typeof option.default === "number") {
      return h("input", {
        type: "number", name, value: option.default, min: option.low, max: option.high, required: true,
        step: option.fractions ? "any" : "1",
      });
    }
    const input = h("input", { type: "text", name, value: option.default });
    const offered = SUGGESTIONS[option.name];
    if (!offered) return input;
    const list = h("datalist", { id: `${name}-list` }, ...offered.map((value) =>
      h("option", { value })));
    input.setAttribute("list", `${name}-list`);
    return h("span", { class: "with-list" }, input, list);
  }

  /** The values that differ from the defaults. @returns {Options} */
  get values() {
    /** @type {Options} */
    const found = {};
    for (const option of this.options) {
      const control = /** @type {HTMLInputElement|null} */ (
        this.querySelector(`[name="option-${option.name}"]`));
      if (!control) continue;
      const value = control.type === "checkbox" ? control.checked
        : control.type === "number" ? Number(control.value) : control.value;
      if (value !== option.default && value !== "") found[option.name] = value;
    }
    return found;
  }
}

customElements.define("option-fields", OptionFields);
