// What people call the formats. The pages use this too.

export const formatNames = {
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
  markdown: "Markdown",
  csv: "CSV",
  text: "Plain text files",
} as const;
