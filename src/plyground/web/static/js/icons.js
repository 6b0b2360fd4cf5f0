/** Icons as paths on a square of 24, drawn with the colour of the text. */

import { button, s } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.8 1-2.5A6 6 0 0 0 12 3Z",
  flag: "M5 21V4M5 4h11l-2 4 2 4H5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  help: "M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17.5h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  review: "M4 19V5M4 19h16M8 14l3-4 3 3 5-7",
  analyse: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1",
  save: "M12 4v11M7 10l5 5 5-5M5 20h14",
  again: "M4 12a8 8 0 1 0 3-6.2M4 4v4h4",
  swap: "M7 4 3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
  fork: "M6 4v16M6 12c6 0 12-2 12-8M15 6l3-3 3 3",
  first: "M6 5v14M18 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z", forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z", play: "M7 4l13 8-13 8z", pause: "M8 5v14M16 5v14",
  step: "M3 12h11M10 8l4 4-4 4M19.5 12h.01", close: "M6 6l12 12M18 6 6 18", edit: "M4 20l1-5L16 4l4 4L9 19z",
  new: "M12 5v14M5 12h14", tree: "M12 4v6M12 10l-6 5v5M12 10l6 5v5M12 10v10",
};

/** @param {string} name */
export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "glyph" }, s("path", { d: PATHS[name] }));

/**
 * A button that shows an icon; its name is for screen readers and the pointer.
 * @param {string} shape
 * @param {string} label
 * @param {(event: Event) => void} action
 * @param {Record<string, any>} [attributes]
 */
export function iconButton(shape, label, action, attributes = {}) {
  const made = button("", action, { class: "icon", "aria-label": label, title: label, ...attributes });
  made.append(icon(shape));
  return made;
}
