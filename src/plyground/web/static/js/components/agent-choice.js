/** A player: a person or an agent, whose parameters can be changed. */

import { custom, h } from "../dom.js";

/** @typedef {import("../types.js").AgentInfo} AgentInfo */

export class AgentChoice extends HTMLElement {
  constructor() {
    super();
    /** @type {AgentInfo[]} */
    this.agents = [];
    this.select = h("select", { onchange: () => this.choose() });
    this.parameters = custom("option-fields");
    this.more = h("details", { class: "parameters" },
      h("summary", {}, "Parameters"), this.parameters);
  }

  /**
   * @param {AgentInfo[]} agents
   * @param {string} chosen name of an agent, empty for a person
   * @param {string} label for screen readers
   * @param {boolean} people whether a person may be chosen
   */
  offer(agents, chosen, label, people) {
    this.agents = agents;
    this.select.setAttribute("aria-label", label);
    this.more.setAttribute("aria-label", `Parameters of ${label}`);
    this.select.replaceChildren(
      ...(people ? [h("option", { value: "", selected: chosen === "" }, "person")] : []),
      ...agents.map((agent) => h("option", {
        value: agent.name, selected: agent.name === chosen, title: agent.summary,
      }, [agent.name, agent.summary].filter(Boolean).join(" – "))));
    this.replaceChildren(this.select, this.more);
    this.choose();
  }

  choose() {
    const agent = this.agents.find((one) => one.name === this.select.value);
    this.more.hidden = !agent?.parameters.length;
    this.more.open = false;
    this.parameters.setOptions(agent?.parameters ?? []);
  }

  /** The agent as on the command line, such as `mcts:c=1.4`; empty for a person. */
  get value() {
    const changed = Object.entries(this.parameters.values)
      .map(([name, value]) => `${name}=${value}`);
    return changed.length ? `${this.select.value}:${changed.join(",")}` : this.select.value;
  }
}

customElements.define("agent-choice", AgentChoice);
