// What people call the formats.

export const formatNames: Readonly<Record<string, string>> = {
  commonplace: "Commonplace archive",
  vscode: "VS Code",
  espanso: "Espanso",
  raycast: "Raycast",
  textblaze: "Text Blaze",
  textexpander: "TextExpander",
  alfred: "Alfred",
  jetbrains: "JetBrains live templates",
  ultisnips: "UltiSnips",
  snipmate: "SnipMate",
  bytestash: "ByteStash",
  snipo: "Snipo",
  masscode: "massCode",
  gists: "GitHub gists",
  markdown: "Markdown files",
  csv: "CSV",
  text: "Plain text files",
};

/** Those that an export can have, the ones that most people ask for first. */
export const exportFormats = [
  ...["commonplace", "vscode", "espanso", "raycast", "markdown", "csv"],
  ...["textexpander", "alfred", "textblaze", "jetbrains", "ultisnips", "snipmate", "text"],
] as const;
