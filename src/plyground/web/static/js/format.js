/** Texts for people. */

/** @typedef {import("./types.js").Outcome} Outcome */
/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").ScoreView} ScoreView */
/** @typedef {import("./types.js").Snapshot} Snapshot */

const LEVEL = "level:";
/** Points of both players stay in one line. */
const BETWEEN = "\u00a0:\u00a0";

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

/** @param {number} count @param {string} word */
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** @param {string} text */
export const sentence = (text) => !text ? "" : `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

const LONGEST_QUOTE = 120;

/** A message without the length of what somebody pasted: quotes are cut off. @param {string} text */
export const shortQuotes = (text) => text.replace(/(?<=^|[\s(])'(.*?)(?:'(?=$|[\s,.:;)])|$)/g,
  (whole, quoted) => (quoted.length > LONGEST_QUOTE ? `'${quoted.slice(0, LONGEST_QUOTE)}…'` : whole));

/** The name of a player: a level's, an agent's, or `You`. @param {string} seat */
export function seatName(seat) {
  if (!seat) return "You";
  if (!seat.startsWith(LEVEL)) return seat;
  const level = seat.slice(LEVEL.length);
  return level[0].toUpperCase() + level.slice(1);
}

/**
 * The names of the players of a game.
 * @param {string[]} seats
 * @param {GameInfo} info
 */
export function playerNames(seats, info) {
  const people = seats.filter((seat) => !seat).length;
  const twice = seats.length === 2 && seats[0] === seats[1];
  return seats.map((seat, at) => {
    if (!seat && people > 1) return sideName(info, at);
    return twice ? `${seatName(seat)} (${sideName(info, at).toLowerCase()})` : seatName(seat);
  });
}

/** What people call a side: `Red` rather than `x (red)`, `First player`, `Attackers`. @param {GameInfo} info @param {number} seat */
export function sideName(info, seat) {
  const name = info.playerNames[seat];
  const who = /\((.+)\)/.exec(name)?.[1] ?? (["first", "second"].includes(name) ? `${name} player` : name);
  return who[0].toUpperCase() + who.slice(1);
}

/** Who is to move, and the points if there are any. @param {GameInfo} info @param {Snapshot} snapshot */
export function turnText(info, snapshot) {
  if (info.players !== 2 || snapshot.turn < 0) return sentence(snapshot.board.caption).slice(0, -1);
  const points = readPoints(snapshot).join(" : ");
  return `${sideName(info, snapshot.turn)} to move${points ? `, ${points}` : ""}`;
}

/** @param {string[]} seats @returns {string} */
export function pairing(seats) {
  const people = seats.filter((seat) => !seat).length;
  return seats.map((seat) => (seat || people < 2 ? seatName(seat) : "person")).join(" – ");
}

/** Why a game ended, for each way that is not the usual one. @type {Record<string, string>} */
const REASONS = {
  "ply limit": "the limit of turns is reached", adjudicated: "by adjudication", interrupted: "the game was interrupted",
};
/** What the one who lost did, where that ended the game. @type {Record<string, string>} */
const FAULTS = {
  timeout: "ran out of time", crash: "crashed", "illegal move": "played an illegal move", "taboo move": "played a taboo move",
  "false claim": "claimed falsely", "no move": "did not move", "out of turn": "spoke out of turn", resign: "resigned",
};

/**
 * How a game ended: a headline, and the reason as a sentence (or nothing).
 * @param {Outcome} outcome
 * @param {string[]} seats
 * @param {GameInfo} info
 * @returns {{headline: string, reason: string}}
 */
export function outcomeParts(outcome, seats, info) {
  const parts = [];
  const fault = FAULTS[outcome.termination];
  const names = playerNames(seats, info);
  if (fault && info.players === 2 && outcome.winner !== null) parts.push(`${names[1 - outcome.winner]} ${fault}`);
  else if (outcome.termination !== "normal") parts.push(REASONS[outcome.termination] ?? fault ?? outcome.termination);
  else if (outcome.winner !== null && outcome.winner !== undefined && info.wonBy) parts.push(info.wonBy);
  if (outcome.detail && info.players > 1) parts.push(outcome.detail);
  if (outcome.scores?.length === 2) parts.push(`${outcome.scores.join(BETWEEN)} points`);
  if (outcome.points) parts.push(`contest points ${outcome.points.join(BETWEEN)}`);
  const reason = parts.length ? sentence(parts.join(", ")) : "";
  if (info.players === 1) {
    const told = [outcome.termination === "normal" ? info.wonBy : REASONS[outcome.termination] ?? outcome.termination,
      outcome.detail || (outcome.scores ? `${outcome.scores[0]} points` : "")];
    return { headline: "Game over", reason: told.filter(Boolean).map(sentence).join(" ") };
  }
  if (outcome.winner === null || outcome.winner === undefined) {
    return { headline: outcome.termination === "interrupted" ? "No result" : "Draw", reason };
  }
  const name = names[outcome.winner];
  return { headline: name === "You" ? "You won" : `${name} won`, reason };
}

/**
 * How a game ended, in a line.
 * @param {Outcome} outcome
 * @param {string[]} seats
 * @param {GameInfo} info
 */
export function outcomeText(outcome, seats, info) {
  const { headline, reason } = outcomeParts(outcome, seats, info);
  return reason ? `${headline}. ${reason}` : headline;
}

/**
 * The value of a score for the first player, -1 to 1.
 * @param {ScoreView} score
 */
export const forFirst = (score) => (score.player === 1 ? -score.expectation : score.expectation);

/**
 * A short score as the first player sees it.
 * @param {ScoreView} score
 */
export function shortForFirst(score) {
  const text = score.short;
  if (score.player !== 1) return text;
  if (/^[WL]/.test(text)) return (text[0] === "W" ? "L" : "W") + text.slice(1);
  if (text.endsWith("%")) return `${Math.round(100 - Number(text.slice(0, -1)))}%`;
  if (text.startsWith("+")) return `-${text.slice(1)}`;
  return text.startsWith("-") ? `+${text.slice(1)}` : text;
}

/**
 * The points of the players as the board's caption tells them; empty where none are counted.
 * @param {Snapshot|null|undefined} snapshot
 * @returns {number[]}
 */
export function readPoints(snapshot) {
  const caption = snapshot?.board.caption ?? "";
  const both = /score (\d+) - (\d+)/.exec(caption);
  if (both) return [Number(both[1]), Number(both[2])];
  const single = /score (\d+)/.exec(caption);
  return single ? [Number(single[1])] : [];
}

/** A rating with its sign. @param {number} elo */
export const signed = (elo) => `${elo < -0.5 ? "−" : elo > 0.5 ? "+" : ""}${Math.abs(Math.round(elo))}`;

/** Games won, drawn and lost. @param {import("./types.js").RunRow} row */
export const tally = (row) => `${row.wins}–${row.draws}–${row.losses}`;

/** @param {string} iso */
export function timeText(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString([], {
    dateStyle: "short", timeStyle: "short",
  });
}
