/** One run: table, ratings over time, cross table, games; live while it is being played. */

import { button, custom, h, lostScreen, navigate, toast } from "../dom.js";
import { plural, seatName, signed, tally, timeText } from "../format.js";
import { gameInfo, get, post } from "../net/api.js";
import { listen, socket } from "../net/socket.js";
import { readSnapshot } from "../state/game.js";
import { COLOURS } from "./elo-graph.js";

/** @typedef {import("../types.js").RunView} RunView */
/** @typedef {import("../types.js").RunRow} RunRow */

const REFRESH_MILLISECONDS = 700;
const LIVE_MILLISECONDS = 600;

export class RunScreen extends HTMLElement {
  constructor() {
    super();
    this.wanted = "";
    this.player = "";
    /** @type {import("../types.js").GameInfo|null} */
    this.info = null;
    this.loading = false;
    this.stale = false;
    /** @type {RunView|null} */
    this.run = null;
  }

  async connectedCallback() {
    document.title = "Tournament – plyground";
    this.title_ = h("h1", {}, "Tournament");
    this.status = h("p", { class: "game-status", role: "status" });
    this.progress = h("progress", { max: "1", value: "0", hidden: true, "aria-label": "Games played" });
    this.stop = button("Stop", () => post(`/api/runs/${encodeURIComponent(this.wanted)}/stop`, {})
      .catch((error) => toast(error.message, "error")), { hidden: true });
    this.report = h("a", { class: "button", download: true, hidden: true }, "Download the report");
    this.settings = h("dl", { class: "settings" });
    this.table = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" });
    this.graph = custom("elo-graph");
    this.survival = custom("survival-graph");
    this.ratings = h("section", { "aria-label": "Ratings" }, h("h2", {}, "Elo"), this.graph);
    this.lives = h("section", { "aria-label": "Survival", hidden: true },
      h("h2", {}, "Survival"), h("p", { class: "muted" }, "The share of games that is still alive after so many turns."), this.survival);
    this.cross = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Cross table" });
    this.meetings = h("section", { "aria-label": "Against each other" }, h("h2", {}, "Against each other"), this.cross);
    this.liveBoard = custom("game-board");
    this.liveBoard.asPicture("The game that is being played");
    this.liveNames = h("p", { class: "muted" });
    this.livePanel = h("section", { class: "panel live-game", hidden: true, "aria-labelledby": "live-game" },
      h("h2", { id: "live-game" }, "Now"), this.liveNames, this.liveBoard);
    this.byPlayer = h("select", { "aria-label": "Games of", onchange: () => this.listGames() },
      h("option", { value: "" }, "all players"));
    this.byResult = h("select", { "aria-label": "With the result", onchange: () => this.listGames() },
      ...[["", "any result"], ["first", "first won"], ["second", "second won"], ["draw", "draw"], ["odd", "not normal"]]
        .map(([value, text]) => h("option", { value }, text)));
    this.games = h("ul", { class: "run-games" });
    this.append(h("div", { class: "two-columns wide-left" },
      h("section", { class: "panel", "aria-label": "Results" }, this.title_, this.status,
        h("div", { class: "row" }, this.progress, this.stop, this.report), this.table,
        this.ratings, this.lives, this.meetings, this.settings),
      h("div", { class: "side" }, this.livePanel,
        h("section", { class: "panel", "aria-labelledby": "run-games" },
          h("h2", { id: "run-games" }, "Games"), h("div", { class: "row" }, this.byPlayer, this.byResult), this.games))));
    this.stopListening = listen("run", (message) => {
      if (message.id === this.wanted) this.refresh();
    });
    socket.keep("run", { type: "follow-run", id: this.wanted });
    this.watching = setInterval(() => this.look(), LIVE_MILLISECONDS);
    await this.refresh();
  }

  /** The board of the game that is being played. */
  async look() {
    if (!this.run?.running || document.hidden || !this.livePanel || !this.liveNames) return;
    try {
      const live = await get(`/api/runs/${encodeURIComponent(this.wanted)}/live`);
      this.livePanel.hidden = !this.run.running;
      this.liveBoard.hidden = !live.board;
      if (!live.board) {
        this.liveNames.textContent = "Preparing the next game…";
        return;
      }
      this.liveNames.textContent = `${live.players.map(seatName).join(" – ")}, ${plural(live.moves ?? 0, "move")}`;
      this.liveBoard.draw(readSnapshot({ board: live.board }).board);
    } catch {
      this.livePanel.hidden = true;
    }
  }

  disconnectedCallback() {
    this.stopListening?.();
    clearInterval(this.watching);
    socket.drop("run");
  }

  /** Load the run again, not more often than is pleasant. */
  async refresh() {
    if (this.loading) {
      this.stale = true;
      return;
    }
    this.loading = true;
    try {
      /** @type {RunView} */
      const run = await get(`/api/runs/${encodeURIComponent(this.wanted)}`);
      this.info ??= await gameInfo(run.game).catch(() => null);
      this.draw(run);
    } catch (error) {
      const reason = String(/** @type {Error} */ (error).message);
      if (this.run && this.status) this.status.textContent = reason;
      else this.replaceChildren(lostScreen("This tournament is not here", reason, "/tournaments", "To the tournaments"));
    }
    setTimeout(() => {
      this.loading = false;
      if (this.stale && this.isConnected) {
        this.stale = false;
        this.refresh();
      }
    }, REFRESH_MILLISECONDS);
  }

  /** @param {RunView} run */
  draw(run) {
    if (!this.title_ || !this.status || !this.progress || !this.stop) return;
    this.title_.textContent = `${this.info?.title ?? run.game} ${run.kind}`;
    const state = run.running ? "is being played" : run.error ? `ended: ${run.error}` : "has ended";
    this.status.textContent =
      `${run.total ? `${run.played} of ` : ""}${plural(run.total || run.played, "game")}, ${state} · ${timeText(run.created)}`;
    this.progress.hidden = this.stop.hidden = !run.running;
    if (this.report) {
      this.report.hidden = run.running || run.played === 0;
      this.report.href = `/api/runs/${encodeURIComponent(run.id)}/report`;
    }
    if (run.total) this.progress.value = run.played / run.total;
    this.classList.toggle("running", run.running);
    this.table?.replaceChildren(standings(run));
    this.drawGraphs(run);
    if (!run.running && this.livePanel) this.livePanel.hidden = true;
    this.settings?.replaceChildren(...(run.settings ?? []).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    this.run = run;
    if (this.byPlayer && this.byPlayer.options.length === 1) {
      this.byPlayer.append(...run.players.map((name) =>
        h("option", { value: name, selected: name === this.player }, seatName(name))));
    }
    this.listGames();
  }

  /** Ratings and meetings; of games for one, how long they last. @param {RunView} run */
  drawGraphs(run) {
    const solo = isSolo(run);
    if (this.ratings && this.meetings && this.lives && this.byResult) {
      this.ratings.hidden = this.meetings.hidden = this.byResult.hidden = solo;
      this.lives.hidden = !solo;
    }
    if (solo) this.survival.show(run.players.map(seatName), run.survival ?? []);
    else this.graph.show(run.players, run.graph, run.rows);
    this.cross?.replaceChildren(crosstable(run));
  }

  /** The games that the filters let through. */
  listGames() {
    const player = this.byPlayer?.value ?? "", result = this.byResult?.value ?? "";
    const shown = (this.run?.games ?? []).filter((game) => (!player || game.players.includes(player)) &&
      (!result || (result === "odd" ? game.termination !== "normal"
        : result === "draw" ? game.winner === null : game.winner === Number(result === "second"))));
    const moveName = this.info?.moveName ?? "move";
    this.games?.replaceChildren(...shown.map((game) => h("li", {},
      h("button", { type: "button", onclick: () => this.open(game.id) },
        h("span", {}, game.players.map((name, seat) =>
          `${seatName(name)}${game.winner === seat ? " ✓" : ""}`).join(" – ")),
        h("span", { class: "muted" },
          `${plural(game.plies, moveName)}${game.termination === "normal" ? "" : `, ${game.termination}`}`)))));
  }

  /** @param {string} game */
  async open(game) {
    try {
      const address = `/api/runs/${encodeURIComponent(this.wanted)}/open?game=${encodeURIComponent(game)}`;
      const made = await post(address, {});
      navigate(`/play?game=${made.id}&pos=0`);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }
}

/** Whether every game is played by one player alone. @param {RunView} run */
const isSolo = (run) => run.rows.some((row) => row.turns !== undefined && row.turns !== null);

/** @param {RunView} run */
function standings(run) {
  const solo = isSolo(run);
  const head = solo ? ["player", "games", "turns a game", "ended"]
    : ["player", "score", "Elo (95 %)", "games", "won–drawn–lost"];
  return h("table", {}, h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { class: !solo && name === "games" ? "wide" : null }, name)))),
    h("tbody", {}, ...run.rows.map((row) => h("tr", {}, ...cells(row, solo, run)))));
}

/** @param {RunRow} row @param {boolean} solo @param {RunView} run */
function cells(row, solo, run) {
  const colour = run.players.indexOf(row.name) % COLOURS;
  const name = h("th", { scope: "row" }, h("span", { class: `swatch colour-${colour}` }), seatName(row.name));
  if (solo) {
    return [name, h("td", {}, String(row.games)), h("td", {}, (row.turns ?? 0).toFixed(1)),
      h("td", {}, String(row.losses))];
  }
  const [elo, low, high] = row.elo ?? [0, 0, 0];
  const share = row.games ? `${((100 * row.score) / row.games).toFixed(0)} %` : "–";
  const rating = row.games ? [`${signed(elo)} `, h("span", { class: "interval" }, `(${signed(low)} to ${signed(high)})`)] : ["–"];
  return [name, h("td", {}, share), h("td", {}, ...rating), h("td", { class: "wide" }, String(row.games)), h("td", {}, tally(row))];
}

/** @param {RunView} run */
function crosstable(run) {
  if (!run.crosstable.length) return h("p", { class: "muted" }, "–");
  // In the order of the table above: who wins stands first.
  const order = run.rows.map((row) => run.players.indexOf(row.name));
  return h("table", { class: "cross" },
    h("thead", {}, h("tr", {}, h("td", {}), ...order.map((player, at) =>
      h("th", { title: run.players[player], "aria-label": run.players[player] }, String(at + 1))))),
    h("tbody", {}, ...order.map((player, at) => h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "muted" }, `${at + 1} `), seatName(run.players[player])),
      ...order.map((other) => h("td", {}, String(run.crosstable[player][other] ?? "·")))))));
}

customElements.define("run-screen", RunScreen);
