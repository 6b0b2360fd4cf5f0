/** A class: the ranking of its submissions, and every student's games one click away. */

import { failedScreen, h } from "../dom.js";
import { signed, tally, timeText } from "../format.js";
import { get } from "../net/api.js";

/** @typedef {import("../types.js").RunSummary} RunSummary */
/** @typedef {import("../types.js").RunRow} RunRow */

class ClassScreen extends HTMLElement {
  async connectedCallback() {
    document.title = "Class – plyground";
    this.append(h("h1", {}, "Class"));
    try {
      /** @type {RunSummary[]} */
      const runs = await get("/api/runs");
      const own = runs.filter((run) => run.course);
      if (!own.length) this.append(howTo());
      for (const run of own.slice(0, 3)) this.append(await this.ranking(run));
    } catch (error) {
      this.replaceChildren(failedScreen(error));
    }
  }

  /** @param {RunSummary} run */
  async ranking(run) {
    const view = await get(`/api/runs/${encodeURIComponent(run.id)}`);
    const rows = view.rows.map((/** @type {RunRow} */ row) => {
      const [elo, low, high] = row.elo ?? [0, 0, 0];
      const share = row.games ? `${((100 * row.score) / row.games).toFixed(0)} %` : "–";
      return h("tr", {}, h("td", {}, row.rank ? String(row.rank) : "–"), h("th", { scope: "row", class: "name" },
        h("a", { href: `/run?id=${encodeURIComponent(run.id)}&player=${encodeURIComponent(row.name)}` }, row.name)),
      h("td", {}, signed(elo)), h("td", { class: "interval" }, `${signed(low)} to ${signed(high)}`), h("td", {}, tally(row)),
      ...[row.games, share, row.failures || ""].map((value) => h("td", { class: "wide" }, String(value))));
    });
    return h("section", { class: "panel", "aria-label": `Ranking of ${timeText(run.created)}` },
      h("h2", {}, `${run.players.length} submissions, ${run.games} games, ${timeText(run.created)}`),
      h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Ranking" }, h("table", {}, h("thead", {}, h("tr", {},
        ...["rank", "submission", "Elo", "95 %", "won–drawn–lost"].map((name) => h("th", {}, name)),
        ...["games", "score", "failures"].map((name) => h("th", { class: "wide" }, name)))),
      h("tbody", {}, ...rows))));
  }
}

const howTo = () => h("section", { class: "panel" },
  h("p", {}, "No class has been ranked in the database that this server reads. Rank a folder of submissions, then show it:"),
  h("pre", { tabindex: "0" }, "plyground course rank submissions/ --output class/\nplyground serve --database class/games.sqlite"));

customElements.define("class-screen", ClassScreen);
