/** What a visitor chose, kept in this browser. */

/**
 * @param {string} name
 * @param {string} fallback
 */
export function preference(name, fallback) {
  return localStorage.getItem(name) ?? fallback;
}

/**
 * @param {string} name
 * @param {string} value
 */
export function setPreference(name, value) {
  localStorage.setItem(name, value);
}

/** The next theme: as the system, light, dark. */
export function cycleTheme() {
  const order = ["system", "light", "dark"];
  const next = order[(order.indexOf(preference("theme", "system")) + 1) % order.length];
  setPreference("theme", next);
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  return next;
}
