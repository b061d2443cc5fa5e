// biome-ignore-all lint/suspicious/noTemplateCurlyInString: tab stops.
// Files for other tools as independent readers of the formats read them: what is plain text here is the same plain text there, and no field
// of a snippet adds anything. Files for Vim are in their own test.
import { describe, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import type { FormatId } from "../../src/library/formats/format-ids.ts";
import { writeFiles } from "../../src/library/formats/formats.ts";
import type { Tree } from "../../src/library/formats/tree.ts";
import { asFields, asTexts, separators, snippetOf, withSeparators } from "../support/hostile-fields.ts";
import { isMissing, python } from "../support/python.ts";
import { insertedByJetbrains, insertedByVscode } from "../support/template-readers.ts";
import "../support/once.ts";

/** A separator is in the place of each sign. */
const patterns = {
  any: ["a␤b", "␤", "␤\n␤"],
  yaml: [
    'a\nb␤  - trigger: ":x"␤    replace: "{ {x}}"␤    vars: [{name: x, type: shell, params: {cmd: id}}]␤',
    "x␤---␤matches: []␤...␤",
    "x: y␤- z␤#␤?",
    "␤- trigger: x",
    '"␤\\"␤',
  ],
  json: ['"␤,"x": "␤', "\\␤"],
  xml: [
    '"/>␤<template name="x" value="$x$"><variable name="x" expression="groovyScript(1)"/></template>␤',
    "]]>␤&x;␤-->",
  ],
  table: ['x␤=1+1,"␤"', '"␤=cmd"'],
  code: ["$1␤${2:a}␤\\$HOME␤\\\\${HOME}␤$$␤$END$␤`x`␤}"],
};
const hostile = withSeparators(...Object.values(patterns).flat());
/** Fewer, for what makes several snippets or files of each. */
const combined = withSeparators(Object.values(patterns).flat().join("␤"));
const words = [
  "yes",
  "No",
  "on",
  "~",
  "null",
  "0b11",
  "0o7",
  "1:30",
  "1_000",
  "=",
  "<<",
  ".inf",
  "1e3",
  "2001-01-01",
  "#",
  "- x",
];

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const textsOf = (tree: Tree, id: FormatId): string[] =>
  writeFiles(tree, id).files.map(({ bytes }) => decoder.decode(bytes));
const only = (tree: Tree, id: FormatId): string => {
  const [text = "", ...others] = textsOf(tree, id);
  expect(others).toEqual([]);
  return text;
};
const contents = (texts: readonly string[]) =>
  asTexts(texts).snippets.map(({ title }, index) => ({ title, text: texts[index] }));
describe("YAML", () => {
  /** Both of PyYAML's parsers. Espanso's is a translation of libyaml. */
  const parsed = (texts: readonly string[]) =>
    python(
      `import yaml
result = [yaml.load(text, yaml.SafeLoader) for text in json.loads(given)]
assert [yaml.load(text, yaml.CSafeLoader) for text in json.loads(given)] == result`,
      JSON.stringify(texts),
    ) as { matches: object[] }[];
  const expected = (texts: readonly string[]) => ({
    matches: contents(texts).map(({ title, text }, index) => ({ trigger: `t${index}`, label: title, replace: text })),
  });

  test("files for Espanso and front matter have no character that only some parsers take for a line end", () => {
    for (const tree of [asTexts(hostile), asFields(combined)]) {
      const heads = textsOf(tree, "markdown").map((text) => text.slice(0, text.indexOf("\n---\n")));
      for (const text of [...textsOf(tree, "espanso"), ...heads])
        expect(text.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u);
    }
    const texts = [...hostile, ...words];
    expect(Bun.YAML.parse(only(asTexts(texts), "espanso"))).toEqual(expected(texts));
  });

  test.skipIf(isMissing("yaml"))("PyYAML and libyaml find the matches of Espanso, and nothing else", () => {
    const texts = [...hostile, ...words];
    expect(parsed([only(asTexts(texts), "espanso")])).toEqual([expected(texts)]);
    const fields = asFields([...combined, ...words]);
    const matches = parsed(textsOf(fields, "espanso")).flatMap((file) => file.matches);
    expect(matches).toHaveLength(fields.snippets.length);
    const known = new Set(["trigger", "label", "replace"]);
    expect(matches.flatMap(Object.keys).filter((key) => !known.has(key))).toEqual([]);
    expect(matches.map((match) => "replace" in match && match.replace)).toEqual(fields.snippets.map(() => "plain"));
  });

  test.skipIf(isMissing("yaml"))("PyYAML and libyaml find the fields of Markdown files", () => {
    const texts = [...hostile, ...words];
    const files = texts.map((text) =>
      only({ ...asTexts([]), snippets: [snippetOf("plain", { title: text, shortcut: text, note: text })] }, "markdown"),
    );
    const found = python(
      `import yaml
result = []
for text in json.loads(given):
    head, body = text[4:].split("\\n---\\n", 1)
    result.append([yaml.load(head + "\\n", yaml.SafeLoader), yaml.load(head + "\\n", yaml.CSafeLoader), body])`,
      JSON.stringify(files),
    );
    const fields = (text: string) => ({ title: text, shortcut: text, "content-type": "plaintext", note: text });
    expect(found).toEqual(texts.map((text) => [fields(text), fields(text), "\nplain\n"]));
  });
});

test.skipIf(isMissing("csv"))("Python's csv finds the cells of tables, and no other row", () => {
  const rowsOf = (text: string) =>
    python(`import csv, io\nresult = list(csv.reader(io.StringIO(given.decode(), newline="")))`, text) as string[][];
  const texts = [...hostile, ...words];
  expect(rowsOf(only(asTexts(texts), "csv")).slice(1)).toEqual(
    contents(texts).map(({ title, text = "" }, index) => [title, `t${index}`, text, "", "", "", "plaintext"]),
  );
  const fields = asFields(combined);
  const rows = rowsOf(only(fields, "csv")).slice(1);
  expect(rows.map(([, , content]) => content)).toEqual(fields.snippets.map(() => "plain"));
  expect(rowsOf(only(asTexts(texts), "textexpander"))).toEqual(
    contents(texts).map(({ title, text = "" }, index) => [`t${index}`, text, title]),
  );
  // A reader that takes more characters for line ends finds no row that begins within a cell.
  const lines = only(asTexts(texts), "csv").split(/(?<=")\n/);
  expect(lines.filter((line) => /^[^"]*[^\P{Cc}\n]/u.test(line.replace(/^.*?,(?=")/, "")))).toEqual([]);
});

describe("XML", () => {
  interface Template {
    readonly value: string;
    readonly variables: readonly Record<string, string>[];
  }
  const templatesOf = (texts: readonly string[]): Template[] =>
    python(
      `import xml.etree.ElementTree as tree
result = [{"value": each.get("value"), "variables": [variable.attrib for variable in each.findall("variable")]}
    for text in json.loads(given) for each in tree.fromstring(text).findall("template")]`,
      JSON.stringify(texts),
    ) as Template[];
  /** What XML has no way to say is left out. */
  const sayable = (text: string): string => text.replaceAll(/[^\P{Cc}\t\n\r\u{7f}-\u{9f}]|[\ufffe\uffff]/gu, "");

  test.skipIf(isMissing("csv"))("Python's XML parser finds the templates for JetBrains", () => {
    const found = templatesOf(textsOf(asTexts(hostile), "jetbrains"));
    expect(found.map(({ value }) => insertedByJetbrains(value))).toEqual(hostile.map(sayable));
    expect(found.flatMap(({ variables }) => variables)).toEqual([]);
    const fields = asFields(combined);
    const all = templatesOf(textsOf(fields, "jetbrains"));
    expect(all).toEqual(fields.snippets.map(() => ({ value: "plain", variables: [] })));
  });
});

describe("JSON", () => {
  /** As JavaScript and Python read it. */
  const readAll = (texts: readonly string[]): unknown[] => {
    const values: unknown[] = texts.map((text) => JSON.parse(text));
    const again = "result = [json.loads(text) for text in json.loads(given)]";
    if (!isMissing("csv")) expect(Bun.deepEquals(python(again, JSON.stringify(texts)), values)).toBe(true);
    return values;
  };
  const read = (text: string): unknown => readAll([text])[0];

  test("VS Code inserts each text, by its documented grammar, and finds no other snippet", () => {
    const bodyOf = ({ body }: { body: string | string[] }): string => [body].flat().join("\n");
    const found = Object.values(read(only(asTexts(hostile), "vscode")) as Record<string, { body: string | string[] }>);
    expect(found.map((each) => insertedByVscode(bodyOf(each)))).toEqual(hostile);
    const fields = asFields([...combined, "__proto__", "constructor"]);
    const all = readAll(textsOf(fields, "vscode")).flatMap((file) =>
      Object.values(file as Record<string, { body: string }>),
    );
    expect(all.map(bodyOf)).toEqual(fields.snippets.map(() => "plain"));
  });

  test("Raycast, Text Blaze, and Alfred get each text, and no other snippet", () => {
    const expected = hostile.map((text) => text);
    const raycast = read(only(asTexts(hostile), "raycast")) as { text: string }[];
    expect(raycast.map(({ text }) => text)).toEqual(expected);
    const blaze = read(only(asTexts(hostile), "textblaze")) as { folders: { snippets: { text: string }[] }[] };
    expect(blaze.folders.flatMap(({ snippets }) => snippets.map(({ text }) => text))).toEqual(expected);
    for (const tree of [asTexts(hostile), asFields(combined)]) {
      const texts = writeFiles(tree, "alfred").files.flatMap(({ bytes }) =>
        Object.entries(unzipSync(bytes))
          .filter(([path]) => path.endsWith(".json"))
          .map(([, content]) => JSON.parse(decoder.decode(content)).alfredsnippet.snippet as string),
      );
      expect(texts.sort()).toEqual(tree.snippets.map(({ variations: [first] }) => first?.content ?? "").sort());
    }
  });

  test.skipIf(isMissing("csv"))("Python reads Alfred's collections and their settings", () => {
    const tree = asFields(withSeparators("../␤/x"));
    const { files } = writeFiles(tree, "alfred");
    expect(files.filter(({ path }) => /[/\\\p{Cc}]/u.test(path))).toEqual([]);
    const found = python(
      `import io, zipfile, plistlib, base64
result = []
for each in json.loads(given):
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(each)))
    result.append([archive.namelist(), plistlib.loads(archive.read("info.plist"))])`,
      JSON.stringify(files.map(({ bytes }) => Buffer.from(bytes).toString("base64"))),
    ) as [string[], object][];
    expect(found.flatMap(([names]) => names).filter((name) => /[/\\\p{Cc}]/u.test(name))).toEqual([]);
    const settings = { snippetkeywordprefix: "", snippetkeywordsuffix: "" };
    expect(found.map(([, each]) => each)).toEqual(files.map(() => settings));
  });
});

test("plain text files have each text as it is, under names without separators", () => {
  const texts = [...hostile, ...words];
  expect(textsOf(asTexts(texts), "text")).toEqual(texts);
  const paths = writeFiles(asFields([...combined, "../../x", "C:\\x"]), "text").files.map(({ path }) => path);
  expect(paths.filter((path) => /[\p{Cc}\p{Zl}\p{Zp}\\:]|(?:^|\/)\.\.?(?:\/|$)/u.test(path))).toEqual([]);
});

test("the separators of these tests are all control characters but NUL, and all of Unicode's separators", () => {
  const all = Array.from({ length: 0xffff }, (_, index) => String.fromCharCode(index + 1));
  expect(all.filter((character) => /[\p{Cc}\p{Z}]/u.test(character) && !separators.includes(character))).toEqual([]);
});
