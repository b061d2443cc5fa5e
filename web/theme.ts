// The light and dark themes. Follows the system until the person picks one. Runs before the first render, so that nothing flickers.
import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storageKey = "commonplace-theme";
const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

/** Storage may be disabled; the choice then lasts until the page is reloaded. */
function readTheme(): Theme {
  try {
    const text = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === text) ?? "system";
  } catch {
    return "system";
  }
}

let currentTheme = readTheme();

function applyTheme(): void {
  document.documentElement.dataset.theme =
    currentTheme === "system" ? (darkScheme.matches ? "dark" : "light") : currentTheme;
  for (const listener of listeners) listener();
}

export function setTheme(theme: Theme): void {
  currentTheme = theme;
  try {
    if (theme === "system") localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is disabled: the choice is not saved.
  }
  applyTheme();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The chosen theme; `system` follows the operating system. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => currentTheme);

applyTheme();
darkScheme.addEventListener("change", applyTheme);
