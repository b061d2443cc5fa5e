// Snippets whose fields try to add something to a file: each control and separator character, around what would mean something to the tool.
import type { Tree, TreeSnippet } from "../../src/library/formats/tree.ts";

const codePoints = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));

/** Control characters, separators, white space, marks that set the direction of text, and characters that some formats refuse. NUL is not stored. */
export const separators: readonly string[] = [
  ...codePoints(0x01, 0x20),
  ...codePoints(0x7f, 0xa0),
  ...["\r\n", "\u061c", "\u1680", "\u180e", ...codePoints(0x2000, 0x200f), ...codePoints(0x2028, 0x202f)],
  ...["\u205f", "\u2066", "\u2069", "\u3000", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\u{1fffe}"],
];

/** A place for a separator in a pattern. */
const place = "␤";

/** Each pattern with each separator. */
export const withSeparators = (...patterns: readonly string[]): string[] =>
  separators.flatMap((separator) => patterns.map((pattern) => pattern.replaceAll(place, separator)));

const noTimes = { createdAt: null, updatedAt: null } as const;

/** A snippet that says nothing. */
export const snippetOf = (content: string, more: Partial<TreeSnippet> & { type?: string } = {}): TreeSnippet => {
  const { type = "plaintext", ...others } = more;
  return {
    ...{ title: "A", note: null, shortcut: "a", folder: null, tags: [], isArchived: false },
    variations: [{ name: "Default", type, content, changedAt: null, formerVersions: [] }],
    ...noTimes,
    ...others,
  };
};

/** Each text as the text of a snippet, whose shortcut is `t` and a number. */
export const asTexts = (texts: readonly string[]): Tree => ({
  ...{ folders: [], tags: [] },
  snippets: texts.map((text, index) => snippetOf(text, { title: `T${index}`, shortcut: `t${index}` })),
});

/** Each text as the title, the shortcut, the note, the folder, and the tag of a snippet with the text "plain". */
export const asFields = (texts: readonly string[]): Tree => {
  const groups = texts.map((name) => ({ key: name, name, color: null, parent: null, ...noTimes }));
  return {
    folders: groups,
    tags: groups,
    snippets: texts.flatMap((text) => [
      snippetOf("plain", { title: text }),
      snippetOf("plain", { shortcut: text }),
      snippetOf("plain", { note: text }),
      snippetOf("plain", { folder: text }),
      snippetOf("plain", { tags: [text] }),
    ]),
  };
};
