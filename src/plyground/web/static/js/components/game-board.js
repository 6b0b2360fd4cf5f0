/** A board: draws the shapes that the server sends, and layers for marks above them. */

import { s } from "../dom.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Shape} Shape */
/** @typedef {{x: number, y: number, w: number, h: number}} Box */
/** @typedef {{boxes: Box[], arrow?: [number, number, number, number]}} Place */

const MARGIN = 0.12;
const STYLES = /^[a-z-]+$/;

/** @param {Shape} shape */
function drawShape(shape) {
  const style = STYLES.test(shape.style) ? shape.style : "text";
  const paint = shape.stroke ? `k-${style}` : `s-${style}`;
  const cell = shape.cell || null;
  switch (shape.kind) {
    case "rect":
      return s("rect", {
        x: shape.x, y: shape.y, width: shape.width, height: shape.height,
        class: paint, "stroke-width": shape.stroke || null, "data-cell": cell,
      });
    case "circle":
      return s("circle", {
        cx: shape.x, cy: shape.y, r: shape.width / 2,
        class: paint, "stroke-width": shape.stroke || null, "data-cell": cell,
      });
    case "line":
      return s("line", {
        x1: shape.x, y1: shape.y, x2: shape.x + shape.width, y2: shape.y + shape.height,
        class: `k-${style}`, "stroke-width": shape.stroke || 0.03, "stroke-linecap": "round",
      });
    default: {
      const size = shape.height || 0.5;
      return s("text", {
        x: shape.x, y: shape.y + size * 0.35, "font-size": size, "text-anchor": "middle",
        class: `s-${style}`, "data-cell": cell,
      }, shape.text);
    }
  }
}

/** @param {Shape} a @param {Shape} b */
const same = (a, b) =>
  a.kind === b.kind && a.x === b.x && a.y === b.y && a.style === b.style && a.text === b.text &&
  a.width === b.width && a.height === b.height && a.stroke === b.stroke && a.cell === b.cell;

export class GameBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {Shape[]} */
    this.shapes = [];
    this.svg = /** @type {SVGSVGElement} */ (s("svg", { "aria-hidden": "true" }));
    this.base = s("g");
    this.heat = s("g", { class: "heat" });
    this.marks = s("g", { class: "marks" });
    this.overlay = s("g", { class: "overlay" });
    this.svg.append(this.base, this.heat, this.marks, this.overlay);
    this.spoken = document.createElement("p");
    this.spoken.className = "visually-hidden";
    this.spoken.setAttribute("aria-live", "polite");
  }

  connectedCallback() {
    if (this.svg.isConnected) return;
    this.tabIndex = 0;
    this.setAttribute("role", "application");
    this.append(this.svg, this.spoken);
  }

  /**
   * Draw a board; unchanged shapes stay as they are.
   * @param {Board} board
   * @param {string} game
   */
  draw(board, game) {
    const { width, height, shapes } = board;
    this.className = `game-${game}`;
    this.svg.setAttribute("viewBox",
      `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`);
    this.style.setProperty("--ratio", String(width / height));
    const nodes = this.base.childNodes;
    shapes.forEach((shape, index) => {
      const old = this.shapes[index];
      if (old && nodes[index] && same(old, shape)) return;
      const node = drawShape(shape);
      if (old && shape.cell && old.cell === shape.cell && old.style !== shape.style) {
        node.classList.add("fresh");
      }
      if (nodes[index]) nodes[index].replaceWith(node);
      else this.base.append(node);
    });
    while (nodes.length > shapes.length) nodes[nodes.length - 1].remove();
    this.shapes = shapes;
  }

  /** @param {string} text for screen readers, when something happened */
  say(text) {
    if (this.spoken.textContent !== text) this.spoken.textContent = text;
  }

  /**
   * Where an event happened, in cells.
   * @param {PointerEvent|MouseEvent} event
   */
  point(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return { x: -1, y: -1 };
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  }

  /**
   * The box around the shapes of a cell.
   * @param {string} cell
   * @returns {Box|null}
   */
  boxOf(cell) {
    const shape = this.shapes.find((one) => one.cell === cell && one.kind !== "text");
    if (!shape) return null;
    if (shape.kind === "circle") {
      const side = Math.max(shape.width, 1);
      return { x: shape.x - side / 2, y: shape.y - side / 2, w: side, h: side };
    }
    return { x: shape.x, y: shape.y, w: shape.width, h: shape.height };
  }

  /**
   * Mark places with a class: the last move, a hint.
   * @param {{place: Place, kind: string}[]} marks
   */
  mark(marks) {
    this.marks.replaceChildren(...marks.flatMap(({ place, kind }) => [
      ...place.boxes.map((box) => s("rect", {
        x: box.x + 0.05, y: box.y + 0.05, width: box.w - 0.1, height: box.h - 0.1,
        class: `mark-${kind}`, rx: 0.12,
      })),
      ...(place.arrow ? [drawArrow(place.arrow, `mark-${kind}`)] : []),
    ]));
  }

  /**
   * Colour places by value: -1 bad for the side to move, 1 good.
   * @param {{place: Place, value: number, label: string, best: boolean}[]} values
   */
  warm(values) {
    this.heat.replaceChildren(...values.flatMap(({ place, value, label, best }) => {
      const box = place.boxes[0];
      if (!box) return [];
      const tone = value > 0 ? "good" : value < 0 ? "bad" : "even";
      const strength = 0.25 + 0.5 * Math.min(1, Math.abs(value));
      return [
        s("rect", {
          x: box.x + 0.06, y: box.y + 0.06, width: box.w - 0.12, height: box.h - 0.12, rx: 0.14,
          class: `heat-${tone}${best ? " heat-best" : ""}`, "fill-opacity": strength,
        }),
        s("text", {
          x: box.x + box.w / 2, y: box.y + box.h / 2 + 0.1, "text-anchor": "middle",
          "font-size": label.length > 6 ? 0.19 : 0.25, class: "heat-label",
        }, label),
      ];
    }));
  }
}

/** @param {[number, number, number, number]} arrow @param {string} name */
function drawArrow([x1, y1, x2, y2], name) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const bx = x2 - 0.3 * ux, by = y2 - 0.3 * uy;
  return s("g", { class: `arrow ${name}` },
    s("line", { x1, y1, x2: bx, y2: by }),
    s("polygon", {
      points: `${x2},${y2} ${bx - 0.18 * uy},${by + 0.18 * ux} ${bx + 0.18 * uy},${by - 0.18 * ux}`,
    }));
}

customElements.define("game-board", GameBoard);
