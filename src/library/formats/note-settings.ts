// Which settings of a tool in a note are written to files for it. A note can be from anyone in the team.
import { leftOutSettings } from "./messages.ts";
import { type ToolData, takeData } from "./note-data.ts";
import type { Tool } from "./tool-block.ts";
import type { Tree, TreeSnippet, Warning } from "./tree.ts";

/** Whether the tool understands a value, by the name of the setting. */
export type Settings = ReadonlyMap<string, (value: unknown) => boolean>;

export const isText = (value: unknown): value is string => typeof value === "string";
export const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
export const areTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
/** As an attribute in XML. */
export const isBooleanText = (value: unknown): boolean => isBoolean(value) || value === "true" || value === "false";

/** The settings of a note that a tool understands, and the names of the others. That a text is a template is no setting. */
export function settingsOf(tool: Tool, snippet: TreeSnippet, settings: Settings) {
  const { hasTabStops: _, ...others } = takeData(tool, snippet).data;
  const isKnown = ([name, value]: [string, unknown]) => settings.get(name)?.(value) === true;
  const all = Object.entries(others);
  const known: ToolData = Object.fromEntries(all.filter(isKnown));
  return { known, leftOut: all.filter((each) => !isKnown(each)).map(([name]) => name) };
}

/** Names the settings that are left out. @param name of the tool, as people read it */
export const warnOfSettings = (
  name: string,
  { snippets }: Tree,
  leftOutOf: (snippet: TreeSnippet) => readonly string[],
): Warning[] =>
  leftOutSettings(
    name,
    snippets.flatMap((snippet) => leftOutOf(snippet).map((setting) => ({ name: setting, title: snippet.title }))),
  );
