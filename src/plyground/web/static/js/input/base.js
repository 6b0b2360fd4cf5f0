/** How a person plays on a board. Each game has its own; this is what they share. */

/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("../components/game-board.js").GameBoard} GameBoard */
/** @typedef {import("../components/game-board.js").Place} Place */
/** @typedef {(move: string, judged?: boolean) => void} Play */

export class BoardInput {
  /**
   * @param {GameBoard} board
   * @param {Play} play
   * @param {HTMLElement} tray room for controls below the board
   */
  constructor(board, play, tray) {
    this.board = board;
    this.play = play;
    this.tray = tray;
    this.active = false;
    /** @type {Snapshot|null} */
    this.snapshot = null;
    this.ending = new AbortController();
    this.on("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
  }

  /**
   * Listen on the board until this input is removed.
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  on(type, listener) {
    this.board.addEventListener(type, listener, { signal: this.ending.signal });
  }

  /**
   * A new position. `active` when a person is to move in it.
   * @param {Snapshot} snapshot
   * @param {boolean} active
   */
  show(snapshot, active) {
    this.snapshot = snapshot;
    this.active = active;
    this.board.classList.toggle("active", active);
    this.board.setAttribute("aria-label", `Board: ${snapshot.board.caption}. ${this.help()}`);
  }

  /** What the keys do, for screen readers and the help line. */
  help() {
    return "Choose a move from the list below the board.";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    void event;
  }

  /**
   * Where a move happens on the board: to be played in the snapshot, or already `played` there.
   * @param {string} move
   * @param {Snapshot} snapshot
   * @param {boolean} [played]
   * @returns {Place}
   */
  placeOf(move, snapshot, played = false) {
    void [snapshot, played];
    const box = this.board.boxOf(move);
    return { boxes: box ? [box] : [] };
  }

  /** @param {string} move @returns {string} the move as lists show it */
  label(move) {
    return move;
  }

  destroy() {
    this.ending.abort();
    this.board.overlay.replaceChildren();
    this.board.classList.remove("active");
    this.tray.replaceChildren();
  }
}
