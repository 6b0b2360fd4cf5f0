/** One WebSocket for the whole page. It comes back by itself and joins its games again. */

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

class Socket extends EventTarget {
  constructor() {
    super();
    /** @type {WebSocket|null} */
    this.socket = null;
    /** @type {object[]} */
    this.waiting = [];
    /** @type {Map<string, object>} messages that are sent again after a reconnection */
    this.standing = new Map();
    this.pause = FIRST_PAUSE;
    this.connected = false;
  }

  open() {
    if (this.socket) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.pause = FIRST_PAUSE;
      this.connected = true;
      for (const message of this.standing.values()) socket.send(JSON.stringify(message));
      for (const message of this.waiting.splice(0)) socket.send(JSON.stringify(message));
      this.dispatchEvent(new CustomEvent("status", { detail: true }));
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    });
    socket.addEventListener("close", () => {
      this.socket = null;
      this.connected = false;
      this.dispatchEvent(new CustomEvent("status", { detail: false }));
      setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
    });
  }

  /** @param {object} message */
  send(message) {
    this.open();
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.waiting.push(message);
  }

  /**
   * Send a message now and after every reconnection, until `drop`.
   * @param {string} name
   * @param {object} message
   */
  keep(name, message) {
    const open = this.socket?.readyState === WebSocket.OPEN;
    this.standing.set(name, message);
    if (open) this.socket?.send(JSON.stringify(message));
    else this.open();
  }

  /** @param {string} name */
  drop(name) {
    this.standing.delete(name);
  }
}

export const socket = new Socket();

/**
 * Listen to messages of one type; the result stops it.
 * @param {string} type
 * @param {(message: any) => void} listener
 * @returns {() => void}
 */
export function listen(type, listener) {
  /** @param {Event} event */
  const wrapped = (event) => listener(/** @type {CustomEvent} */ (event).detail);
  socket.addEventListener(type, wrapped);
  return () => socket.removeEventListener(type, wrapped);
}
