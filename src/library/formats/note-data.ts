// What a tool says about a snippet and we have no field for: at the end of its note, or in a variation if it is long, so that the tool
// gets it back.
import { stringify } from "yaml";
import { limits } from "../../contract/limits.ts";
import { tooDeepAt } from "./json.ts";
import { counted, listed } from "./messages.ts";
import { shownNote, type Tool, toolNames } from "./tool-block.ts";
import type { Place, TreeSnippet, TreeVariation } from "./tree.ts";
import type { TreeBuilder } from "./tree-builder.ts";
import { plainOf, readYamlDocument } from "./yaml-document.ts";

/** Data of a tool, by the name of its format, as plain values. */
export type ToolData = Readonly<Record<string, unknown>>;

/**
 * The note and the further variation that keep the description and the data.
 * @param into collects a warning about the fields that have no counterpart here
 */
export function keepData(tool: Tool, description: string, data: ToolData, place: Place, into: TreeBuilder) {
  if (Object.keys(data).length === 0) return { note: description, further: [] };
  const named = Object.keys(data).filter((name) => !ownFields.has(name));
  // What a template contains is said by itself.
  if (named.length > 0 || !data.hasTabStops) into.summarize(place, "settings", describeSettings, named);
  const text = stringify(data, { lineWidth: 0, aliasDuplicateObjects: false });
  const note = `${description}${description === "" ? "" : "\n\n"}\`\`\`${tool}\n${text}\`\`\``;
  const isShort = [...note].length <= limits.noteLengthMax && !/^```/m.test(text);
  if (isShort) return { note, further: [] };
  return {
    note: description,
    further: [{ name: variationOf(tool), type: "json", content: JSON.stringify(data, undefined, 1) }],
  };
}

/** What we keep to write a text again, and no person has put in. */
const ownFields: ReadonlySet<string> = new Set(["kind", "hasTabStops", "version"]);

const describeSettings = (count: number, names: readonly string[]): string =>
  `${counted(count, "snippet")} ${count === 1 ? "has" : "have"} settings that Commonplace has no field for${names.length === 0 ? "" : ` (${listed(names)})`}. These settings are kept in the note or, if they are too long for it, in a variation.`;

const variationOf = (tool: Tool): string => `${toolNames[tool]} settings`;

/** What of a snippet is not data of a tool: its description and the variations that are its texts. */
export function ownOf(tool: Tool | undefined, { note, variations }: TreeSnippet) {
  const further = tool && variations.find(({ name }) => name === variationOf(tool));
  const match = tool && new RegExp(`(?:^|\\n\\n)\`\`\`${tool}\\n([\\s\\S]*?)\`\`\`$`).exec(note ?? "");
  return {
    // The data of another tool is no description either.
    description: shownNote(note ?? ""),
    variations: further ? variations.filter((each) => each !== further) : variations,
    // A note can say that the data is in the variation.
    dataText: further?.content ?? match?.[1],
  };
}

/** The same, and the data. */
export function takeData(tool: Tool, snippet: TreeSnippet) {
  const { dataText, ...own } = ownOf(tool, snippet);
  return { ...own, data: dataText === undefined ? {} : dataOf(snippet, dataText) };
}

/** An export reads the data of a snippet several times. */
const lastRead = new WeakMap<TreeSnippet, { readonly text: string; readonly data: ToolData }>();

function dataOf(snippet: TreeSnippet, text: string): ToolData {
  const known = lastRead.get(snippet);
  if (known?.text === text) return known.data;
  const data = parseData(text);
  lastRead.set(snippet, { text, data });
  return data;
}

/** No data where someone has changed it into something else. */
function parseData(text: string): ToolData {
  // Most data by far, which takes a parser much longer.
  if (text === "hasTabStops: true\n") return { hasTabStops: true };
  try {
    const data = text.startsWith("{") ? parseJsonData(text) : parseYamlData(text);
    return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as ToolData) : {};
  } catch {
    return {};
  }
}

const parseJsonData = (text: string): unknown => (tooDeepAt(text) === undefined ? JSON.parse(text) : undefined);

/** What we write has no anchors. */
function parseYamlData(text: string): unknown {
  const document = readYamlDocument(text);
  return document.errors.length === 0 ? plainOf(document.contents, document, 0) : undefined;
}

/** The first variation, and what a format that has one text for a snippet leaves out. */
export function onlyText(variations: readonly TreeVariation[]): { text: TreeVariation; leftOut: string[] } {
  const [text, ...others] = variations;
  return {
    text: text ?? { name: "", type: "plaintext", content: "", changedAt: null, formerVersions: [] },
    leftOut: others.map(({ name }) => name),
  };
}
