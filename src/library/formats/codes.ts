// What other tools replace in a text when they insert it, such as tab stops. Here, it is kept as plain text, and the preview says so.
import { placeholderNames } from "../placeholders.ts";
import type { FormatId } from "./format-ids.ts";
import { firstText } from "./found-codes.ts";
import { counted, shortened } from "./messages.ts";
import { syntaxes, templateSyntax } from "./tab-stops.ts";
import type { Reading, Warning } from "./tree.ts";

export interface Code {
  /** In the plural. */
  readonly name: string;
  readonly pattern: RegExp;
}

/** The tab stops and variables of editors: `$1`, `${1:name}`, `${TM_FILENAME}`. */
export const tabStops: Code = {
  name: "tab stops or variables",
  pattern: /(?<!\\)(?:\\\\)*(\$(?:\d+|[A-Z][A-Z_]+\b|\{(?:\d+|[A-Z][A-Z_]+)(?:[:|/][^}\n]*)?\}?))/,
};

/** Formats whose texts have our placeholders, or whose own placeholders are named one by one. */
const withPlaceholders: ReadonlySet<FormatId> = new Set(["commonplace", "markdown", "csv", "espanso"]);

/** For each kind of code, in how many snippets it is, at the place of the first. */
export function warnOfCodes(format: FormatId, codes: readonly Code[], { tree, places }: Reading): Warning[] {
  const found = new Map<Code, { at: number; example: string; count: number }>();
  const wanted = withPlaceholders.has(format) ? codes : [...codes, placeholders];
  // In what is not a template, all that looks like a code is text.
  const isEscaped = Object.hasOwn(syntaxes, format);
  for (const [at, snippet] of tree.snippets.entries())
    for (const code of isEscaped && !templateSyntax(snippet) ? [] : wanted) {
      const example = exampleOf(code, firstText(snippet));
      if (example === undefined) continue;
      const known = found.get(code) ?? { at, example, count: 0 };
      known.count += 1;
      found.set(code, known);
    }
  return wanted.flatMap((code) => {
    const { at = 0, example = "", count = 0 } = found.get(code) ?? {};
    if (count === 0) return [];
    const place = places[at];
    const snippets = `${counted(count, "snippet")} ${count === 1 ? "contains" : "contain"}`;
    const outcome =
      code === placeholders ? "You are asked for their values when you copy the text." : "They are kept as plain text.";
    return [
      { ...(place && { place }), message: `${snippets} ${code.name}, such as ${shortened(example)}. ${outcome}` },
    ];
  });
}

/** Ours: names in double braces mean nothing to other tools. */
const placeholders: Code = { name: "placeholders", pattern: /\{\{/ };

function exampleOf(code: Code, text: string): string | undefined {
  const match = code.pattern.exec(text);
  if (!match) return undefined;
  if (code !== placeholders) return match[1] ?? match[0];
  const [name] = placeholderNames(text);
  return name === undefined ? undefined : `{{${name}}}`;
}
