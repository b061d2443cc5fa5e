// Live templates of the JetBrains editors: one XML file for each group.
import { placeholderNames } from "../placeholders.ts";
import { DifferentNames, fileName } from "./file-names.ts";
import { eachFile, type Format, textFile } from "./format.ts";
import { firstText, identifiers, warnOfInserted, withAsked } from "./found-codes.ts";
import type { InputFile } from "./input-file.ts";
import { readVariables } from "./jetbrains-variables.ts";
import { joined, namedOrCounted, shortened } from "./messages.ts";
import { keepData, onlyText, type ToolData, takeData } from "./note-data.ts";
import { isBooleanText, isText, type Settings, settingsOf, warnOfSettings } from "./note-settings.ts";
import { folderNames, lost, snippetsByFolder } from "./paths-of-tree.ts";
import type { Tree, TreeSnippet, Warning } from "./tree.ts";
import { type TreeBuilder, warnOfComments } from "./tree-builder.ts";
import { isSayableInXml, readXml, type XmlElement, xmlText } from "./xml.ts";
import { isRecord } from "./yaml.ts";

const tool = "jetbrains";

export const jetbrains: Format = {
  name: "JetBrains live templates",
  source: "https://plugins.jetbrains.com/docs/intellij/providing-live-templates.html",
  claims: ({ text }) =>
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE\s[^>[]*>\s*)?<templateSet\b/.test(text),
  codes: [{ name: "variables", pattern: /\$[A-Za-z_]\w*\$/ }],
  read: eachFile(readFile),
  write: (tree) => ({
    files: writeFiles(tree),
    warnings: [
      ...lost("JetBrains", tree, { folders: true }, tool),
      ...warnOfInserted(
        "JetBrains",
        [],
        tree.snippets.filter((snippet) => takeData(tool, snippet).data.hasTabStops !== true),
        { name: "variables", isAsked: () => true },
      ),
      ...warnOfSettings("JetBrains", tree, (snippet) => dataOf(snippet).leftOut),
      ...warnOfExpressions(tree),
      ...warnOfCharacters(tree),
    ],
  }),
};

function readFile(file: InputFile, into: TreeBuilder): void {
  if (file.text.includes("<!--")) warnOfComments(file.at(), into);
  for (const set of readXml(file).children("templateSet"))
    for (const template of set.children("template"))
      readTemplate(template, [...file.folders, set.attributes.group || file.stem], into);
}

function readTemplate({ place, attributes, children }: XmlElement, folder: readonly string[], into: TreeBuilder): void {
  const { name, value, description, ...others } = attributes;
  // Templates of the editors themselves name their texts instead of having them.
  if (value === undefined) {
    into.leaveOut(place, `The template "${name ?? ""}" has no text.`);
    return;
  }
  const variables = children("variable").map((each) => each.attributes);
  const context = Object.fromEntries(
    children("context").flatMap((each) =>
      each.children("option").map((option) => [option.attributes.name ?? "", option.attributes.value ?? ""]),
    ),
  );
  // `$` begins a variable; one that is text is written twice. What looks like our placeholders is text.
  const hasTabStops = value.replaceAll("$$", "").includes("$") || placeholderNames(value).length > 0;
  const data: ToolData = {
    ...(hasTabStops && { hasTabStops }),
    ...without(others, defaults),
    ...(variables.length > 0 && { variables }),
    ...(JSON.stringify(context) !== JSON.stringify(everywhere) && Object.keys(context).length > 0 && { context }),
  };
  const kept = keepData(tool, "", data, place, into);
  into.add(place, {
    title: description || (name ?? ""),
    content: hasTabStops ? value : value.replaceAll("$$", "$"),
    type: typeOf(Object.keys(context)),
    shortcut: name,
    note: kept.note,
    further: kept.further,
    folder,
  });
}

/** What a template has that is for all files. */
const defaults = { toReformat: "false", toShortenFQNames: "true" };
const everywhere = { OTHER: "true" };

const without = (attributes: Readonly<Record<string, string>>, known: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(attributes).filter(([name, value]) => known[name] !== value));

/** `JAVA_SCRIPT` → `javascript`, `KOTLIN_EXPRESSION` → `kotlin`; several languages, or none, are code. */
function typeOf(contexts: readonly string[]): string {
  const known =
    /^(java_?script|typescript|java|kotlin|python|php|ruby|go|rust|sql|css|html|xml|groovy|scala|json|yaml|shell_script)(?![a-z])/i;
  const found = new Set(contexts.map((name) => known.exec(name)?.[1]?.toLowerCase().replace("_", "") ?? "code"));
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : "code";
}

function writeFiles(tree: Tree) {
  const namesOf = folderNames(tree);
  const names = new DifferentNames();
  return [...snippetsByFolder(tree)].map(([folder, snippets]) => {
    const group = namesOf(folder).join(" - ") || "Commonplace";
    const templates = snippets.map(writeTemplate).join("");
    return textFile(
      names.of(fileName(group), ".xml"),
      `<templateSet group="${xmlText(group)}">\n${templates}</templateSet>\n`,
    );
  });
}

const tag = (name: string, attributes: Readonly<Record<string, unknown>>, end: string): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${xmlText(String(value))}"`)
    .join("")}${end}`;

/** Variables that mean something to the editors. */
const reserved = ["END", "SELECTION"];

/** What the editors know of a template, apart from its text and its variables. */
const settings: Settings = new Map([
  ...["toReformat", "toShortenFQNames", "useStaticImport", "deactivated"].map((name) => [name, isBooleanText] as const),
  ["shortcut", (value) => isText(value) && /^[A-Z]{1,20}$/.test(value)],
  ["context", (value) => isRecord(value) && Object.values(value).every(isBooleanText)],
  ["variables", (value) => Array.isArray(value)],
]);

/** What of the data in a note is written, and what is not. */
function dataOf(snippet: TreeSnippet) {
  const { known, leftOut } = settingsOf(tool, snippet, settings);
  const { variables: given, context, ...attributes } = known;
  const { variables, withCode, isWhole } = readVariables(given);
  return {
    variables,
    context: isRecord(context) ? context : everywhere,
    attributes,
    leftOut: isWhole ? leftOut : [...leftOut, "variables"],
    withCode,
  };
}

function writeTemplate(snippet: TreeSnippet): string {
  const { variations, data } = takeData(tool, snippet);
  const { text } = onlyText(variations);
  const { title, shortcut } = snippet;
  const { variables, context, attributes } = dataOf(snippet);
  const hasTabStops = data.hasTabStops === true;
  const names = hasTabStops ? new Map<string, string>() : identifiers(placeholderNames(text.content), reserved);
  const asked = [...names].map(([placeholder, name]) => ({
    name,
    expression: "",
    defaultValue: `"${placeholder.replaceAll(/["\\]/g, "'")}"`,
    alwaysStopAt: "true",
  }));
  const lines = [
    ...[...variables, ...asked].map((each) => `    ${tag("variable", { ...each }, " />")}`),
    "    <context>",
    ...Object.entries(context).map(([name, value]) => `      ${tag("option", { name, value }, " />")}`),
    "    </context>",
  ];
  const value = hasTabStops
    ? text.content
    : withAsked(
        text.content,
        (placeholder) => `$${names.get(placeholder)}$`,
        (piece) => piece.replaceAll("$", "$$$$"),
      );
  const all = {
    ...{ name: shortcut ?? title, value },
    ...(shortcut !== null && shortcut !== title && { description: title }),
    ...defaults,
    ...attributes,
  };
  return `  ${tag("template", all, ">")}\n${lines.join("\n")}\n  </template>\n`;
}

function warnOfExpressions({ snippets }: Tree): Warning[] {
  const names = snippets.flatMap((snippet) =>
    dataOf(snippet).withCode.map((name) => `$${name}$ of "${shortened(snippet.title)}"`),
  );
  return names.length === 0
    ? []
    : [{ message: `Expressions that could run code are left out: ${joined(names)}. JetBrains asks for their values.` }];
}

function warnOfCharacters({ snippets }: Tree): Warning[] {
  const isSayable = (snippet: TreeSnippet) =>
    [firstText(snippet), snippet.title, snippet.shortcut ?? ""].every(isSayableInXml);
  const found = snippets.filter((snippet) => !isSayable(snippet)).map(({ title }) => title);
  return found.length === 0
    ? []
    : [{ message: `XML cannot represent some control characters (left out of ${namedOrCounted(found)}).` }];
}
