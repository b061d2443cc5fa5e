// How much the list shows of each snippet: three lines, or two small ones, so that twice as many fit. The choice is remembered.
import { readStored, writeStored } from "../../storage.ts";
import { createStore } from "../../store.ts";

const storageKey = "commonplace-rows";

export const areRowsCompact = createStore(readStored(storageKey) === "compact");

export function setCompactRows(isCompact: boolean): void {
  areRowsCompact.set(isCompact);
  writeStored(storageKey, isCompact ? "compact" : null);
}

/** In pixels; the same for all rows, so that thousands of them need no measuring. */
export const rowHeightOf = (isCompact: boolean): number => (isCompact ? 44 : 88);
