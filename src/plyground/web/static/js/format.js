/** Texts for people. */

/** @typedef {import("./types.js").Outcome} Outcome */
/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").ScoreView} ScoreView */

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const tenths = Math.floor((Math.max(0, seconds) - whole) * 10);
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return minutes ? `${minutes}:${rest}` : `0:${rest}.${tenths}`;
}

/** @param {number} number */
export function shortNumber(number) {
  if (number < 1000) return String(Math.round(number));
  if (number < 1e6) return `${(number / 1e3).toPrecision(3)} k`;
  if (number < 1e9) return `${(number / 1e6).toPrecision(3)} M`;
  return `${(number / 1e9).toPrecision(3)} G`;
}

/** @param {string} seat */
export const seatName = (seat) => seat || "You";

/**
 * @param {string[]} seats
 * @returns {string}
 */
export function pairing(seats) {
  if (seats.length === 1) return seats[0] || "one player";
  const people = seats.filter((seat) => !seat).length;
  return seats.map((seat) => seat || (people > 1 ? "person" : "you")).join(" – ");
}

/**
 * How a game ended, in a line.
 * @param {Outcome} outcome
 * @param {string[]} seats
 * @param {GameInfo} info
 */
export function outcomeText(outcome, seats, info) {
  const reason = outcome.termination === "normal" ? "" : ` (${outcome.termination})`;
  const scores = outcome.scores?.length === 2 ? `, ${outcome.scores.join(" : ")}` : "";
  const points = outcome.points ? `, points ${outcome.points.join(" : ")}` : "";
  const detail = outcome.detail ? `: ${outcome.detail}` : "";
  if (info.players === 1) return `Game over${reason}${detail}`;
  if (outcome.winner === null || outcome.winner === undefined) return `Draw${reason}${scores}${points}`;
  const people = seats.filter((seat) => !seat).length;
  const name = seats[outcome.winner];
  const who = !name && people === 1 ? "You have won" :
    `${name || info.playerNames[outcome.winner]} has won`;
  return `${who}${reason}${scores}${points}${outcome.termination === "normal" ? "" : detail}`;
}

/**
 * The value of a score for the first player, -1 to 1.
 * @param {ScoreView} score
 */
export const forFirst = (score) => (score.player === 1 ? -score.expectation : score.expectation);

/** @param {string} iso */
export function timeText(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString([], {
    dateStyle: "short", timeStyle: "short",
  });
}
