/** Form fields for the options of a game or the parameters of an agent. */

import { h } from "../dom.js";

/** @typedef {import("../types.js").OptionInfo} OptionInfo */
/** @typedef {import("../types.js").Options} Options */

/** The values that a number may have. @param {OptionInfo} option */
const range = ({ low, high }) => (typeof low === "number" && typeof high === "number" ? `, ${low} to ${high}` : "");

export class OptionFields extends HTMLElement {
  constructor() {
    super();
    /** @type {OptionInfo[]} */
    this.options = [];
  }

  /** @param {OptionInfo[]} options @param {Options} [values] other values than the defaults */
  setOptions(options, values = {}) {
    this.options = options;
    this.replaceChildren(...options.map((option) => this.field(option, values[option.name] ?? option.default)));
  }

  /** @param {OptionInfo} option @param {string|number|boolean} value */
  field(option, value) {
    const name = `option-${option.name}`;
    const control = this.control(option, name, value);
    return h("label", { class: "field" },
      h("span", {}, option.name.replace("_", " ")), control, h("small", {}, option.help + range(option)));
  }

  /** @param {OptionInfo} option @param {string} name @param {string|number|boolean} value */
  control(option, name, value) {
    if (option.choices.length) {
      return h("select", { name }, ...option.choices.map((choice) =>
        h("option", { selected: choice === value }, choice)));
    }
    if (typeof option.default === "boolean") {
      return h("input", { type: "checkbox", name, checked: value });
    }
    if (typeof option.default === "number") {
      return h("input", {
        type: "number", name, value, min: option.low, max: option.high, required: true,
        step: option.fractions ? "any" : "1",
      });
    }
    const input = h("input", { type: "text", name, value });
    if (!option.suggestions.length) return input;
    const list = h("datalist", { id: `${name}-list` }, ...option.suggestions.map((one) =>
      h("option", { value: one })));
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
