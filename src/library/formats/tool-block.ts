// The block at the end of a note in which the data of a tool is kept. It is for the tool, and is not shown as a note. The pages use this too.

/** The tools whose data we keep, as people read them, by the first line of the block. */
export const toolNames = {
  espanso: "Espanso",
  jetbrains: "JetBrains",
  snipmate: "SnipMate",
  ultisnips: "UltiSnips",
  vscode: "VS Code",
} as const;

/** A tool whose data we keep. */
export type Tool = keyof typeof toolNames;

const one = `\`\`\`(${Object.keys(toolNames).join("|")})\\n(?:(?:(?!\\n\`\`\`)[\\s\\S])*\\n)?\`\`\``;
const blocks = new RegExp(`(?:(?:^|\\n\\n)${one})+$`);

/** What a person has written into a note. */
export const shownNote = (note: string): string => (note.endsWith("```") ? note.replace(blocks, "") : note);

/** The tool whose data is at the end of a note, as people read it. */
export function toolOfNote(note: string): string | undefined {
  const tool = blocks.exec(note)?.[1];
  // The pattern has only their names.
  return tool === undefined ? undefined : toolNames[tool as Tool];
}
