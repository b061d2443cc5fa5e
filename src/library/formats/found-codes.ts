// What an export does with our placeholders, and says about them and about codes of the other tool in a text.
import { cutAtPlaceholders, placeholderNames } from "../placeholders.ts";
import type { Code } from "./codes.ts";
import { counted, shortened } from "./messages.ts";
import type { TreeSnippet, Warning } from "./tree.ts";

/** The text that a format with one text for a snippet writes. */
export const firstText = ({ variations: [first] }: TreeSnippet): string => first?.content ?? "";

/** The first placeholder of a text; undefined if it has none. */
export function placeholderExample(text: string): string | undefined {
  const [name] = placeholderNames(text);
  return name === undefined ? undefined : `{{${name}}}`;
}

/** Counts snippets, and remembers what the first one has. */
export class Found {
  #count = 0;
  #example = "";

  /** @param example undefined: the snippet is not one of them */
  add(example: string | undefined): void {
    if (example === undefined) return;
    if (this.#count === 0) this.#example = example;
    this.#count += 1;
  }

  warning(what: string, outcome: string): Warning[] {
    if (this.#count === 0) return [];
    const subject = `${counted(this.#count, "snippet")} ${this.#count === 1 ? "contains" : "contain"}`;
    return [{ message: `${subject} ${what}, such as ${shortened(this.#example)}. ${outcome}` }];
  }
}

/** How a tool asks for a value, at the first place of a placeholder and at each further one. */
export type Ask = (name: string, isFirst: boolean) => string;

/** The text with our placeholders as the tool has them. */
export function withAsked(text: string, ask: Ask, escaped = (piece: string): string => piece): string {
  const seen = new Set<string>();
  const pieces = cutAtPlaceholders(text).map(({ text: piece, placeholder: name }) => {
    if (name === undefined) return escaped(piece);
    const isFirst = !seen.has(name);
    seen.add(name);
    return ask(name, isFirst);
  });
  return pieces.join("");
}

/** Names for placeholders where a tool accepts only letters, digits, and underscores. Names that differ only in case are the same. */
export function identifiers(names: readonly string[], reserved: readonly string[] = []): ReadonlyMap<string, string> {
  const used = new Set(reserved.map((name) => name.toLowerCase()));
  return new Map(
    names.map((name) => {
      const letters = name.normalize("NFKD").replaceAll(/\p{M}/gu, "");
      const base = letters.replaceAll(/[^A-Za-z0-9]+/g, "_").replace(/^[\d_]+|_+$/g, "") || "value";
      let [different, count] = [base, 1];
      while (used.has(different.toLowerCase())) {
        count += 1;
        different = `${base}_${count}`;
      }
      used.add(different.toLowerCase());
      return [name, different] as const;
    }),
  );
}

/** What our placeholders become. */
export interface Asked {
  /** In the plural. */
  readonly name: string;
  /** Whether those of a text do. The others stay text. */
  readonly isAsked: (text: string) => boolean;
}

/** Says what a tool does with our placeholders, and with what it takes for codes and has no way to escape. */
export function warnOfInserted(
  tool: string,
  codes: readonly Code[],
  snippets: readonly TreeSnippet[],
  asked?: Asked,
): Warning[] {
  const [become, stay] = [new Found(), new Found()];
  const inserted = snippets.map(firstText).map((text) => {
    const isAsked = asked?.isAsked(text) === true;
    (isAsked ? become : stay).add(placeholderExample(text));
    return isAsked ? withAsked(text, () => " ") : text;
  });
  return [
    ...become.warning("placeholders", `In the export, they become ${asked?.name}.`),
    ...stay.warning("placeholders", `${tool} inserts them as text.`),
    ...warnOfCodesIn(tool, codes, inserted),
  ];
}

/** Says what a tool takes for codes in texts and has no way to escape. */
export const warnOfCodesIn = (tool: string, codes: readonly Code[], texts: readonly string[]): Warning[] =>
  codes.flatMap(({ name, pattern }) => {
    const found = new Found();
    for (const text of texts) found.add(pattern.exec(text)?.[0]);
    return found.warning(name, `${tool} replaces them when you insert the snippet.`);
  });
