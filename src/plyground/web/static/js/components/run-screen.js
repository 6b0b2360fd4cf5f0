/** One run: table, ratings over time, cross table, games; live while it is being played. */

import { button, custom, h, navigate, toast } from "../dom.js";
import { timeText } from "../format.js";
import { get, post } from "../net/api.js";
import { listen, socket } from "../net/socket.js";
import { COLOURS } from "./elo-graph.js";

/** @typedef {import("../types.js").RunView} RunView */
/** @typedef {import("../types.js").RunRow} RunRow */

const REFRESH_MILLISECONDS = 700;

export class RunScreen extends HTMLElement {
  constructor() {
    super();
    this.wanted = "";
    this.loading = false;
    this.stale = false;
  }

  async connectedCallback() {
    document.title = "Tournament – plyground";
    this.title_ = h("h1", {}, "Tournament");
    this.status = h("p", { class: "game-status", role: "status" });
    this.progress = h("progress", { max: "1", value: "0", hidden: true, "aria-label": "Games played" });
    this.stop = button("Stop", () => post(`/api/runs/${encodeURIComponent(this.wanted)}/stop`, {})
      .catch((error) => toast(error.message, "error")), { hidden: true });
    this.report = h("a", { class: "button", download: true, hidden: true }, "Download the report");
    this.table = h("div", { class: "scroll" });
    this.graph = custom("elo-graph");
    this.cross = h("div", { class: "scroll" });
    this.games = h("ul", { class: "run-games" });
    this.append(h("div", { class: "two-columns wide-left" },
      h("section", { class: "panel" }, this.title_, this.status,
        h("div", { class: "row" }, this.progress, this.stop, this.report), this.table,
        h("h2", {}, "Elo"), this.graph, h("h2", {}, "Against each other"), this.cross),
      h("section", { class: "panel", "aria-labelledby": "run-games" },
        h("h2", { id: "run-games" }, "Games"), this.games)));
    this.stopListening = listen("run", (message) => {
      if (message.id === this.wanted) this.refresh();
    });
    socket.keep("run", { type: "follow-run", id: this.wanted });
    await this.refresh();
  }

  disconnectedCallback() {
    this.stopListening?.();
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
      this.draw(await get(`/api/runs/${encodeURIComponent(this.wanted)}`));
    } catch (error) {
      if (this.status) this.status.textContent = String(/** @type {Error} */ (error).message);
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
    this.title_.textContent = `${run.game} ${run.kind}`;
    const state = run.running ? "is being played" : run.error ? `ended: ${run.error}` : "has ended";
    this.status.textContent =
      `${run.played}${run.total ? ` of ${run.total}` : ""} games, ${state} · ${timeText(run.created)}`;
    this.progress.hidden = this.stop.hidden = !run.running;
    if (this.report) {
      this.report.hidden = run.running || run.played === 0;
      this.report.href = `/api/runs/${encodeURIComponent(run.id)}/report`;
    }
    if (run.total) this.progress.value = run.played / run.total;
    this.classList.toggle("running", run.running);
    this.table?.replaceChildren(standings(run));
    this.graph.show(run.players, run.graph);
    this.cross?.replaceChildren(crosstable(run));
    this.games?.replaceChildren(...run.games.map((game) => h("li", {},
      h("button", { type: "button", onclick: () => this.open(game.id) },
        h("span", {}, game.players.map((name, seat) =>
          `${name}${game.winner === seat ? " ✓" : ""}`).join(" – ")),
        h("span", { class: "muted" },
          `${game.plies} moves${game.termination === "normal" ? "" : `, ${game.termination}`}`)))));
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

/** @param {RunView} run */
function standings(run) {
  const solo = run.rows.some((row) => row.turns !== undefined && row.turns !== null);
  const head = solo ? ["player", "games", "turns a game", "ended"]
    : ["player", "Elo", "±", "games", "won", "drawn", "lost", "score"];
  return h("table", {}, h("thead", {}, h("tr", {}, ...head.map((name) => h("th", {}, name)))),
    h("tbody", {}, ...run.rows.map((row) => h("tr", {}, ...cells(row, solo, run)))));
}

/** @param {RunRow} row @param {boolean} solo @param {RunView} run */
function cells(row, solo, run) {
  const colour = run.players.indexOf(row.name) % COLOURS;
  const name = h("th", { scope: "row" }, h("span", { class: `swatch colour-${colour}` }), row.name);
  if (solo) {
    return [name, h("td", {}, String(row.games)), h("td", {}, (row.turns ?? 0).toFixed(1)),
      h("td", {}, String(row.losses))];
  }
  const [elo, low, high] = row.elo ?? [0, 0, 0];
  const share = row.games ? `${((100 * row.score) / row.games).toFixed(0)} %` : "–";
  return [name, ...[Math.round(elo), Math.round((high - low) / 2), row.games, row.wins, row.draws,
    row.losses, share].map((value) => h("td", {}, String(value)))];
}

/** @param {RunView} run */
function crosstable(run) {
  if (!run.crosstable.length) return h("p", { class: "muted" }, "–");
  return h("table", { class: "cross" },
    h("thead", {}, h("tr", {}, h("th", {}), ...run.players.map((name, player) =>
      h("th", { title: name, "aria-label": name }, String(player + 1))))),
    h("tbody", {}, ...run.crosstable.map((row, player) => h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "muted" }, `${player + 1} `), run.players[player]),
      ...row.map((points) => h("td", {}, points === null ? "·" : String(points)))))));
}

customElements.define("run-screen", RunScreen);
