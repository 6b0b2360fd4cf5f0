/** Small helpers to build elements. */

import { sentence } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Keys that begin with `on` are listeners; `class`, `data-*`, `aria-*` and other
 * names are attributes (`true` sets an empty one, `false` and null leave it out).
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

/**
 * A custom element or any other by its name.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @returns {any}
 */
export function custom(tag, attributes = {}) {
  const element = document.createElement(tag);
  set(element, attributes);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  set(element, attributes);
  append(element, children);
  return element;
}

/** @param {Element} element @param {Record<string, any>} attributes */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Element} element @param {(Node|string|null|undefined|false)[]} children */
function append(element, children) {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/**
 * A button.
 * @param {string} label
 * @param {(event: Event) => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(label, action, attributes = {}) {
  return h("button", { type: "button", onclick: action, ...attributes }, label);
}

/**
 * Show a short message at the edge of the page; it takes the place of the last one of its kind.
 * @param {string} text empty: nothing is to be said any more
 * @param {"info"|"error"} [kind]
 */
export function toast(text, kind = "info") {
  document.dispatchEvent(new CustomEvent("toast", { detail: { text, kind } }));
}

/**
 * Ask a question before something that cannot be taken back.
 * @param {string} question
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function ask(question, yes, no) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "question", "aria-label": question },
      h("form", { method: "dialog" }, h("p", {}, question),
        h("div", { class: "row" },
          h("button", { class: "primary", value: "yes" }, yes), h("button", { value: "" }, no))));
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes");
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Let somebody pick one of many things, each with a picture where it has one.
 * @param {string} title
 * @param {{name: string, label: string, picture: Node|null}[]} choices
 * @returns {Promise<string>} the name of the choice; empty if none was made
 */
export function pickOne(title, choices) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "rules", "aria-label": title },
      h("form", { method: "dialog" }, h("h2", {}, title), h("div", { class: "choices" },
        ...choices.map((one) => h("button", { value: one.name, "aria-label": one.label, title: one.label },
          one.picture ?? one.label)))));
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue);
      dialog.remove();
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * The screen of something that is not there, with a way on.
 * @param {string} heading
 * @param {string} reason
 * @param {string} [address]
 * @param {string} [label]
 */
export function lostScreen(heading, reason, address = "/", label = "To the games") {
  document.title = "Not found – plyground";
  return h("section", { class: "lost" }, h("h1", {}, heading), h("p", {}, sentence(reason)),
    h("div", { class: "row" }, h("a", { class: "button primary", href: address }, label)));
}

/** A screen that could not be loaded, with another try. @param {unknown} error @param {string} [heading] */
export function failedScreen(error, heading = "This did not load") {
  return h("section", { class: "lost" }, h("h1", {}, heading), h("p", { role: "alert" }, sentence(String(/** @type {Error} */ (error).message))),
    h("div", { class: "row" }, h("a", { class: "button primary", href: location.pathname + location.search }, "Try again")));
}

/** What tells, after a wait, whether its screen is still the one that is shown. @returns {() => boolean} */
export function whileShown() {
  const screen = document.querySelector("main > *");
  return () => screen?.isConnected ?? true;
}

/**
 * Go to another address of this page.
 * @param {string} address
 * @param {boolean} [replace]
 */
export function navigate(address, replace = false) {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  if (!replace) document.dispatchEvent(new CustomEvent("navigate"));
}
