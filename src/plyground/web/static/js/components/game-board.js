/** A board: draws the shapes that the server sends, and layers for marks above them. */

import { h, s } from "../dom.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Shape} Shape */
/** @typedef {{x: number, y: number, w: number, h: number}} Box */
/** @typedef {{boxes: Box[], arrow?: [number, number, number, number], value?: {x: number, y: number},
 *   text?: string, part?: number, tag?: {x: number, y: number}, where?: string}} Place `part` is the number of
 *   the piece that a move of a turn places, `tag` where that piece lies, `where` the name of the place */
/** @typedef {{place: Place, value: number, label: string, best: boolean}} Warmth */

const MARGIN = 0.12;
const STYLES = /^[a-z-]+$/;
/** How far an arrow bends, at most and as a share of its length: arrows along a row stay apart. */
const BEND = 0.9, BEND_SHARE = 0.24;
/** By how much an arrow with a value ends before the middle of its place. Where another move to that place has its
 * ring, the arrow ends outside the ring, and its value stands so far above. */
const ARROW_SHORT = 0.22, ARROW_OUTSIDE = 0.46, ARROW_VALUE = 0.71;
const ARROWS = 3;
const FLASH_MILLISECONDS = 700;
const DESCRIBE_MILLISECONDS = 120;

/** @param {Shape} shape */
function drawShape(shape) {
  const style = STYLES.test(shape.style) ? shape.style : "text";
  const paint = shape.stroke ? `k-${style}` : `s-${style}`;
  const cell = shape.cell || null;
  switch (shape.kind) {
    case "rect":
      return s("rect", {
        x: shape.x, y: shape.y, width: shape.width, height: shape.height, rx: shape.radius || null,
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
    /** @type {Map<string, string>} what is written in the cells */
    this.texts = new Map();
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.describing = undefined;
    /** @type {Map<string, number>} who placed what, by cell */
    this.owned = new Map();
    /** @type {((shape: Shape, old: Shape) => {x: number, y: number}|null)|null} */
    this.arrival = null;
    /** whether what no player has placed was given at the start */
    this.knowsOwners = false;
    /** @type {string[]} */
    this.names = [];
    this.described = "";
    this.picture = false;
    this.foot = 0;
    this.size = { width: 1, height: 1 };
    this.svg = /** @type {SVGSVGElement} */ (s("svg", { "aria-hidden": "true" }));
    this.base = s("g");
    this.heat = s("g", { class: "heat" });
    this.marks = s("g", { class: "marks" });
    this.overlay = s("g", { class: "overlay" });
    this.effects = s("g", { class: "effects" });
    this.svg.append(this.base, this.heat, this.marks, this.overlay, this.effects);
    this.spoken = h("p", { class: "visually-hidden", "aria-live": "polite" });
    this.table = h("table", {});
    this.hiddenTable = h("div", { class: "visually-hidden board-table" }, this.table);
  }

  connectedCallback() {
    // Beside the board: what lies in an application cannot be read cell by cell.
    if (!this.picture) this.after(this.hiddenTable);
    if (this.svg.isConnected) return;
    if (this.picture) {
      this.append(this.svg);
      return;
    }
    this.tabIndex = 0;
    this.setAttribute("role", "application");
    this.append(this.svg, this.spoken);
  }

  disconnectedCallback() {
    this.hiddenTable.remove();
  }

  /** A picture only: no focus, no table for screen readers. @param {string} label */
  asPicture(label) {
    this.picture = true;
    this.setAttribute("role", "img");
    this.setAttribute("aria-label", label);
  }

  /**
   * Draw a board; unchanged shapes stay as they are.
   * @param {Board} board
   */
  draw(board) {
    const { width, height, shapes } = board;
    this.size = { width, height };
    this.fit();
    const nodes = this.base.childNodes;
    const grown = this.shapes.length === shapes.length;
    shapes.forEach((shape, index) => {
      const old = this.shapes[index];
      if (old && nodes[index] && same(old, shape)) return;
      const node = drawShape(shape);
      if (grown && old && shape.cell && old.cell === shape.cell) this.appear(node, shape, old);
      if (nodes[index]) nodes[index].replaceWith(node);
      else this.base.append(node);
    });
    while (nodes.length > shapes.length) nodes[nodes.length - 1].remove();
    this.shapes = shapes;
    this.texts = new Map(shapes.filter((shape) => shape.kind === "text" && shape.cell)
      .map((shape) => [shape.cell, shape.text]));
    this.own(this.owned);
  }

  /** Room below the board, in cells. @param {number} foot */
  setFoot(foot) {
    this.foot = foot;
    this.fit();
  }

  fit() {
    const { width, height } = this.size;
    const box = { width: width + 2 * MARGIN, height: height + this.foot + 2 * MARGIN };
    this.svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${box.width} ${box.height}`);
    const ratio = String(box.width / box.height);
    this.style.setProperty("--ratio", ratio);
    const layout = /** @type {HTMLElement|null} */ (this.closest(".game-layout"));
    layout?.style.setProperty("--ratio", ratio);
  }

  /** @param {SVGElement} node @param {Shape} shape @param {Shape} old */
  appear(node, shape, old) {
    const changed = old.style !== shape.style || (old.text !== shape.text && shape.text !== "");
    if (!changed) return;
    if (old.style === "filled" && shape.style !== "filled") {
      const ghost = drawShape({ ...old, cell: "" });
      ghost.classList.add("vanish");
      const delay = 12 * ((old.x % 9) + (old.y % 9));
      ghost.style.setProperty("--delay", `${delay}ms`);
      this.effects.append(ghost);
      setTimeout(() => ghost.remove(), 420 + delay);
      return;
    }
    const from = this.arrival?.(shape, old);
    if (from) this.fall(shape, old, from);
    else node.classList.add("fresh");
  }

  /** A shape comes to its place above all others. @param {Shape} shape @param {Shape} old @param {{x: number, y: number}} from */
  fall(shape, old, from) {
    const milliseconds = Math.round(80 + 70 * Math.sqrt(Math.abs(from.y) + Math.abs(from.x)));
    const below = drawShape({ ...old, cell: "" });
    const moving = drawShape({ ...shape, cell: "" });
    moving.style.setProperty("--dx", `${from.x}px`);
    moving.style.setProperty("--dy", `${from.y}px`);
    moving.style.setProperty("--fall", `${milliseconds}ms`);
    moving.classList.add("arrives");
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.effects.append(below, moving);
    setTimeout(() => {
      below.remove();
      moving.remove();
    }, milliseconds);
  }

  /**
   * Colour what players have placed, and write the table for screen readers.
   * @param {Map<string, number>} owners seats by cell
   * @param {string[]} [names] of the players
   */
  own(owners, names = this.names ?? []) {
    this.owned = owners;
    this.names = names;
    const nodes = this.base.childNodes;
    this.shapes.forEach((shape, index) => {
      const seat = owners.get(shape.cell);
      const node = /** @type {SVGElement} */ (nodes[index]);
      if (!shape.cell || !node?.classList) return;
      const given = owners.size > 0 || this.knowsOwners;
      node.classList.toggle("by-0", seat === 0 && shape.kind === "text");
      node.classList.toggle("by-1", seat === 1 && shape.kind === "text");
      node.classList.toggle("is-given", Boolean(given) && seat === undefined && shape.kind === "rect" &&
        this.textOf(shape.cell) !== "");
    });
    // Nobody reads a table that changes many times a second.
    clearTimeout(this.describing);
    this.describing = setTimeout(() => this.describeCells(), DESCRIBE_MILLISECONDS);
  }

  /** @param {string} cell @returns {string} the text that stands there */
  textOf(cell) {
    return this.texts.get(cell) ?? "";
  }

  /** Cells row by row, each with what stands there and who placed it. */
  describeCells() {
    if (!this.table.isConnected) return;
    /** @type {Map<number, Shape[]>} */
    const rows = new Map();
    for (const shape of this.shapes) {
      if (!shape.label) continue;
      const row = Math.round(shape.y * 2);
      rows.set(row, [...(rows.get(row) ?? []), shape]);
    }
    const ordered = [...rows.entries()].sort(([a], [b]) => a - b).map(([, shapes]) => shapes);
    const texts = ordered.map((shapes) => shapes.sort((a, b) => a.x - b.x).map((shape) => {
      const seat = this.owned.get(shape.cell);
      const filled = this.textOf(shape.cell) !== "";
      const who = seat !== undefined && filled ? `, placed by ${this.names?.[seat] ?? `player ${seat + 1}`}`
        : filled && (this.knowsOwners || this.owned.size) ? ", given" : "";
      return shape.label + who;
    }));
    const key = texts.flat().join("|");
    if (key === this.described) return;
    this.described = key;
    this.table.replaceChildren(h("caption", {}, "Board"), h("tbody", {}, ...texts.map((row) =>
      h("tr", {}, ...row.map((text) => h("td", {}, text))))));
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
   * Mark places with a class: the last move, a hint, a better move. The parts of one have a number and a
   * colour each, beside their cells and where their piece lies.
   * @param {{place: Place, kind: string, part?: number}[]} marks
   */
  mark(marks) {
    this.marks.replaceChildren(...marks.flatMap(({ place, kind, part }) => [
      ...place.boxes.map((box) => s("rect", {
        x: box.x + 0.05, y: box.y + 0.05, width: box.w - 0.1, height: box.h - 0.1,
        class: `mark-${kind}${part ? ` part-${part}` : ""}`, rx: 0.12,
      })),
      ...(place.arrow ? [drawArrow(place.arrow, `mark-${kind}`)] : []),
      ...(place.text && place.boxes[0] ? [s("text", {
        x: place.boxes[0].x + 0.5, y: place.boxes[0].y + (place.text.length > 1 ? 0.6 : 0.71), "text-anchor": "middle",
        "font-size": Math.min(0.6, 1.3 / place.text.length), class: `mark-text text-${kind}`,
      }, place.text)] : []),
      ...(part && place.boxes[0] ? [badge(middle(place.boxes[0]), part)] : []),
      ...(part && place.tag ? [badge(place.tag, part, "tag")] : []),
    ]));
  }

  /** Let cells flash, because something stands against a move. @param {string[]} cells */
  flash(cells) {
    for (const cell of cells) {
      const box = this.boxOf(cell);
      if (!box) continue;
      const node = s("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 0.1, class: "conflict" });
      this.effects.append(node);
      setTimeout(() => node.remove(), FLASH_MILLISECONDS);
    }
  }

  /** A short text that rises from a place: points. @param {Box} box @param {string} text */
  pop(box, text) {
    const node = s("text", {
      x: box.x + box.w / 2, y: box.y + box.h / 2, "text-anchor": "middle", "font-size": 0.62, class: "points-pop",
    }, text);
    this.effects.append(node);
    setTimeout(() => node.remove(), 1100);
  }

  /**
   * Show the value of moves: -1 bad for the side to move, 1 good. Best first; of moves that are
   * arrows only the first few are drawn.
   * @param {Warmth[]} values
   */
  warm(values) {
    const ring = values.find((entry) => entry.best && entry.place.value)?.place.boxes[0];
    const drawn = values.filter((entry) => entry.place.arrow).slice(0, ARROWS);
    this.heat.replaceChildren(...values.filter((entry) => !entry.place.arrow).flatMap(warmCell),
      ...drawn.flatMap((entry) => {
        const [box] = entry.place.boxes;
        return warmArrow(entry, Boolean(ring && box && ring.x === box.x && ring.y === box.y));
      }));
  }
}

/** @param {number} value */
const tone = (value) => (value > 0.02 ? "good" : value < -0.02 ? "bad" : "even");

/** @param {Warmth} warmth @returns {SVGElement[]} */
function warmCell({ place, value, label, best }) {
  const box = place.boxes[0];
  if (!box) return [];
  const fill = `heat-${tone(value)}`;
  if (place.value) {
    const { x, y } = place.value;
    return [s("g", { class: `value-chip ${best ? "best" : ""}` },
      s("rect", { x: x - 0.44, y: y - 0.19, width: 0.88, height: 0.38, rx: 0.13, class: fill }),
      s("text", {
        x, y: y + 0.085, "text-anchor": "middle", "font-size": Math.min(0.25, 1.15 / label.length),
        class: "heat-label",
      }, label)),
    ...(best ? [s("circle", { cx: box.x + 0.5, cy: box.y + 0.5, r: 0.43, class: "best-ring" })] : [])];
  }
  return [
    ...(label ? [s("rect", {
      x: box.x + 0.1, y: box.y + 0.24, width: box.w - 0.2, height: box.h - 0.48, rx: 0.14, class: fill,
    })] : []),
    ...(best ? [s("rect", {
      x: box.x + 0.05, y: box.y + 0.05, width: box.w - 0.1, height: box.h - 0.1, rx: 0.14, class: "best-ring",
    })] : []),
    ...(label ? [s("text", {
      x: box.x + box.w / 2, y: box.y + box.h / 2 + 0.1, "text-anchor": "middle",
      "font-size": Math.min(0.28, 1.15 / label.length), class: "heat-label",
    }, label)] : []),
  ];
}

/**
 * An arrow with its value where it ends, or above that place.
 * @param {Warmth} warmth
 * @param {boolean} above
 * @returns {SVGElement[]}
 */
function warmArrow({ place, value, label, best }, above) {
  const arrow = /** @type {[number, number, number, number]} */ (place.arrow);
  const drawn = drawArrow(arrow, `arrow-${tone(value)} ${best ? "best" : ""}`, above ? ARROW_OUTSIDE : ARROW_SHORT);
  const [, , x, end] = arrow;
  const y = !above ? end : end - ARROW_VALUE < 0 ? end + ARROW_VALUE : end - ARROW_VALUE;
  if (label) {
    drawn.append(s("rect", { x: x - 0.38, y: y - 0.19, width: 0.76, height: 0.38, rx: 0.14, class: `heat-${tone(value)}` }),
      s("text", { x, y: y + 0.075, "text-anchor": "middle", "font-size": Math.min(0.24, 1 / label.length), class: "heat-label" }, label));
  }
  return [drawn];
}

/** @param {Box} box */
const middle = (box) => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 });

/** @param {{x: number, y: number}} at @param {number} part @param {string} [more] */
function badge({ x, y }, part, more = "") {
  return s("g", { class: `badge part-${part} ${more}` },
    s("circle", { cx: x, cy: y, r: 0.3 }),
    s("text", { x, y: y + 0.13, "text-anchor": "middle", "font-size": 0.38 }, String(part)));
}

/**
 * An arrow that bends upwards. @param {[number, number, number, number]} arrow @param {string} name
 * @param {number} [short] by how much it ends before its end
 */
function drawArrow([x1, y1, x2, y2], name, short = 0) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  // One that goes left bends more: two that go to and fro stay apart.
  const bend = x2 < x1 ? Math.min(1.5 * BEND, 2 * BEND_SHARE * length) : -Math.min(BEND, BEND_SHARE * length);
  const mx = (x1 + x2) / 2 - (bend * (y1 - y2)) / length, my = (y1 + y2) / 2 - (bend * (x1 - x2)) / length;
  const last = Math.hypot(x2 - mx, y2 - my) || 1;
  const ux = (x2 - mx) / last, uy = (y2 - my) / last;
  const tx = x2 - short * ux, ty = y2 - short * uy;
  const bx = tx - 0.3 * ux, by = ty - 0.3 * uy;
  return s("g", { class: `arrow ${name}` },
    s("path", { d: `M${x1},${y1} Q${mx},${my} ${bx},${by}` }),
    s("polygon", {
      points: `${tx},${ty} ${bx - 0.18 * uy},${by + 0.18 * ux} ${bx + 0.18 * uy},${by - 0.18 * ux}`,
    }));
}

customElements.define("game-board", GameBoard);
