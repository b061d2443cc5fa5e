// What people call the formats.
import { formatNames as names } from "../../../src/library/formats/format-names.ts";

export const formatNames: Readonly<Record<string, string>> = names;

/** Those that an export can have, the ones that most people ask for first. */
export const exportFormats = [
  ...["commonplace", "vscode", "espanso", "raycast", "markdown", "csv"],
  ...["textexpander", "alfred", "textblaze", "jetbrains", "ultisnips", "snipmate", "text"],
] as const;
