// The variables in the texts of Espanso matches. Espanso inserts an error in place of a text with an undefined variable, so a match that we
// write asks for the values of our placeholders in a form.
import { placeholderNames } from "../placeholders.ts";
import { isRecord } from "./yaml.ts";

/** `\w` and `\s` as Espanso understands them. */
const word = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+`;
const space = String.raw`\p{White_Space}*`;

const inBraces = /\{\{([^{}]*)\}\}/g;
const reference = new RegExp(`^${space}(${word})(?:\\.(${word}))?${space}$`, "u");
const control = new RegExp(`\\[\\[${space}(${word})(?:\\.${word})?${space}\\]\\]`, "gu");
const wholeWord = new RegExp(`^${word}$`, "u");
/** Names of placeholders that people write. Others, such as `{{< figure >}}`, are meant for programs, and Espanso leaves them as they are. */
const readableName = new RegExp(`^${word}(?:[ .'’/-]+${word})*$`, "u");

export const isVariableName = (name: string): boolean => wholeWord.test(name);

/** The variables that a text can use, and whether the value is a part of them, as in `{{form1.name}}`. */
export type Defined = ReadonlyMap<string, { readonly hasParts: boolean }>;

/** The named groups of a regular expression: Espanso fills them in. */
export const capturedNames = (regex: string): readonly string[] =>
  Array.from(regex.matchAll(/\(\?P?<(\w+)>/g), ([, name]) => name ?? "");

/** How a text refers to a value that has no definition: in braces, or as a control of a form. */
type Refer = (inner: string, name: string) => string;

/** Replaces the undefined variables of a text. What are braces to us, and would be a variable to Espanso, is escaped. */
export const defineAll = (text: string, defined: Defined, refer: Refer): string =>
  text.replace(inBraces, (whole, inner: string) => {
    const [, variable = "", part] = reference.exec(inner) ?? [];
    const definition = defined.get(variable);
    if (definition && (part !== undefined || !definition.hasParts)) return whole;
    const name = inner.trim();
    if (placeholderNames(whole).length === 1 && readableName.test(name)) return refer(inner, name);
    return variable === "" ? whole : `\\{\\{${inner}\\}\\}`;
  });

/** The values that a match asks for, in one form. */
export class AskedValues {
  readonly #variable: string;
  /** By the name of the placeholder. */
  readonly #fields = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** @param taken names of other variables */
  constructor(taken: ReadonlySet<string>) {
    this.#variable = unusedName("commonplace", taken);
  }

  readonly inBraces: Refer = (inner, name) =>
    `{{${inner.replace(name, () => `${this.#variable}.${this.#fieldOf(name)}`)}}}`;
  readonly asControl: Refer = (_, name) => `[[${this.#fieldOf(name)}]]`;

  /** Before all other variables, which can use it. */
  get definitions(): object[] {
    const layout = [...this.#fields].map(([name, field]) => `${name}: [[${field}]]`).join("\n");
    return layout === "" ? [] : [{ name: this.#variable, type: "form", params: { layout } }];
  }

  #fieldOf(name: string): string {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const base = name.replaceAll(/[ .'’/-]+/g, "_");
    let field = base;
    while (this.#used.has(field)) {
      const count = (this.#counts.get(base) ?? 1) + 1;
      this.#counts.set(base, count);
      field = `${base}_${count}`;
    }
    this.#used.add(field);
    this.#fields.set(name, field);
    return field;
  }
}

export function unusedName(name: string, taken: ReadonlySet<string>): string {
  let unused = name;
  while (taken.has(unused)) unused += "_";
  return unused;
}

const askedLine = new RegExp(`^(.+): \\[\\[(${word})\\]\\]$`, "u");

/** Our placeholders of a form that `AskedValues` made, by how a text refers to them; undefined for any other variable. */
function placeholdersOf(variable: unknown): Map<string, string> | undefined {
  if (!isRecord(variable) || variable.type !== "form" || !/^commonplace_*$/.test(String(variable.name)))
    return undefined;
  const layout = isRecord(variable.params) ? variable.params.layout : undefined;
  const lines = typeof layout === "string" ? layout.split("\n").map((line) => askedLine.exec(line)) : [null];
  const placeholders = new Map<string, string>();
  for (const line of lines) {
    if (!line) return undefined;
    placeholders.set(`${variable.name}.${line[2]}`, line[1] ?? "");
  }
  return placeholders;
}

/** A text and variables as they were before their placeholders were asked for in a form. */
export function withPlaceholders(content: string, variables: unknown): { content: string; variables: unknown } {
  const all: readonly unknown[] = Array.isArray(variables) ? variables : [];
  const form = all.find(placeholdersOf);
  const placeholders = placeholdersOf(form);
  if (!placeholders) return { content, variables };
  const restore = (text: string): string =>
    text.replace(inBraces, (whole, inner: string) => {
      const name = placeholders.get(inner.trim());
      return name === undefined ? whole : `{{${inner.replace(inner.trim(), () => name)}}}`;
    });
  const others = all.filter((each) => each !== form).map((each) => mapTexts(each, restore));
  return { content: restore(content), variables: others.length > 0 ? others : undefined };
}

/** The same value with other texts. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change)]));
}

/** A form as Espanso itself understands it: a text with its values, and the form that asks for them. */
export const fillFromForm = (layout: string, form: string): string =>
  layout.replace(control, (_, name: string) => `{{${form}.${name}}}`);
