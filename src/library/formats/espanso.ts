// Matches of Espanso: YAML files, as in its configuration and its packages.
import { placeholderNames } from "../placeholders.ts";
import type { Code } from "./codes.ts";
import { elsewhere, type Kind, kindNames, kinds, tool, writeMatch } from "./espanso-match.ts";
import { capturedNames, withPlaceholders } from "./espanso-variables.ts";
import { DifferentNames, fileName } from "./file-names.ts";
import { eachFile, type Format, textFile } from "./format.ts";
import { firstText, warnOfCodesIn } from "./found-codes.ts";
import type { InputFile } from "./input-file.ts";
import { listed, shortened } from "./messages.ts";
import { keepData, type ToolData } from "./note-data.ts";
import { folderNames, lost, snippetsByFolder } from "./paths-of-tree.ts";
import type { Place, Tree, Warning, WrittenFiles } from "./tree.ts";
import { type TreeBuilder, titleOf, warnOfComments } from "./tree-builder.ts";
import { isRecord, readYaml, type YamlValue } from "./yaml.ts";
import { yamlText } from "./yaml-text.ts";

/** Where Espanso puts the cursor. They cannot be escaped. */
const cursorMarkers: Code = { name: "cursor markers", pattern: /\$\|\$/ };

export const espanso: Format = {
  name: "Espanso",
  source: "https://espanso.org/docs/matches/basics/",
  claims: ({ text, looksLikeJson }) => !looksLikeJson && /^(?:matches|global_vars)[ \t]*:/m.test(text),
  codes: [cursorMarkers, { name: "escapes", pattern: /\\\{\\\{/ }],
  read: eachFile(readFile),
  write: writeTree,
};

interface GlobalVariable {
  readonly place: Place;
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Fields of a package that say nothing about its texts. */
const fileFields = new Set(["matches", "global_vars", "name", "parent", "anchors"]);

function readFile(file: InputFile, into: TreeBuilder): void {
  const { fields, hasComments } = readYaml(file);
  if (hasComments) warnOfComments(file.at(), into);
  const folder = folderOf(file);
  const globals = fields
    .filter(({ name }) => name === "global_vars")
    .flatMap(({ items }) => items)
    .flatMap(({ place, plain }): GlobalVariable[] =>
      isRecord(plain) && typeof plain.name === "string" ? [{ place, name: plain.name, value: plain }] : [],
    );
  for (const { name, value } of fields)
    if (!fileFields.has(name)) into.warn(value.place, `The file's "${name}" setting is left out.`);
  const used = new Set<GlobalVariable>();
  for (const { value, items } of fields.filter(({ name }) => name === "matches")) {
    if (items.length === 0 && value.plain) into.leaveOut(value.place, "The matches are not a list.");
    for (const match of items) for (const each of readMatch(match, folder, globals, into)) used.add(each);
  }
  for (const global of globals)
    if (!used.has(global))
      into.warn(
        global.place,
        `The global variable "${global.name}" is left out, because no match in the file uses it.`,
      );
}

/** A package is named by its folder, and keeps its matches in `package.yml`. */
const folderOf = ({ stem, folders }: InputFile): readonly string[] =>
  stem === "package" && folders.length > 0 ? folders : [...folders, stem];

const isText = (field: string): boolean => Object.hasOwn(kinds, field) || field === "trigger" || field === "label";

/** @returns the global variables that it uses */
function readMatch(
  { place, plain, writtenFields }: YamlValue,
  folder: readonly string[],
  globals: readonly GlobalVariable[],
  into: TreeBuilder,
): readonly GlobalVariable[] {
  // Espanso types a number as it is written.
  const match = {
    ...(isRecord(plain) ? plain : {}),
    ...Object.fromEntries([...writtenFields].filter(([name]) => isText(name))),
  };
  const kind = kindNames.find((name) => match[name] !== undefined && match[name] !== null);
  if (kind === undefined) {
    into.leaveOut(place, "The match has no text.");
    return [];
  }
  const triggers = [match.trigger ?? match.triggers ?? []].flat().map(String);
  const { [kind]: _, trigger: _trigger, triggers: _triggers, label, vars, ...others } = match;
  const { content, variables } = withPlaceholders(String(match[kind]), vars);
  const used = usedGlobals(content, variables, globals);
  for (const { name } of used) into.warn(place, `The global variable "${name}" is copied into the snippet.`);
  const data: ToolData = {
    ...(kind !== "replace" && { kind }),
    ...(triggers.length > 1 && { triggers }),
    ...others,
    ...(used.length > 0
      ? { vars: [...used.map(({ value }) => value), ...[variables ?? []].flat()] }
      : variables !== undefined && { vars: variables }),
  };
  const title = typeof label === "string" ? label : (triggers[0] ?? "");
  const losses = lossesOf(kind, content, match, [data.vars ?? []].flat());
  if (losses.length > 0) into.warn(place, `"${title === "" ? titleOf(content) : title}": ${losses.join(" ")}`);
  const kept = keepData(tool, "", data, place, into);
  into.add(place, {
    title,
    content,
    type: kinds[kind],
    shortcut: triggers[0],
    // Not everyone who writes files for Espanso reads variations. The note tells them that there is more.
    note: kept.further.length > 0 ? elsewhere : kept.note,
    further: kept.further,
    folder,
  });
  return used;
}

/** What Espanso does with a match, and we do not. */
function lossesOf(
  kind: Kind,
  content: string,
  match: Readonly<Record<string, unknown>>,
  variables: readonly unknown[],
): string[] {
  const types = new Map(
    variables.flatMap((each) => (isRecord(each) && each.name ? [[String(each.name), String(each.type)]] : [])),
  );
  const captured = new Set(capturedNames(String(match.regex ?? "")));
  const filled = placeholderNames(content).flatMap((name) => {
    const variable = name.split(".")[0] ?? "";
    const type = types.get(variable) ?? (captured.has(variable) ? "regex" : undefined);
    return type === undefined ? [] : [`{{${name}}} (${shortened(type)})`];
  });
  const fields = kind === "form" ? [...new Set(content.match(/\[\[\w+\]\]/g))] : [];
  return [
    ...(filled.length === 1
      ? [
          `Espanso fills in ${listed(filled)}. Here, it is a placeholder: you are asked for its value when you copy the text.`,
        ]
      : []),
    ...(filled.length > 1
      ? [
          `Espanso fills in ${listed(filled)}. Here, these are placeholders: you are asked for their values when you copy the text.`,
        ]
      : []),
    ...(fields.length > 0 ? [`The form fields are kept as plain text: ${listed(fields)}.`] : []),
    ...(match.regex === undefined ? [] : ["It has no shortcut, because its trigger is a regular expression."]),
    ...(kind === "image_path" ? ["The image is not imported, only its path."] : []),
  ];
}

/** The global variables that a text uses, also through others, in the order of the file. */
function usedGlobals(content: string, variables: unknown, globals: readonly GlobalVariable[]): GlobalVariable[] {
  const used = new Set<GlobalVariable>();
  const find = (text: string): void => {
    for (const global of globals) {
      if (used.has(global) || !text.includes(`{{${global.name}`)) continue;
      used.add(global);
      find(JSON.stringify(global.value));
    }
  };
  if (globals.length > 0) find(content + JSON.stringify(variables ?? ""));
  return globals.filter((global) => used.has(global));
}

function writeTree(tree: Tree): WrittenFiles {
  const namesOf = folderNames(tree);
  const names = new DifferentNames();
  const variables: string[] = [];
  const settings: string[] = [];
  const unread: string[] = [];
  const files = [...snippetsByFolder(tree)].map(([folder, snippets]) => {
    const matches: unknown[] = [];
    const comments: string[] = [];
    for (const snippet of snippets) {
      const { match, leftOutVariables, leftOutSettings, isElsewhere } = writeMatch(snippet);
      matches.push(match);
      const of = `"${shortened(snippet.title)}"`;
      for (const name of leftOutVariables) variables.push(`{{${name}}} of ${of}`);
      if (isElsewhere) unread.push(of);
      for (const name of leftOutSettings) settings.push(`${name} of ${of}`);
      const leftOut = [
        ...leftOutVariables.map((name) => `{{${name}}}`),
        ...leftOutSettings,
        ...(isElsewhere ? ["settings in a variation"] : []),
      ]
        .map(shortened)
        .join(", ");
      if (leftOut !== "") comments.push(`# Left out of ${of}: ${leftOut}\n`);
    }
    const path = names.of(fileName(namesOf(folder).join(" - ") || "commonplace"), ".yml");
    const text = yamlText({ matches });
    // A downloaded file has no other place to say what it lacks.
    return textFile(path, `${comments.join("")}${text}`);
  });
  return {
    files,
    warnings: [
      ...leftOutWarnings({ variables, settings, unread }),
      ...lost("Espanso", tree, { folders: true }, tool),
      ...warnOfCodesIn("Espanso", [cursorMarkers], tree.snippets.map(firstText)),
    ],
  };
}

interface LeftOut {
  readonly variables: readonly string[];
  readonly settings: readonly string[];
  /** Snippets whose settings are in a variation that is not here. */
  readonly unread: readonly string[];
}

function leftOutWarnings({ variables, settings, unread }: LeftOut): Warning[] {
  const inFiles = "Comments in the files list all of them.";
  return [
    ...(variables.length > 0
      ? [
          `Variables that could run a command are left out: ${listed(variables)}. Espanso asks for their values. ${inFiles}`,
        ]
      : []),
    ...(settings.length > 0
      ? [`Settings in notes that Espanso would not understand are left out: ${listed(settings)}. ${inFiles}`]
      : []),
    ...(unread.length > 0
      ? [
          `The settings of ${listed(unread)} are left out, because they were too long for the note and are stored in a variation. ${inFiles}`,
        ]
      : []),
  ].map((message) => ({ message }));
}
