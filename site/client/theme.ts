// The light and dark themes: the one that the person has chosen in the console, or here. Runs before the page is drawn.
import { readStored, writeStored } from "../../web/storage.ts";

/** The console has the same key. */
const storageKey = "commonplace-theme";
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

function applyTheme(): void {
  const chosen = readStored(storageKey);
  const isChosen = chosen === "light" || chosen === "dark";
  document.documentElement.dataset.theme = isChosen ? chosen : darkScheme.matches ? "dark" : "light";
}

applyTheme();
darkScheme.addEventListener("change", applyTheme);
// Also when another tab changes it.
addEventListener("storage", applyTheme);

document.addEventListener("DOMContentLoaded", () => {
  const select = document.querySelector<HTMLSelectElement>("#site-theme");
  if (!select) return;
  select.value = readStored(storageKey) ?? "system";
  select.addEventListener("change", () => {
    writeStored(storageKey, select.value === "system" ? null : select.value);
    applyTheme();
  });
  select.closest("label")?.removeAttribute("hidden");
});
