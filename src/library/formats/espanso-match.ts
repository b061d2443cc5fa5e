// Writes a snippet as a match of Espanso. Its note can be from anyone in the team, so of the settings there, only those are written that
// cannot run a command, and only as Espanso expects them: a value of another type would make it ignore the whole file.
import {
  AskedValues,
  capturedNames,
  type Defined,
  defineAll,
  fillFromForm,
  isVariableName,
  mapTexts,
  unusedName,
} from "./espanso-variables.ts";
import { onlyText, type ToolData, takeData } from "./note-data.ts";
import { areTexts, isBoolean, isText, type Settings } from "./note-settings.ts";
import type { TreeSnippet } from "./tree.ts";
import { isRecord } from "./yaml.ts";

export const tool = "espanso";

/** What a match is replaced with, and the content type of such a text. */
export const kinds = {
  replace: "plaintext",
  markdown: "markdown",
  html: "html",
  form: "plaintext",
  image_path: "plaintext",
};
export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

/** Whether it names a file on this computer. To load an image from another one can tell it who the person is. */
const isLocalPath = (path: string): boolean => !/^\s*[\\/]{2}|:\/\//.test(path);

/** The note of a snippet whose settings are too long for it. */
export const elsewhere = `\`\`\`${tool}\nkeptIn: variation\n\`\`\``;

export interface WrittenMatch {
  readonly match: Readonly<Record<string, unknown>>;
  /** Variables that are left out, because they could run a command. */
  readonly leftOutVariables: readonly string[];
  /** Settings in the note that Espanso would not understand. */
  readonly leftOutSettings: readonly string[];
  /** Whether the snippet has settings in a variation that the tree does not have. */
  readonly isElsewhere: boolean;
}

const nestingMax = 16;
const isShallow = (value: unknown, left = nestingMax): boolean =>
  typeof value !== "object" ||
  value === null ||
  (left > 0 && Object.values(value).every((each) => isShallow(each, left - 1)));
const isMap = (value: unknown): boolean => isRecord(value) && isShallow(value);

/** What Espanso knows of a match, apart from its trigger, its text, and its variables. */
const settings: Settings = new Map([
  ["regex", isText],
  ...["word", "left_word", "right_word", "propagate_case", "force_clipboard", "paragraph"].map(
    (name) => [name, isBoolean] as const,
  ),
  ["uppercase_style", isText],
  ["force_mode", isText],
  ["comment", isText],
  ["search_terms", areTexts],
  ["form_fields", isMap],
]);

/** Those whose values come from the person or from their computer, and never from a program. */
const harmlessTypes: ReadonlySet<unknown> = new Set(["choice", "clipboard", "date", "echo", "form", "match", "random"]);

interface Variable extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly type: string;
}

/** Undefined where Espanso would not understand it. */
function readVariable(value: unknown): Variable | undefined {
  if (!isRecord(value) || !isText(value.name) || !isVariableName(value.name) || !isText(value.type)) return undefined;
  const { name, type, params, inject_vars, depends_on } = value;
  const isUnderstood =
    (params === undefined || isMap(params)) &&
    (inject_vars === undefined || isBoolean(inject_vars)) &&
    (depends_on === undefined || areTexts(depends_on));
  return isUnderstood
    ? {
        ...{ name, type },
        ...(params !== undefined && { params }),
        ...(inject_vars !== undefined && { inject_vars }),
        ...(depends_on !== undefined && { depends_on }),
      }
    : undefined;
}

export function writeMatch(snippet: TreeSnippet): WrittenMatch {
  const { variations, data } = takeData(tool, snippet);
  const { text } = onlyText(variations);
  // Null is what Espanso has where nothing is set.
  const set = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  const { kind: keptKind, triggers, vars, keptIn, ...others } = set;
  const kind =
    kindNames.find((name) => name === keptKind && (name !== "image_path" || isLocalPath(text.content))) ??
    (text.type === "markdown" || text.type === "html" ? text.type : "replace");
  const { title, shortcut } = snippet;
  const known = Object.entries(others).filter(([name, value]) => settings.get(name)?.(value));
  const kept: ToolData = Object.fromEntries(known);
  const given = (Array.isArray(vars) ? vars : vars === undefined ? [] : [null]).map(readVariable);
  const variables = given.filter((each) => each !== undefined);
  const leftOutSettings = [
    ...Object.keys(others).filter((name) => !Object.hasOwn(kept, name)),
    ...(variables.length < given.length ? ["vars"] : []),
  ];
  const harmless = variables.filter(({ type }) => harmlessTypes.has(type));
  const captured = shortcut === null && isText(kept.regex) ? capturedNames(kept.regex) : [];
  return {
    match: {
      ...triggerOf(shortcut, triggers),
      ...(title !== shortcut && { label: title }),
      ...(kind === "image_path"
        ? { image_path: text.content, ...kept }
        : textOf(kind, text.content, kept, harmless, captured)),
    },
    leftOutVariables: variables.filter(({ type }) => !harmlessTypes.has(type)).map(({ name }) => name),
    leftOutSettings,
    isElsewhere: keptIn !== undefined,
  };
}

/** The shortcut is the first of several triggers. */
function triggerOf(shortcut: string | null, triggers: unknown): object {
  if (shortcut === null) return {};
  return areTexts(triggers) && triggers.length > 1
    ? { triggers: [shortcut, ...triggers.slice(1)] }
    : { trigger: shortcut };
}

/** The text of a match and its settings, without an undefined variable. */
function textOf(
  kind: Exclude<Kind, "image_path">,
  content: string,
  kept: ToolData,
  variables: readonly Variable[],
  captured: readonly string[],
): object {
  const taken = new Set([...captured, ...variables.map(({ name }) => name)]);
  const asked = new AskedValues(taken);
  const defined = new Map(captured.map((name) => [name, { hasParts: false }]));
  const definitions: object[] = [];
  for (const variable of uniqueLast(variables)) {
    definitions.push(defineVariable(variable, defined, asked));
    defined.set(variable.name, { hasParts: variable.type === "form" });
  }
  if (kind !== "form") {
    const text = defineAll(content, defined, asked.inBraces);
    const all = [...asked.definitions, ...definitions];
    return { [kind]: text, ...kept, ...(all.length > 0 && { vars: all }) };
  }
  const first = asked.definitions;
  const layout = defineAll(content, defined, asked.asControl);
  if (definitions.length === 0) return { form: layout, ...kept };
  // Espanso ignores the variables of a form, so it becomes one of them.
  const { form_fields: fields, ...others } = kept;
  const name = unusedName("form1", taken);
  const form = { name, type: "form", params: { layout, ...(fields !== undefined && { fields }) } };
  return { replace: fillFromForm(layout, name), ...others, vars: [...first, ...definitions, form] };
}

/** A variable replaces one before it that has the same name, such as a global one. */
function uniqueLast(variables: readonly Variable[]): readonly Variable[] {
  const last = new Map(variables.map((variable) => [variable.name, variable]));
  return variables.filter((variable) => last.get(variable.name) === variable);
}

/** Its values can use those of the variables before it. */
function defineVariable(variable: Variable, before: Defined, asked: AskedValues): object {
  const { params, inject_vars, depends_on } = variable;
  const isInjected = params !== undefined && inject_vars !== false;
  return {
    ...variable,
    ...(isInjected && { params: mapTexts(params, (text) => defineAll(text, before, asked.inBraces)) }),
    ...(areTexts(depends_on) && { depends_on: depends_on.filter((other) => before.has(other)) }),
  };
}
