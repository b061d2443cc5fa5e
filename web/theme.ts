// The light and dark themes. Follows the system until the person picks one. Runs before the first render, so that nothing flickers.
import { readStored, writeStored } from "./storage.ts";
import { createStore, useStore } from "./store.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storageKey = "commonplace-theme";
const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const stored = readStored(storageKey);
const current = createStore<Theme>(themes.find((theme) => theme === stored) ?? "system");

/** The chosen theme; `system` follows the operating system. */
export const useTheme = (): Theme => useStore(current);

/** Applies a theme and saves it. */
export function setTheme(theme: Theme): void {
  current.set(theme);
  writeStored(storageKey, theme === "system" ? null : theme);
  applyTheme();
}

function applyTheme(): void {
  const theme = current.get();
  document.documentElement.dataset.theme = theme === "system" ? (darkScheme.matches ? "dark" : "light") : theme;
}

applyTheme();
darkScheme.addEventListener("change", applyTheme);
