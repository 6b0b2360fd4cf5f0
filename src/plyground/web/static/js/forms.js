/** What is wrong with a form, said in words at the field that it is about. */

import { sentence } from "./format.js";

/** @typedef {HTMLInputElement|HTMLSelectElement|HTMLTextAreaElement} Field */

/** What a field is called where one reads it. @param {Field} field */
const nameOf = (field) => field.closest("label")?.querySelector("span")?.textContent || field.getAttribute("aria-label") || field.name;

/** @param {Field} field */
function demand(field) {
  const { validity } = field;
  const { min, max } = /** @type {HTMLInputElement} */ (field);
  if (validity.rangeUnderflow) return `must be at least ${min}`;
  if (validity.rangeOverflow) return `must be at most ${max}`;
  if (validity.stepMismatch) return "must be a whole number";
  if (validity.valueMissing || validity.badInput) return field.type === "number" ? "must be a number" : "is missing";
  return field.validationMessage;
}

/**
 * The first field with a value that cannot be, and a sentence about it.
 * @param {HTMLElement} form
 * @returns {{field: Field, reason: string}|null}
 */
export function problemIn(form) {
  for (const field of /** @type {NodeListOf<Field>} */ (form.querySelectorAll("input, select, textarea"))) {
    // What is hidden, or belongs to another button of the form, does not count.
    const apart = field.closest("[hidden], [data-apart]");
    if (field.validity.valid || (apart && apart !== form && form.contains(apart))) continue;
    return { field, reason: sentence(`${nameOf(field)} ${demand(field)}`) };
  }
  return null;
}

/** Show a field as wrong: what it is folded into opens, and it gets the focus. @param {Field} field */
export function pointOut(field) {
  for (let folded = field.closest("details"); folded; folded = folded.parentElement?.closest("details") ?? null) folded.open = true;
  field.setAttribute("aria-invalid", "true");
  field.focus();
}

/** Nothing is wrong any more. @param {HTMLElement} form */
export function clearProblems(form) {
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}
