/** The analysis board: any position, pasted, painted or played, searched live, with variations. */

import { button, custom, failedScreen, h, lostScreen, navigate, pickOne, toast } from "../dom.js";
import { sentence, turnText } from "../format.js";
import { icon, iconButton } from "../icons.js";
import { makeInput } from "../input/index.js";
import { catalog, get, namedGame, post } from "../net/api.js";
import { readSnapshot } from "../state/game.js";
import { TreeNode } from "../state/tree.js";
import { showRules } from "./rules-card.js";
import { showTree } from "./tree-view.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../types.js").GameInfo} GameInfo */

const PREPARING_MILLISECONDS = 400;
/** Addresses longer than this are cut off by programs that pass them on: they carry no variations. */
const LONGEST_ADDRESS = 6000;
/** What stands between the moves of a game as people and this page write them: `Start 1. 4 2. 4`. */
const NUMBERS = /^\s*Start(?=\s)|(?<=^|\s)\d+\.+(?=\s)/g;

export class AnalyseScreen extends HTMLElement {
  constructor() {
    super();
    this.parameters = new URLSearchParams();
    /** @type {TreeNode|null} */
    this.root = null;
    /** @type {TreeNode|null} */
    this.current = null;
    /** @type {import("../input/base.js").BoardInput|null} */
    this.input = null;
    this.brush = "";
    /** how many positions were set up */
    this.settings = 0;
    this.seed = 0;
    this.ending = new AbortController();
  }

  async connectedCallback() {
    document.title = "Analyse – plyground";
    try {
      this.games = await catalog();
    } catch (error) {
      this.append(failedScreen(error));
      return;
    }
    const seed = this.parameters.get("seed") ?? "";
    this.seed = /^\d{1,9}$/.test(seed) ? Number(seed) : Math.floor(Math.random() * 1e6);
    const wanted = this.parameters.get("game") ?? this.games[0].name;
    this.info = namedGame(this.games, wanted);
    if (!this.info) {
      this.append(lostScreen("This game is not here", `There is no game “${wanted}”`, "/analyse", "To the analysis board"));
      return;
    }
    this.select = h("select", { class: "game", "aria-label": "Game", onchange: () => this.change() },
      ...this.games.map((game) => h("option", {
        value: game.name, selected: game === this.info,
      }, game.title)));
    this.field = h("textarea", {
      rows: "2", "aria-label": "Position", spellcheck: "false",
      placeholder: "paste a position or moves; empty: the start of the game",
    });
    this.wrong = h("p", { class: "bad wrong", role: "alert" });
    this.options = custom("option-fields");
    this.board = custom("game-board");
    this.tray = h("div", { class: "tray" });
    this.bar = custom("eval-bar");
    this.analysis = custom("analysis-panel");
    this.tree = custom("move-tree");
    this.tree.onchoose = (/** @type {TreeNode} */ node) => this.go(node);
    this.status = h("p", { class: "game-status", role: "status" });
    this.brushes = h("div", { class: "brushes", role: "radiogroup", "aria-label": "Put on the board", hidden: true });
    this.edit = iconButton("edit", "Edit the position (E)", () => this.toggleEdit(), { "aria-pressed": "false" });
    const playOn = button("", () => this.playOn());
    playOn.append(icon("fork"), "Play from here");
    this.append(h("div", { class: "game-layout" },
      h("section", { class: "board-column", "aria-label": "Board" },
        h("div", { class: "board-row" }, this.bar, this.board)),
      h("div", { class: "tray-column" }, this.brushes, this.tray),
      h("aside", { class: "side", "aria-label": "Analysis" },
        h("div", { class: "panel head" },
          h("h1", { class: "visually-hidden" }, "Analysis"),
          h("div", { class: "row spread titles" }, this.select, playOn),
          this.status,
          h("div", { class: "icons" },
            iconButton("first", "Start (Home)", () => this.root && this.go(this.root)),
            iconButton("back", "Back (←)", () => this.current?.parent && this.go(this.current.parent)),
            iconButton("forward", "Forward (→)", () => this.current?.children[0] && this.go(this.current.children[0])),
            iconButton("last", "End (End)", () => this.current && this.go(this.current.end)),
            this.edit, iconButton("tree", "Search tree", () => this.openTree()),
            iconButton("link", "Copy a link with all variations", () => this.copyLink()),
            iconButton("help", "Rules and keys (?)", () => this.info && showRules(this.info)))),
        h("div", { class: "panel analysis-box" }, this.analysis),
        h("div", { class: "panel moves" }, this.tree),
        h("details", { class: "panel position-box" }, h("summary", {}, "Position and options"),
          h("label", { class: "field" }, h("span", {}, "position or moves"), this.field), this.wrong,
          h("div", { class: "row" }, button("Set up", () => this.read())), this.options))));
    this.analysis.board = this.board;
    this.analysis.bar = this.bar;
    this.analysis.onmove = (/** @type {string} */ move) => this.play(move);
    this.analysis.online = (/** @type {string[]} */ line) => this.playLine(line);
    this.field.addEventListener("paste", () => setTimeout(() => this.read(), 0));
    this.options.addEventListener("change", () => this.read());
    this.board.addEventListener("click", (/** @type {Event} */ event) => this.paint(event),
      { capture: true, signal: this.ending.signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.ending.signal });
    /** @type {any} */
    let given = {};
    try {
      given = JSON.parse(this.parameters.get("options") ?? "{}");
    } catch {
      toast("The options in this link cannot be read; the usual ones are used.", "error");
    }
    this.options.setOptions(this.info.options, given);
    const position = this.parameters.get("position") ?? "";
    const waiting = setTimeout(() => this.sketch(position), PREPARING_MILLISECONDS);
    // Asked for while the input of the game is loaded; whatever goes wrong is told where it is set up.
    const answer = this.ask(position);
    answer.catch(() => {});
    await this.useGame(given);
    await this.setUp(position, answer);
    clearTimeout(waiting);
    this.analysis.preparing.show("");
    this.analysis.switch(true);
    const line = (this.parameters.get("line") ?? "").split(";").filter(Boolean);
    if (line.length) await this.playLine(line);
    await this.readVariations();
  }

  /** The board alone, while the rules of the game are made ready. @param {string} position */
  async sketch(position) {
    this.analysis.preparing.show(this.info?.title ?? "");
    const usual = !position && !this.parameters.get("options");
    try {
      // The usual start is also that of the game on the home screen; it needs no rules at all.
      const seen = usual ? await get(`/api/pictures/${this.info?.name}`) : await post("/api/position", {
        game: this.info?.name, options: this.options.values, position, sketch: true,
      });
      if (!this.root) this.board.draw(readSnapshot(seen).board);
    } catch { /* what is wrong with the position is told once it is read */ }
  }

  /** The variations of a shared link, and the position in them that was looked at. */
  async readVariations() {
    const { root } = this;
    const text = this.parameters.get("tree");
    if (!root || !text) return;
    try {
      await this.grow(root, JSON.parse(text), []);
      let node = root;
      for (const step of (this.parameters.get("at") ?? "").split(".").filter(Boolean)) {
        node = node.children[Number(step)] ?? node;
      }
      this.go(node);
    } catch {
      toast("The variations in this link cannot be read; the position is there without them.", "error");
    }
  }

  /**
   * @param {TreeNode} node
   * @param {import("../state/tree.js").Written[]} variations
   * @param {string[]} before the moves from the root to the node
   */
  async grow(node, variations, before) {
    const root = this.root?.snapshot.text ?? "";
    // All at once: a position needs only the root and the moves that lead to it.
    const made = await Promise.all(variations.map(([move]) => this.ask(root, [...before, move])));
    await Promise.all(variations.map(([move, ...after], at) =>
      this.grow(node.add(move, made[at]), after, [...before, move])));
  }

  disconnectedCallback() {
    this.ending.abort();
    this.input?.destroy();
  }

  /** @param {import("../types.js").Options} [given] */
  async useGame(given = {}) {
    if (!this.info) return;
    this.input?.destroy();
    this.board.overlay.replaceChildren();
    this.board.mark([]);
    this.input = await makeInput(this.info, this.board, (move) => this.play(move), this.tray ?? h("div"));
    this.board.arrival = (/** @type {any} */ shape, /** @type {any} */ old) => this.input?.arrival(shape, old) ?? null;
    this.tree.label = (/** @type {string} */ move) => this.input?.label(move) ?? move;
    this.analysis.input = this.input;
    this.analysis.setGame(this.info);
    this.options.setOptions(this.info.options, given);
    this.bar.hidden = this.info.players === 1;
    this.toggleEdit(false);
  }

  async change() {
    this.info = this.games?.find((game) => game.name === this.select?.value) ?? this.info;
    if (this.field) this.field.value = "";
    await this.useGame();
    await this.setUp("");
  }

  /** @param {string} position @param {string[]} [moves] */
  async ask(position, moves = []) {
    return readSnapshot(await post("/api/position", {
      game: this.info?.name, options: this.options.values, position, moves, seed: this.seed,
    }));
  }

  /**
   * @param {string} position
   * @param {Promise<Snapshot>} [answer] what the server says of it
   * @param {(message: string) => void} [tell] where to say what is wrong with it
   */
  async setUp(position, answer = this.ask(position), tell = (message) => toast(message, "error")) {
    const turn = ++this.settings;
    try {
      const made = new TreeNode(await answer);
      if (turn !== this.settings) return; // something else was asked for meanwhile
      this.root = this.current = made;
    } catch (error) {
      if (turn === this.settings) tell(String(/** @type {Error} */ (error).message));
      if (this.root) return;
      const usual = await this.ask("").catch(() => {
        this.options.setOptions(this.info?.options ?? [], {}); // those of the link cannot be had
        return this.ask("");
      });
      this.root = this.current = new TreeNode(usual);
    }
    this.draw();
  }

  /** Set up what stands in the field: a game as its moves, or a position. */
  async read() {
    const text = this.field?.value.trim() ?? "";
    const moves = text ? this.input?.readMoves(text.replace(NUMBERS, " ")) ?? [] : [];
    this.wrong?.replaceChildren();
    let refused = "";
    // A game begins at the usual start, or else where the one on the board began.
    for (const start of moves.length ? ["", this.root?.snapshot.text ?? ""] : []) {
      try {
        const turn = ++this.settings;
        await this.ask(start, moves);
        if (turn !== this.settings) return;
        await this.setUp(start);
        await this.playLine(moves);
        return;
      } catch (error) {
        refused = String(/** @type {Error} */ (error).message);
      }
    }
    const tell = (/** @type {string} */ message) =>
      this.wrong?.replaceChildren(sentence(this.input?.tellsMoves && refused ? refused : message));
    await this.setUp(text, this.ask(text), tell);
  }

  /** @param {string} move */
  async play(move) {
    await this.playLine([move]);
  }

  /** Go along a line from the position on the board. @param {string[]} line */
  async playLine(line) {
    let node = this.current;
    try {
      for (const move of line) {
        if (!node) return;
        const known = node.children.find((child) => child.move === move);
        node = known ?? node.add(move, await this.ask(node.snapshot.text, [move]));
      }
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
    if (node) this.go(node);
  }

  /** @param {TreeNode} node */
  go(node) {
    this.current = node;
    this.draw();
  }

  async playOn() {
    const current = this.current?.snapshot;
    if (!current || !this.info) return;
    const seats = this.info.players === 1 ? [""] : ["", this.info.analyst];
    if (current.turn === 1) seats.reverse();
    try {
      const made = await post("/api/games", {
        game: this.info.name, options: this.options.values, position: current.text, seats,
      });
      navigate(`/play?game=${made.id}`);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }

  openTree() {
    const text = this.current?.snapshot.text;
    if (text === undefined || !this.info) return;
    showTree({ game: this.info.name, options: this.options.values, position: text, seed: this.seed },
      (move) => this.input?.label(move) ?? move, (line) => this.playLine(line));
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      toast("The link is in the clipboard.");
    } catch {
      toast("Copy the link from the address bar.");
    }
  }

  // Painting a position ------------------------------------------------------------------------

  /** @param {boolean} [on] */
  toggleEdit(on = !this.brush) {
    const known = this.input?.brushes() ?? [];
    this.brush = on ? known[0]?.name ?? "" : "";
    if (on && !known.length) toast("Positions of this game are set up as text.", "info");
    this.edit?.setAttribute("aria-pressed", String(Boolean(this.brush)));
    this.classList.toggle("editing", Boolean(this.brush));
    if (!this.brushes) return;
    this.brushes.hidden = !this.brush;
    this.brushes.replaceChildren(...(this.brush ? known : []).map((one) => {
      const made = button(one.label, () => {
        if (one.choices || one.name === "side" || one.name === "clear") {
          this.repaint("", one.name);
          return;
        }
        this.brush = one.name;
        for (const other of this.brushes?.children ?? []) other.setAttribute("aria-checked", String(other === made));
      }, { role: "radio", "aria-checked": String(one.name === this.brush) });
      return made;
    }));
    if (this.current) this.draw();
  }

  /** @param {Event} event a click on the board while a position is painted */
  paint(event) {
    if (!this.brush) return;
    event.stopPropagation();
    const point = this.board.point(event);
    const shape = [...this.board.shapes].reverse().find((/** @type {any} */ one) => {
      const box = one.cell && one.kind !== "text" ? this.board.boxOf(one.cell) : null;
      return box && point.x >= box.x && point.x < box.x + box.w && point.y >= box.y && point.y < box.y + box.h;
    });
    const slot = /** @type {any} */ (event.target).dataset?.cell;
    if (shape || slot) this.repaint(shape?.cell ?? slot, this.brush);
  }

  /** @param {string} cell @param {string} brush */
  async repaint(cell, brush) {
    const text = this.current?.snapshot.text;
    if (text === undefined || !this.input) return;
    const many = this.input.brushes().find((one) => one.choices && (one.name === cell || one.name === brush));
    const chosen = many ? await pickOne(many.label, many.choices ?? []) : brush;
    const painted = chosen ? this.input.paint(text, cell, chosen) : text;
    if (painted !== text) await this.setUp(painted);
  }

  draw() {
    const node = this.current;
    if (!node || !this.root || !this.info || !this.field || !this.status) return;
    const current = node.snapshot;
    this.board.draw(current.board);
    const moves = node.path().map((one) => ({ move: one.move, player: one.parent?.snapshot.turn ?? 0 }));
    this.board.own(this.input?.owners(moves) ?? new Map(), this.info.playerNames);
    this.input?.show(current, current.turn >= 0 && !this.brush);
    const brushes = this.brush ? this.input?.brushes() ?? [] : [];
    for (const [at, one] of brushes.entries()) this.brushes?.children[at]?.replaceChildren(one.label);
    const last = node.move && this.input ? this.input.placeOf(node.move, current, true, node.parent?.snapshot ?? null) : null;
    this.board.mark(last ? [{ place: last, kind: "last" }] : []);
    this.field.value = current.text;
    const how = this.brush ? "Click the board. " : "";
    this.status.textContent = how + turnText(this.info, current);
    this.tree.show(this.root, node);
    this.analysis.show(current, this.options.values);
    navigate(this.address(), true);
  }

  /** The address of what is shown: with all variations, unless they are too long for one. */
  address() {
    const { root, current, info } = this;
    const query = new URLSearchParams({ game: info?.name ?? "", position: current?.snapshot.text ?? "" });
    if (Object.keys(this.options.values).length) query.set("options", JSON.stringify(this.options.values));
    if (!root?.children.length || !current) return `/analyse?${query}`;
    const whole = new URLSearchParams(query);
    whole.set("position", root.snapshot.text);
    whole.set("tree", JSON.stringify(root.written()));
    whole.set("at", current.steps.join("."));
    if (info?.chance) whole.set("seed", String(this.seed));
    const address = `/analyse?${whole}`;
    return address.length > LONGEST_ADDRESS ? `/analyse?${query}` : address;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || target.closest?.("input, select, textarea, dialog") ||
        event.ctrlKey || event.metaKey || event.altKey || !this.current || !this.root) return;
    const onBoard = target.closest?.("game-board.active");
    const { current, root } = this;
    if (event.key === "?" && this.info) showRules(this.info);
    else if (event.key.toLowerCase() === "e" && !onBoard) this.toggleEdit();
    else if (onBoard) return;
    else if (event.key === "ArrowLeft") this.go(current.parent ?? current);
    else if (event.key === "ArrowRight") this.go(current.children[0] ?? current);
    else if (event.key === "Home") this.go(root);
    else if (event.key === "End") this.go(current.end);
    else return;
    event.preventDefault();
  }
}

customElements.define("analyse-screen", AnalyseScreen);
