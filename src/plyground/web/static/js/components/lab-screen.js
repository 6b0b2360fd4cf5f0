/** The lab: experiments with their plots, what was claimed beside what was measured here. */

import { failedScreen, h, lostScreen } from "../dom.js";
import { get } from "../net/api.js";

/** @typedef {{says: string, ours: string, agrees: string, why: string}} Claim */
/** @typedef {{name: string, title: string, document: string, scale: string, command: string, claims: Claim[]}} Entry */

class LabScreen extends HTMLElement {
  constructor() {
    super();
    this.wanted = "";
  }

  async connectedCallback() {
    document.title = "Lab – plyground";
    this.append(h("p", { class: "muted", role: "status" }, "Reading what has been measured…"));
    try {
      if (this.wanted) this.replaceChildren(...this.experiment(await get(`/api/lab/${encodeURIComponent(this.wanted)}`)));
      else this.replaceChildren(...this.listing(await get("/api/lab")));
    } catch (error) {
      const reason = String(/** @type {Error} */ (error).message);
      this.replaceChildren(this.wanted ? lostScreen("This experiment is not here", reason, "/lab", "To the lab") : failedScreen(error));
    }
  }

  /** @param {{headline: string, experiments: Entry[]}} lab @returns {HTMLElement[]} */
  listing(lab) {
    /** @type {Map<string, Entry[]>} */
    const documents = new Map();
    for (const one of lab.experiments) documents.set(one.document, [...(documents.get(one.document) ?? []), one]);
    const legend = [["good", "agrees with our measurement"], ["bad", "does not"], ["muted", "not measured here, or too few games to say"]];
    const measured = lab.experiments.some((one) => one.claims.some((claim) => claim.agrees === "yes" || claim.agrees === "no"));
    const first = measured ? [] : [h("div", { class: "panel" },
      h("p", {}, "Nothing has been measured on this machine yet. One experiment takes from some seconds to some minutes:"),
      h("pre", { tabindex: "0" }, `${lab.experiments[0]?.command ?? "plyground reproduce"} --scale quick`))];
    return [h("h1", {}, "Lab"), ...(measured ? [h("p", { class: "muted" }, lab.headline)] : first),
      h("p", { class: "legend" }, ...legend.map(([kind, text]) =>
        h("span", {}, h("span", { class: `dot-claim ${kind}`, "aria-hidden": "true" }), text))),
      ...[...documents].map(([title, list]) => h("section", { class: "panel lab-list" }, h("h2", {}, title),
        h("ul", {}, ...list.map((one) => h("li", {}, h("a", { href: `/lab?experiment=${one.name}` }, one.title),
          h("span", { class: "dots" }, ...one.claims.map((claim) =>
            h("span", { class: `dot-claim ${tone(claim.agrees)}`, title: `${claim.says}: ${claim.ours ? claim.agrees : "not measured here"}` },
              h("span", { class: "visually-hidden" }, claim.agrees)))))))))];
  }

  /** @param {any} one @returns {HTMLElement[]} */
  experiment(one) {
    document.title = `${one.title} – plyground`;
    return [h("p", {}, h("a", { href: "/lab" }, "Lab")), h("h1", {}, one.title),
      h("p", { class: "muted" }, one.document),
      h("section", { class: "panel", "aria-label": "Claims" }, h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Claims and measurements" },
        h("table", { class: "claims" },
          h("thead", {}, h("tr", {}, ...["claimed", "measured here", "agrees"].map((name) => h("th", {}, name)))),
          h("tbody", {}, ...one.claims.map((/** @type {Claim} */ claim) => h("tr", {}, h("th", { scope: "row" }, claim.says),
            h("td", {}, claim.ours), h("td", { class: tone(claim.agrees) }, claim.why ? `${claim.agrees}: ${claim.why}` : claim.agrees)))))),
      one.reduced ? h("p", { class: "muted" }, `Reduced (${one.scale}): ${one.reduced}`) : "",
      h("p", { class: "muted" }, "Measure it here: ", h("code", {}, one.command))),
      ...one.blocks.map((/** @type {any} */ block) => this.block(one.name, block))];
  }

  /** @param {string} name @param {any} block */
  block(name, block) {
    if (block.kind === "plot") {
      return h("figure", { class: "panel plot" },
        h("img", { src: `/api/lab/${name}/plots/${block.number}`, alt: block.about, loading: "lazy" }),
        h("figcaption", { class: "muted" }, block.about));
    }
    if (block.kind === "table") {
      return h("section", { class: "panel" }, h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": block.about || "Table" }, h("table", {},
        h("thead", {}, h("tr", {}, ...block.columns.map((/** @type {string} */ column) => h("th", {}, column)))),
        h("tbody", {}, ...block.rows.map((/** @type {string[]} */ row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))))));
    }
    return h("p", {}, block.text);
  }
}

/** @param {string} word */
const tone = (word) => (word === "yes" ? "good" : word === "no" ? "bad" : "muted");

customElements.define("lab-screen", LabScreen);
