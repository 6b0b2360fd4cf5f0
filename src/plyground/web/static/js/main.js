/** The page: looks at its address and shows the screen that belongs to it. */

import "./components/game-board.js";
import "./components/option-fields.js";
import "./components/agent-choice.js";
import "./components/player-strip.js";
import "./components/move-list.js";
import "./components/move-tree.js";
import "./components/replay-bar.js";
import "./components/eval-bar.js";
import "./components/eval-graph.js";
import "./components/preparing-line.js";
import "./components/review-panel.js";
import "./components/end-card.js";
import "./components/analysis-panel.js";
import "./components/game-actions.js";
import "./components/record-upload.js";
import "./components/elo-graph.js";
import "./components/survival-graph.js";
import "./components/home-screen.js";
import "./components/setup-screen.js";
import "./components/game-screen.js";
import "./components/analyse-screen.js";
import "./components/tournaments-screen.js";
import "./components/run-screen.js";
import "./components/lab-screen.js";
import "./components/class-screen.js";
import "./components/toast-area.js";
import "./components/app-header.js";
import { custom, lostScreen, navigate } from "./dom.js";
import { socket } from "./net/socket.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** The screen of an address. @param {URL} address @returns {HTMLElement} */
function screenOf(address) {
  const query = address.searchParams;
  const game = query.get("game");
  if (game && address.pathname !== "/analyse" && address.pathname !== "/tournaments") {
    const position = query.get("pos");
    return Object.assign(custom("game-screen"), {
      wanted: game, ply: position !== null && /^\d{1,7}$/.test(position) ? Number(position) : null,
    });
  }
  switch (address.pathname) {
    case "/play":
    case "/replay":
      return Object.assign(custom("setup-screen"), { wanted: query.get("new") ?? "" });
    case "/watch":
      return Object.assign(custom("setup-screen"), { wanted: query.get("new") ?? "", watch: true });
    case "/analyse":
      return Object.assign(custom("analyse-screen"), { parameters: query });
    case "/tournaments":
      return Object.assign(custom("tournaments-screen"), { wanted: game ?? "" });
    case "/run":
      return Object.assign(custom("run-screen"), { wanted: query.get("id") ?? "", player: query.get("player") ?? "" });
    case "/lab":
      return Object.assign(custom("lab-screen"), { wanted: query.get("experiment") ?? "" });
    case "/class":
      return custom("class-screen");
    case "/":
      return custom("home-screen");
    default:
      return lostScreen("This page is not here", "The address may be cut off or mistyped.");
  }
}

function show() {
  // A question that was left open is answered with no.
  for (const dialog of document.querySelectorAll("dialog")) if (dialog.open) dialog.close("");
  main.replaceChildren(screenOf(new URL(location.href)));
  scrollTo(0, 0);
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest?.("a");
  if (!link || link.hasAttribute("download") || link.origin !== location.origin ||
      link.hash || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});
document.addEventListener("navigate", () => {
  show();
  main.focus({ preventScroll: true });
});
addEventListener("popstate", show);
socket.open();
show();
