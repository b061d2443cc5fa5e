// What a file seems to be, whether or not it is of a format that is read. Code, prose, and pages must not seem to be any of these.
import type { InputFile } from "./input-file.ts";
import type { Warning } from "./tree.ts";

/** Enough to see, and not so much that a pattern takes long or runs out of memory. */
const beginningOf = (text: string): string => text.slice(0, 65_536);

export const looksLike = {
  // A comment, a heading of an INI file, or a placeholder begins with the same characters.
  JSON: ({ name, text }: InputFile): boolean =>
    /\.(?:json|jsonc|json5|code-snippets)$/i.test(name) ||
    /^(?:\s|\/\/[^\n]*\n|\/\*(?:(?!\*\/)[\s\S])*\*\/)*(?:\{\s*(?:"|\}|\/[/*])|\[\s*["[{\]])/.test(beginningOf(text)),
  XML: ({ name, text }: InputFile): boolean =>
    /\.xml$/i.test(name) || /^\s*<(?:\?xml\b|!(?:DOCTYPE\s+(?!html\b)|ENTITY\b|ELEMENT\b))/i.test(beginningOf(text)),
  YAML: ({ name, text }: InputFile): boolean =>
    /\.ya?ml$/i.test(name) || /^(?:#[^\n]*\n|[ \t\r]*\n)*[\w.-]+:[ \t\r]*\n(?:[ \t]+|- )[^\s]/.test(beginningOf(text)),
} as const;
const kinds = ["JSON", "XML", "YAML"] as const satisfies (keyof typeof looksLike)[];

/** Says which files another tool may have written, though their format is not recognized. @param files that are read as plain text */
export function warnOfUnrecognized(files: readonly InputFile[]): Warning[] {
  return kinds.flatMap((kind) => {
    const [first, ...others] = files.filter(looksLike[kind]);
    if (!first) return [];
    const message =
      others.length === 0
        ? `The file looks like ${kind}, but its format is not recognized. It becomes one snippet containing the whole file.`
        : `${(others.length + 1).toLocaleString("en-US")} files look like ${kind}, but their format is not recognized. Each file becomes one snippet containing the whole file.`;
    return [{ place: first.at(), message }];
  });
}
