// Writes snippet files of Vim: UltiSnips and SnipMate. Each line of such a file means something, and UltiSnips takes more characters for
// line ends than Vim does, so no text, title, shortcut, or setting of a note may add a line.
import { DifferentNames, fileName } from "./file-names.ts";
import { textFile } from "./format.ts";
import { firstText } from "./found-codes.ts";
import { isOfAnyLanguage, vimFiletypes } from "./language-names.ts";
import { hasOtherLineEnds, onOneLine, withUnixLineEnds } from "./line-ends.ts";
import { counted, namedOrCounted } from "./messages.ts";
import { takeData } from "./note-data.ts";
import { type Settings, settingsOf, warnOfSettings } from "./note-settings.ts";
import { folderNames, lost } from "./paths-of-tree.ts";
import { codeIn, syntaxes, warnOfTabStops, writeBody } from "./tab-stops.ts";
import type { Tree, TreeSnippet, Warning, WrittenCode, WrittenFiles } from "./tree.ts";

/** Python that UltiSnips runs before or after it inserts a text, or to find out whether it does. */
export const actionNames = ["context", "pre_expand", "post_expand", "post_jump"] as const;

type VimTool = "ultisnips" | "snipmate";
const tools = {
  ultisnips: { name: "UltiSnips", everyLanguage: "all", write: writeUltisnips, between: [""] },
  // SnipMate adds empty lines between two snippets to the first one.
  snipmate: { name: "SnipMate", everyLanguage: "_", write: writeSnipmates, between: [] },
} as const;

/** A part of a file: lines that are a snippet, or say something about those after it. */
interface Block {
  readonly lines: readonly string[];
  /** Undefined: no snippet. */
  readonly snippet?: TreeSnippet;
  /** Code in it that the tool runs. */
  readonly code?: string | undefined;
}

export function writeVimSnippets(tree: Tree, tool: VimTool): WrittenFiles {
  const { name, write, between } = tools[tool];
  const code: WrittenCode[] = [];
  const files = [...snippetsByFile(tree, tool)].map(([path, snippets]) => {
    const blocks = write(snippets);
    const lines: string[] = [];
    for (const block of blocks) {
      if (lines.length > 0) lines.push(...between);
      if (block.snippet && block.code !== undefined)
        code.push({
          title: block.snippet.title,
          place: { file: path, line: lines.length + 1 },
          example: block.code,
        });
      lines.push(...block.lines);
    }
    return textFile(path, `${lines.join("\n")}\n`);
  });
  return {
    files,
    code,
    warnings: [
      ...lost(name, tree, { folders: true }, tool),
      ...lineEnds(tree),
      ...warnOfTabStops(syntaxes[tool], name, tree),
      ...(tool === "ultisnips" ? [...warnOfEnds(tree), ...warnOfSettings(name, tree, leftOutOf)] : []),
    ],
  };
}

/** The snippets of each file. Vim loads only files whose names begin with a type of file. */
function snippetsByFile(tree: Tree, tool: VimTool): Map<string, TreeSnippet[]> {
  const namesOf = folderNames(tree);
  const names = new DifferentNames();
  const byStem = Map.groupBy(tree.snippets, ({ folder, variations: [first] }) => {
    const type = first?.type ?? "plaintext";
    const filetype = isOfAnyLanguage(type) ? tools[tool].everyLanguage : fileName(vimFiletypes.nameOf(type));
    const name = namesOf(folder).join("-");
    // A folder that was imported from such a file already has its name.
    const isNamed = name === filetype || name.startsWith(`${filetype}_`);
    return isNamed ? name : [filetype, ...(name === "" ? [] : [name])].join("_");
  });
  return new Map([...byStem].map(([stem, snippets]) => [names.of(fileName(stem), ".snippets"), snippets]));
}

/** Where there is no shortcut, the title becomes one. */
const triggerOf = ({ shortcut, title }: TreeSnippet): string =>
  onOneLine(shortcut ?? "") || onOneLine(title) || "snippet";

/** The text that the tool gets. It would insert a line break in the place of any line end. */
const textOf = (tool: VimTool, snippet: TreeSnippet): string => withUnixLineEnds(writeBody(syntaxes[tool], snippet));

const matches =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value !== "object" && pattern.test(onOneLine(String(value)));

/** What UltiSnips knows of a snippet, apart from its trigger and text. With the option `e`, it would take the title for code. */
const settings: Settings = new Map([
  ["options", matches(/^[!biwrtsmA]+$/)],
  ["priority", matches(/^-?\d{1,9}$/)],
  ...actionNames.map((name) => [name, matches(/\S/)] as const),
]);

const leftOutOf = (snippet: TreeSnippet) => settingsOf("ultisnips", snippet, settings).leftOut;

function writeUltisnips(snippets: readonly TreeSnippet[]): Block[] {
  return snippets.map(writeUltisnip);
}

/** A line that UltiSnips takes for the end of a snippet. It gets a space before it. */
const endLine = /^endsnippet(?=[\s\p{Cc}]*$)/gmu;

function writeUltisnip(snippet: TreeSnippet): Block {
  const { known } = settingsOf("ultisnips", snippet, settings);
  const texts = Object.entries(known).map(([name, value]) => [name, onOneLine(String(value))] as const);
  const { options, priority, ...actions } = Object.fromEntries(texts);
  const trigger = triggerOf(snippet);
  const isRegular = options?.includes("r");
  const quote = ["!", "|", "~", "%", "@"].find((each) => !trigger.includes(each)) ?? "!";
  const shown = /\s/.test(trigger) || isRegular ? quote + trigger + quote : trigger;
  const title = `"${onOneLine(snippet.title).replaceAll('"', "'")}"`;
  const lines = [
    ...(priority ? [`priority ${priority}`] : []),
    ...Object.entries(actions).map((words) => words.join(" ")),
    `snippet ${shown} ${title}${options ? ` ${options}` : ""}`,
    ...textOf("ultisnips", snippet).replaceAll(endLine, " endsnippet").split("\n"),
    "endsnippet",
    // It holds for what follows, too.
    ...(priority ? ["priority 0"] : []),
  ];
  const [action] = Object.entries(actions);
  const code = action ? action.join(" ") : codeIn(syntaxes.ultisnips, snippet);
  return { lines, snippet, code };
}

/** The version of SnipMate's syntax in which every special character can be escaped. */
const snipmateVersion = "1";

function writeSnipmates(snippets: readonly TreeSnippet[]): Block[] {
  const byVersion = Map.groupBy(snippets, (snippet) => {
    const { hasTabStops, version } = takeData("snipmate", snippet).data;
    if (hasTabStops !== true) return snipmateVersion;
    return version === undefined || !/^\d$/.test(String(version)) ? undefined : String(version);
  });
  // A version holds for what follows, so that templates without one come first.
  const sorted = [...byVersion].sort(([a], [b]) => Number(a !== undefined) - Number(b !== undefined));
  return sorted.flatMap(([version, each]) => [
    ...(version === undefined ? [] : [{ lines: [`version ${version}`] }]),
    ...each.map(writeSnipmate),
  ]);
}

function writeSnipmate(snippet: TreeSnippet): Block {
  // A trigger must not have spaces.
  const trigger = triggerOf(snippet).replaceAll(/\s+/g, "_");
  const lines = textOf("snipmate", snippet)
    .split("\n")
    .map((line) => `\t${line}`);
  const header = `snippet ${trigger} ${onOneLine(snippet.title)}`.trimEnd();
  return { lines: [header, ...lines], snippet, code: codeIn(syntaxes.snipmate, snippet) };
}

/** Vim's tools read any line end as the same. */
function lineEnds({ snippets }: Tree): Warning[] {
  const count = snippets.filter((snippet) => hasOtherLineEnds(firstText(snippet))).length;
  return count === 0
    ? []
    : [{ message: `The line endings of ${counted(count, "snippet")} are converted to Unix style.` }];
}

function warnOfEnds({ snippets }: Tree): Warning[] {
  const isFound = (snippet: TreeSnippet) => textOf("ultisnips", snippet).search(endLine) >= 0;
  const found = snippets.filter(isFound).map(({ title }) => title);
  return found.length === 0
    ? []
    : [
        {
          message: `Lines that contain only "endsnippet" would end the snippet, so they begin with a space (in ${namedOrCounted(found)}).`,
        },
      ];
}
