/** A new game: the board to look at, and beside it who plays: levels first, everything else on request. */

import { button, custom, failedScreen, h, lostScreen, navigate, s } from "../dom.js";
import { sentence } from "../format.js";
import { clearProblems, pointOut, problemIn } from "../forms.js";
import { catalog, namedGame, post } from "../net/api.js";
import { preference, setPreference } from "../state/preferences.js";
import { livePicture } from "./live-picture.js";
import { showRules } from "./rules-card.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */

const PERSON = "";
const PREPARING_MILLISECONDS = 700;
const SECONDS = [["0.05", "0.05 s"], ["0.2", "0.2 s"], ["0.5", "0.5 s"], ["1", "1 s"], ["3", "3 s"],
  ["10", "10 s"], ["30", "30 s"]];

/** What was chosen last time. @param {string} game @returns {any} */
function remembered(game) {
  try {
    return JSON.parse(preference(`setup ${game}`, "{}"));
  } catch {
    return {};
  }
}

export class SetupScreen extends HTMLElement {
  constructor() {
    super();
    this.watch = false;
    this.wanted = "";
  }

  async connectedCallback() {
    document.title = this.watch ? "Watch – plyground" : "Play – plyground";
    try {
      this.games = await catalog();
    } catch (error) {
      this.append(failedScreen(error));
      return;
    }
    const chosen = this.wanted ? namedGame(this.games, this.wanted) : this.usual(this.games);
    if (!chosen) {
      this.append(lostScreen("This game is not here", `There is no game “${this.wanted}”`));
      return;
    }
    this.preview = h("div", { class: "preview" });
    this.preparing = custom("preparing-line", { hidden: true });
    const tabs = h("div", { class: "tabs", role: "radiogroup", "aria-label": "Game" },
      ...this.games.map((game) => h("label", {},
        h("input", {
          type: "radio", name: "game", value: game.name, checked: game === chosen,
          onchange: () => this.choose(game),
        }), h("span", {}, game.title))));
    this.about = h("p", { class: "muted about" });
    this.wrong = h("p", { class: "bad wrong", role: "alert" });
    this.body = h("div", { class: "setup-body" });
    this.append(h("div", { class: "game-layout setup-layout" },
      h("section", { class: "board-column", "aria-label": "The game" }, this.preview),
      h("aside", { class: "side", "aria-label": "New game" },
        h("form", { class: "setup panel", novalidate: true, onsubmit: (/** @type {Event} */ event) => this.start(event) },
          h("h1", {}, this.watch ? "Watch agents play" : "New game"), tabs,
          h("div", { class: "row spread" }, this.about,
            button("Rules", () => this.game && showRules(this.game), { class: "quiet" })),
          this.body, this.preparing, this.wrong,
          h("div", { class: "row" }, h("button", { type: "submit", class: "primary large" },
            this.watch ? "Watch" : "Play"), this.watch && custom("record-upload"))))));
    this.ending = new AbortController();
    document.addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.key === "?" && this.game && !target.closest?.("input, select, textarea, dialog")) showRules(this.game);
    }, { signal: this.ending.signal });
    this.choose(chosen);
  }

  /** The game of last time, among those that the server was started for if there are any. @param {GameInfo[]} games */
  usual(games) {
    const files = games.filter((game) => game.name.includes("@"));
    const offered = files.length ? files : games;
    const last = preference("game", "");
    return offered.find((game) => game.name === last) ?? offered[0];
  }

  disconnectedCallback() {
    this.ending?.abort();
  }

  /** @param {GameInfo} game */
  choose(game) {
    this.game = game;
    const kept = remembered(game.name);
    if (this.about) this.about.textContent = sentence(game.summary);
    this.preview?.replaceChildren(livePicture(game));
    this.side = kept.side ?? "first";
    this.level = game.levels.some((level) => level.key === kept.level) ? kept.level
      : game.levels[Math.min(1, game.levels.length - 1)]?.key ?? "";
    this.seconds = h("select", { name: "seconds", "aria-label": "Time per move" },
      ...SECONDS.map(([value, text]) => h("option", {
        value, selected: value === (kept.seconds ?? (this.watch ? "0.2" : "1")),
      }, text)));
    this.options = custom("option-fields");
    this.options.setOptions(game.options.filter((option) => option.name !== game.seedOption), kept.options ?? {});
    this.seed = h("input", {
      type: "number", name: "seed", min: "0", max: "4294967295", placeholder: "a new one each game",
    });
    this.position = h("input", { type: "text", name: "position", placeholder: "the usual one" });
    this.seats = h("div", { class: "seats" });
    this.body?.replaceChildren(...(this.watch || !game.levels.length ? [this.agentSeats(game)]
      : game.players === 1 ? [] : [this.levels(game), this.sides(game)]), this.more(game));
  }

  /** A row of opponents, from the weakest to the strongest. @param {GameInfo} game */
  levels(game) {
    return h("fieldset", { class: "levels" }, h("legend", {}, "opponent"),
      h("div", { class: "level-row", role: "radiogroup", "aria-label": "Opponent" }, ...game.levels.map((level, at) =>
        h("label", { title: level.summary },
          h("input", {
            type: "radio", name: "level", value: level.key, checked: level.key === this.level,
            onchange: () => {
              this.level = level.key;
              this.levelText?.replaceChildren(sentence(level.summary || level.agent));
            },
          }),
          h("span", {}, face(at, game.levels.length), h("b", {}, level.name)))),
      h("label", { title: "two people at one board" },
        h("input", { type: "radio", name: "level", value: PERSON, checked: this.level === PERSON,
          onchange: () => {
            this.level = PERSON;
            this.levelText?.replaceChildren("Two people at one board.");
          } }),
        h("span", {}, people(), h("b", {}, "Person")))),
      this.levelText = h("p", { class: "muted level-text" },
        sentence(game.levels.find((level) => level.key === this.level)?.summary ?? "two people at one board")));
  }

  /** @param {GameInfo} game */
  sides(game) {
    const choices = [["first", "I move first"], ["second", "I move second"], ["random", "Either"]];
    return h("fieldset", {}, h("legend", {}, "side"),
      h("div", { class: "tabs", role: "radiogroup", "aria-label": "Side" }, ...choices.map(([value, text]) =>
        h("label", { title: value === "random" ? "" : game.playerNames[Number(value === "second")] },
          h("input", { type: "radio", name: "side", value, checked: value === this.side, onchange: () => {
            this.side = value;
          } }), h("span", {}, text)))));
  }

  /** Agents by name in every seat. @param {GameInfo} game */
  agentSeats(game) {
    const strongest = game.analyst;
    const defaults = this.watch ? [strongest, strongest] : [PERSON, strongest];
    this.seats?.replaceChildren(...game.playerNames.slice(0, game.players).map((name, seat) =>
      h("div", { class: "field" },
        h("span", {}, game.players === 1 ? "player" : seat === 0 ? `${name}, moves first` : name),
        this.seat(game, seat, defaults[seat]))));
    return /** @type {HTMLElement} */ (this.seats);
  }

  /** @param {GameInfo} game */
  more(game) {
    const byName = h("input", { type: "checkbox", name: "by-name", onchange: () => {
      this.agentSeats(game);
      if (this.seats) this.seats.hidden = !byName.checked;
    } });
    const names = !this.watch && game.levels.length > 0;
    if (names && this.seats) this.seats.hidden = true;
    const timeField = h("label", { class: "field" }, h("span", {}, "time per move"), this.seconds,
      !this.watch && h("small", {}, "for agents chosen by name; levels have their own"));
    const seedField = game.seedOption || game.chance
      ? h("label", { class: "field" }, h("span", {}, "number"), this.seed,
        h("small", {}, game.seedOption ? "of the board; the same number gives the same board"
          : "of the deals; the same number gives the same pieces")) : null;
    return h("details", { class: "more" }, h("summary", {}, "More"),
      ...(names ? [h("label", { class: "switch small" }, byName, h("span", {}, "choose agents by name")), this.seats] : []),
      timeField, this.options, seedField,
      h("label", { class: "field" }, h("span", {}, "start position"), this.position,
        h("small", {}, "text of a position, as the analysis shows it")));
  }

  /** @param {GameInfo} game @param {number} seat @param {string} value */
  seat(game, seat, value) {
    const choice = custom("agent-choice", { "data-seat": seat });
    choice.offer(game.agents, value, `Player ${seat + 1}`, !this.watch);
    return choice;
  }

  /** Who sits where. @param {GameInfo} game @returns {string[]} */
  players(game) {
    const choices = [...this.querySelectorAll("agent-choice")].map((one) =>
      /** @type {import("./agent-choice.js").AgentChoice} */ (one).value);
    const byName = /** @type {HTMLInputElement|null} */ (this.querySelector('[name="by-name"]'));
    if (choices.length && (this.watch || !byName || byName.checked)) return choices;
    if (game.players === 1) return [PERSON];
    const second = this.side === "second" || (this.side === "random" && Math.random() < 0.5);
    return second ? [this.level ?? "", PERSON] : [PERSON, this.level ?? ""];
  }

  /** Say what is wrong where one presses, and go to the field that it is about. @param {string} message */
  refuse(message) {
    this.wrong?.replaceChildren(sentence(message));
    const option = /^option (\w+)=/.exec(message)?.[1];
    const field = /** @type {HTMLInputElement|null|undefined} */ (option ? this.querySelector(`[name="option-${option}"]`)
      : message.startsWith("position") ? this.position : null);
    if (field) pointOut(field);
  }

  /** @param {Event} event */
  async start(event) {
    event.preventDefault();
    const game = this.game;
    if (!game) return;
    const options = { ...this.options.values };
    /** @type {Record<string, unknown>} */
    const request = { game: game.name, seats: this.players(game), seconds: Number(this.seconds?.value), options };
    if (this.seed?.value && game.seedOption) options[game.seedOption] = Number(this.seed.value);
    else if (this.seed?.value) request.seed = Number(this.seed.value);
    if (this.position?.value.trim()) request.position = this.position.value.trim();
    clearProblems(this);
    const problem = problemIn(this);
    this.wrong?.replaceChildren(problem?.reason ?? "");
    if (problem) {
      pointOut(problem.field);
      return;
    }
    const start = /** @type {HTMLButtonElement|null} */ (this.querySelector('[type="submit"]'));
    if (start) start.disabled = true;
    const waiting = setTimeout(() => this.preparing.show(game.title), PREPARING_MILLISECONDS);
    try {
      const made = await post("/api/games", request);
      // Only what could be played is offered again.
      setPreference("game", game.name);
      setPreference(`setup ${game.name}`, JSON.stringify({
        level: this.level, side: this.side, seconds: this.seconds?.value, options: this.options.values,
      }));
      navigate(`${this.watch ? "/watch" : "/play"}?game=${made.id}`);
    } catch (error) {
      this.refuse(String(/** @type {Error} */ (error).message));
      if (start) start.disabled = false;
    }
    clearTimeout(waiting);
    this.preparing.show("");
  }
}

/** From a laugh to a mouth that gives nothing away. */
const MOUTHS = [
  "M10 18.5h12q-.6 7-6 7t-6-7z", "M10.5 19.5q5.5 6 11 0", "M11.5 21q4.5 2.6 9 0", "M12 21.5h8", "M11.5 22.5q5-3 9-1",
];

/** A face for a level: from a smile to a crown. @param {number} at @param {number} count */
function face(at, count) {
  const share = count < 2 ? 1 : at / (count - 1);
  const parts = [
    s("circle", { cx: 16, cy: 17, r: 11, class: "skin" }),
    s("path", { d: MOUTHS[Math.min(MOUTHS.length - 1, Math.round(share * MOUTHS.length))], class: "line" }),
    s("path", { d: share > 0.5 ? "M10 13l4 1M22 13l-4 1" : "", class: "line" }),
    s("circle", { cx: 12, cy: 15.5, r: 1.4 }), s("circle", { cx: 20, cy: 15.5, r: 1.4 }),
  ];
  if (share === 1) parts.push(s("path", { d: "M7 9 9 2l4 4 3-5 3 5 4-4 2 7z", class: "crown" }));
  else if (share > 0.35 && share < 0.5) parts.push(s("path", { d: "M8 15.5a4 3.4 0 0 1 8 0 4 3.4 0 0 1-8 0m8 0a4 3.4 0 0 1 8 0 4 3.4 0 0 1-8 0", class: "line" }));
  else if (share > 0.7) parts.push(s("path", { d: "M5 11q11-8 22 0z", class: "hat" }));
  return s("svg", { viewBox: "0 0 32 30", class: "face", "aria-hidden": "true" }, ...parts);
}

const people = () => s("svg", { viewBox: "0 0 32 30", class: "face", "aria-hidden": "true" },
  s("circle", { cx: 16, cy: 10, r: 6, class: "skin" }), s("path", { d: "M5 28q0-11 11-11t11 11z", class: "skin" }));

customElements.define("setup-screen", SetupScreen);
