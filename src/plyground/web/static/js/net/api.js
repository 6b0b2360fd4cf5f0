/** Requests to the server. Every failure is an Error with a message for people. */

import { shortQuotes } from "../format.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */

/** @type {Promise<GameInfo[]>|null} */
let catalogRequest = null;

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function request(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Error("The server cannot be reached.");
  }
  let body = null;
  try {
    body = await response.json();
  } catch {
    body = null;
  }
  if (!response.ok) throw new Error(shortQuotes(body?.error?.message ?? `The server said ${response.status}.`));
  return body;
}

/** @param {string} path */
export const get = (path) => request(path);

/**
 * @param {string} path
 * @param {unknown} body
 */
export const post = (path, body) =>
  request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/**
 * All games, asked for once.
 * @returns {Promise<GameInfo[]>}
 */
export function catalog() {
  catalogRequest ??= get("/api/catalog").catch((error) => {
    catalogRequest = null;
    throw error;
  });
  return catalogRequest;
}

/**
 * The game that an address names: by its name, or one from a file by that file (`hexapawn.py`).
 * @param {GameInfo[]} games
 * @param {string} name
 */
export const namedGame = (games, name) =>
  games.find((game) => game.name === name || game.name.startsWith(`${name}@`));

/**
 * @param {string} name
 * @returns {Promise<GameInfo>}
 */
export async function gameInfo(name) {
  const found = (await catalog()).find((game) => game.name === name);
  if (!found) throw new Error(`There is no game “${name}”.`);
  return found;
}
