/** The bar at the top: where to go, theme, sound, and whether the server is there. */

import { button, h } from "../dom.js";
import { socket } from "../net/socket.js";
import { cycleTheme, preference } from "../state/preferences.js";
import { soundIsOn, toggleSound } from "../state/sound.js";

const LINKS = [["/", "Home"], ["/play", "Play"], ["/watch", "Watch"], ["/analyse", "Analyse"],
  ["/tournaments", "Tournaments"], ["/lab", "Lab"]];
/** Addresses that belong to another one of the links. @type {Record<string, string>} */
const PART_OF = { "/run": "/tournaments", "/replay": "/play" };
const THEMES = /** @type {Record<string, string>} */ ({ system: "◐", light: "☀", dark: "☾" });

class AppHeader extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "banner");
    const theme = preference("theme", "system");
    const themeButton = button(THEMES[theme], () => {
      const next = cycleTheme();
      themeButton.textContent = THEMES[next];
      themeButton.setAttribute("aria-label", `Theme: ${next}`);
    }, { class: "icon", "aria-label": `Theme: ${theme}`, title: "Theme" });
    const soundButton = button("♪", () => {
      soundButton.setAttribute("aria-pressed", String(toggleSound()));
    }, {
      class: "icon sound", "aria-label": "Sound", title: "Sound", "aria-pressed": String(soundIsOn()),
    });
    this.status = h("span", { class: "status", role: "status" });
    this.links = LINKS.map(([address, name]) => h("a", { href: address }, name));
    this.append(h("div", { class: "bar" },
      h("a", { href: "/", class: "brand", "aria-label": "plyground, home" },
        h("img", { src: "/static/icon.svg", alt: "", width: "26", height: "26" }), h("span", {}, "plyground")),
      h("nav", { "aria-label": "Main" }, ...this.links.slice(1)),
      this.status, soundButton, themeButton));
    socket.addEventListener("status", (event) => {
      const connected = /** @type {CustomEvent} */ (event).detail;
      if (this.status) this.status.textContent = connected ? "" : "reconnecting…";
    });
    document.addEventListener("navigate", () => this.mark());
    addEventListener("popstate", () => this.mark());
    this.mark();
  }

  mark() {
    for (const link of this.links ?? []) {
      const current = link.getAttribute("href") === (PART_OF[location.pathname] ?? location.pathname);
      if (current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }
}

customElements.define("app-header", AppHeader);
