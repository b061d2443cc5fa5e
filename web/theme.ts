// Light or dark: as the system has it, until somebody chooses. Runs before anything is rendered, so that nothing flickers.
import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const place = "commonplace-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

/** Storage may be switched off in a browser; the choice then lasts as long as the page. */
function remembered(): Theme {
  try {
    const text = localStorage.getItem(place);
    return themes.find((theme) => theme === text) ?? "system";
  } catch {
    return "system";
  }
}

let chosen = remembered();

function show(): void {
  document.documentElement.dataset.theme = chosen === "system" ? (system.matches ? "dark" : "light") : chosen;
  for (const listener of listeners) listener();
}

export function setTheme(theme: Theme): void {
  chosen = theme;
  try {
    if (theme === "system") localStorage.removeItem(place);
    else localStorage.setItem(place, theme);
  } catch {
    // Not remembered then.
  }
  show();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What was chosen. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => chosen);

show();
system.addEventListener("change", show);
