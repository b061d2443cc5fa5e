// The keys of the library, in one table. The listener and the dialog that lists them are made from it.
import type { Action } from "../../src/contract/console/actions.ts";

interface KeyRow {
  readonly act: string;
  /** As in `KeyboardEvent.key`; `Mod+` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys: readonly string[];
  readonly label: string;
  readonly group: "Find and read" | "Copy" | "Write" | "Organize" | "General";
  /** Only for those who may do this. */
  readonly needs?: Action;
}

export const keyTable = [
  { act: "find", keys: ["/"], label: "Find", group: "Find and read" },
  { act: "next", keys: ["j", "ArrowDown"], label: "Next snippet", group: "Find and read" },
  { act: "previous", keys: ["k", "ArrowUp"], label: "Previous snippet", group: "Find and read" },
  { act: "open", keys: ["Enter", "o"], label: "Open snippet", group: "Find and read" },
  { act: "nextVariation", keys: ["]"], label: "Next variation", group: "Find and read" },
  { act: "previousVariation", keys: ["["], label: "Previous variation", group: "Find and read" },
  { act: "back", keys: ["Escape"], label: "Back", group: "Find and read" },
  { act: "copy", keys: ["c"], label: "Copy", group: "Copy" },
  { act: "copyRaw", keys: ["C"], label: "Copy as is", group: "Copy" },
  { act: "copyLink", keys: ["l"], label: "Copy link", group: "Copy" },
  { act: "create", keys: ["n"], label: "New snippet", group: "Write", needs: "library.write" },
  { act: "edit", keys: ["e"], label: "Edit snippet", group: "Write", needs: "library.write" },
  { act: "save", keys: ["Mod+s"], label: "Save and keep editing", group: "Write", needs: "library.write" },
  { act: "saveAndClose", keys: ["Mod+enter"], label: "Save and close", group: "Write", needs: "library.write" },
  { act: "history", keys: ["h"], label: "Show history", group: "Find and read" },
  { act: "select", keys: ["x"], label: "Select or deselect", group: "Organize" },
  { act: "selectNext", keys: ["J", "Shift+ArrowDown"], label: "Extend selection down", group: "Organize" },
  { act: "selectPrevious", keys: ["K", "Shift+ArrowUp"], label: "Extend selection up", group: "Organize" },
  { act: "selectAll", keys: ["Mod+a"], label: "Select all", group: "Organize" },
  { act: "move", keys: ["m"], label: "Move to folder", group: "Organize", needs: "library.write" },
  { act: "tag", keys: ["t"], label: "Add or remove a tag", group: "Organize", needs: "library.write" },
  {
    act: "archive",
    keys: ["a"],
    label: "Archive or unarchive",
    group: "Organize",
    needs: "library.write",
  },
  { act: "remove", keys: ["Delete", "#"], label: "Delete", group: "Organize", needs: "library.write" },
  { act: "undo", keys: ["Mod+z"], label: "Undo", group: "Organize", needs: "library.write" },
  { act: "palette", keys: ["Mod+k"], label: "Find anything", group: "General" },
  { act: "help", keys: ["?"], label: "Show keyboard shortcuts", group: "General" },
] as const satisfies readonly KeyRow[];

export type KeyAct = (typeof keyTable)[number]["act"];
/** The rows as such, where it does not matter which they are. */
export const keyRows: readonly KeyRow[] = keyTable;

export interface KeyPress {
  readonly key: string;
  /** With ⌘ or Ctrl. */
  readonly isModified: boolean;
  readonly isShift?: boolean;
}

/** What a key does; undefined for a key that is not in the table. */
export function actOf({ key, isModified, isShift = false }: KeyPress): KeyAct | undefined {
  // With ⌘ or Ctrl, some systems report capitals while Caps Lock is on. A character says itself whether Shift is pressed.
  const pressed = isModified ? `Mod+${key.toLowerCase()}` : isShift && !isCharacter(key) ? `Shift+${key}` : key;
  return keyTable.find(({ keys }) => (keys as readonly string[]).includes(pressed))?.act;
}

/** A key that types a character. The others, such as arrows and Enter, belong to the control that has the focus. */
export const isCharacter = (key: string): boolean => [...key].length === 1 && key !== " ";

const names: Readonly<Record<string, string>> = { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc", Delete: "Del" };

/** What is printed on the keys: `Mod+k` → `⌘ K` or `Ctrl K`, `C` → `Shift C`. */
export function printedKeys(key: string, isMac: boolean): readonly string[] {
  if (key.startsWith("Mod+")) return [isMac ? "⌘" : "Ctrl", ...printedKeys(key.slice("Mod+".length), isMac)];
  if (key.startsWith("Shift+")) return [isMac ? "⇧" : "Shift", ...printedKeys(key.slice("Shift+".length), isMac)];
  if (/^[A-Z]$/.test(key)) return [isMac ? "⇧" : "Shift", key];
  return [names[key] ?? key.toUpperCase().replace("ENTER", "Enter")];
}
