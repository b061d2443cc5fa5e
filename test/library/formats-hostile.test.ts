// Files that are meant to do harm, or are broken: each gets a clear line, in bounded time and memory.
import { expect, test } from "bun:test";
import { zipSync } from "fflate";
import type { FormatId } from "../../src/library/formats/format-ids.ts";
import { readFiles } from "../../src/library/formats/formats.ts";
import { readLimits } from "../../src/library/formats/read-limits.ts";
import { fileOf } from "../support/tree-texts.ts";
import "../support/once.ts";

const zip = (entries: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([path, text]) => [
        path,
        typeof text === "string" ? new TextEncoder().encode(text) : text,
      ]),
    ),
  );

const refusals: Record<
  string,
  { bytes: () => string | Uint8Array; message: string; line?: number; format?: FormatId }
> = {
  "a zip bomb": {
    bytes: () => zip({ "a.txt": new Uint8Array(readLimits.entryBytesMax + 1) }),
    message: '"a.txt" in the archive is too large when decompressed.',
  },
  "a file above the limit": {
    bytes: () => new Uint8Array(readLimits.sourceBytesMax + 1),
    message: "The file is larger than 128 MiB.",
  },
  "an archive in an archive": {
    bytes: () => zip({ "a.zip": zip({ "b.txt": "x" }) }),
    message: "Archives inside folders or other archives cannot be imported. Extract them first.",
  },
  "a path that leads out of the archive": {
    bytes: () => zip({ "../../etc/passwd": "x" }),
    message: '"../../etc/passwd" is not a path inside the archive.',
  },
  "deep JSON": { bytes: () => "[".repeat(500_000), message: "JSON can be nested at most 100 levels deep.", line: 1 },
  "deep YAML": {
    bytes: () => `matches:\n  - trigger: ${"[".repeat(8_000)}`,
    message: "The YAML is nested too deeply.",
  },
  "a YAML file whose anchors multiply": {
    bytes: () =>
      `a0: &a0 [x, x]\n${Array.from({ length: 25 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`).join("")}matches:\n  - trigger: a\n    replace: *a25\n`,
    message: "The YAML uses anchors in a way that is not supported.",
  },
  "broken YAML": {
    bytes: () => "matches:\r  - trigger: a\r    replace: 'b\r",
    message: "Not valid YAML: a quotation mark is not closed.",
    line: 3,
  },
  "XML with entities": {
    bytes: () => '<!DOCTYPE x [\n<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<templateSet group="&b;"/>',
    message: "XML files that declare entities are not supported.",
    line: 2,
    format: "jetbrains",
  },
  "XML with entities that no format reads": {
    bytes: () => '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "aaaa">]>\n<templateSet group="&a;"/>',
    message: "XML files that declare entities are not supported.",
    line: 2,
  },
  "deep XML": {
    bytes: () => `<templateSet>${"<a>".repeat(5_000)}${"</a>".repeat(5_000)}</templateSet>`,
    message: "The XML is nested too deeply.",
  },
  "broken XML": {
    bytes: () => '<templateSet group="a">\n<template name="a" value="b">\n</templateSet>',
    message:
      "Not valid XML: Expected closing tag 'template' (opened in line 2, col 1) instead of closing tag 'templateSet'.",
    line: 3,
  },
  "broken JSON": {
    bytes: () => '{\n  "a": {"body": "x"}\n  "b": 1\n}',
    message: "Not valid JSON: comma expected.",
    line: 3,
  },
  "an encoding of the last century": {
    bytes: () => new Uint8Array([0x6e, 0x61, 0xef, 0x76, 0x65]),
    message: "The text is not in UTF-8 or UTF-16. Save it as UTF-8.",
  },
  "a picture": {
    bytes: () => new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 0, 0, 0, 0]),
    message: "This is not a text file, so it is not imported.",
  },
  "a text with NUL": { bytes: () => "abc\0def", message: "This is not a text file, so it is not imported." },
  "an archive that ends too early": {
    bytes: () => zip({ "a.md": "text ".repeat(1000) }).subarray(0, 40),
    message: "The archive is damaged or encrypted, or its compression method is not supported.",
  },
};

for (const [name, { bytes, message, line, format }] of Object.entries(refusals))
  test(`${name} is refused with a clear line`, () => {
    let refusal: unknown;
    try {
      readFiles([fileOf("data", bytes())], { format });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ name: "ReadError", message });
    if (line !== undefined) expect(refusal).toMatchObject({ place: { line } });
  });

test("a text is read in every encoding that says what it is, and with every line end", () => {
  const text = 'matches:\r\n  - trigger: ":é"\r  - trigger: ":x"\n    replace: "ü"\n';
  const utf16 = new Uint8Array(
    new Uint16Array([...`\ufeff${text}`].map((character) => character.charCodeAt(0))).buffer,
  );
  const swapped = utf16.map((_, index) => utf16[index ^ 1] ?? 0);
  for (const bytes of [`\ufeff${text}`, text, utf16, swapped, utf16.subarray(2)]) {
    const read = readFiles([fileOf("data", bytes)]);
    expect(read.tree.snippets.map(({ shortcut }) => shortcut)).toEqual([":x"]);
    expect(read.problems).toEqual([{ place: { file: "data", line: 2 }, message: "The match has no text." }]);
  }
});

test("one broken file of many does not take the others with it", () => {
  const files = [fileOf("a.yml", "matches:\n  - trigger: a\n    replace: b\n"), fileOf("b.yml", "matches: [\n")];
  const read = readFiles(files);
  expect(read.tree.snippets).toHaveLength(1);
  expect(read.problems).toMatchObject([
    { place: { file: "b.yml" }, message: expect.stringContaining("Not valid YAML") },
  ]);
});

test("texts that look almost like a format are no slower to read than others", () => {
  const often = (text: string) => text.repeat(20_000);
  const texts = [
    often("<!-- a -->"),
    `snippet a${often("\r\n")}b`,
    `${often("snippet a\r\nendsnippet\r\n")}`,
    `---\ncontents:\n---\n${often("## Fragment: a\n```js\n")}`,
    `a,${often("<p ")}\nb,c\n`,
    `---\n${often("--- -\r")}`,
    `snippet ${often('" ')}\nx\nendsnippet`,
  ];
  // A pattern that tries every way to divide them would not end.
  for (const text of texts) expect(readFiles([fileOf("data", text)]).tree.snippets.length).toBeGreaterThan(0);
});
