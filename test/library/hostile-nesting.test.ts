// Texts that nest cannot make a parser slow: what is deep is refused before anything follows its nesting, in files and in notes, in the
// service and in cpl.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { parseFile, render } from "../../cli/src/sync/two-way/document.ts";
import { type FormatId, formatIds, writableFormatIds } from "../../src/contract/formats.ts";
import { writeExport } from "../../src/library/export/one-file.ts";
import { readFiles } from "../../src/library/formats/formats.ts";
import { takeData } from "../../src/library/formats/note-data.ts";
import { ReadError } from "../../src/library/formats/read-error.ts";
import { readLimits } from "../../src/library/formats/read-limits.ts";
import type { Tree, TreeSnippet } from "../../src/library/formats/tree.ts";
import { readYamlDocument, YamlRefused } from "../../src/library/formats/yaml-document.ts";
import { deepYaml, nestings } from "../support/nestings.ts";
import { fileOf } from "../support/tree-texts.ts";

const sizes = [4 * 1024, 64 * 1024];
/** Hostile texts take at most so many times as long as harmless ones of the same size; without limits, thousands of times. */
const slowerMax = 60;

const snippet = (note: string, further: TreeSnippet["variations"] = []): TreeSnippet => ({
  ...{ title: "Greeting", note, shortcut: ":hi", folder: null, tags: [], isArchived: false },
  variations: [
    { name: "Default", type: "plaintext", content: "Hello", changedAt: null, formerVersions: [] },
    ...further,
  ],
  ...{ createdAt: null, updatedAt: null },
});
const treeOf = (...snippets: TreeSnippet[]): Tree => ({ folders: [], tags: [], snippets });

/** What each format needs before a text, so that its parser gets it. */
const before: Partial<Record<FormatId, string>> = {
  espanso: "matches:\n  - trigger: a\n    replace: b\n    vars: ",
  markdown: "---\ntitle: ",
  masscode: "---\ncontents: ",
  jetbrains: '<templateSet group="a">',
  vscode: '{"a": {"body": "b", "c": ',
  ultisnips: "snippet a\n",
  snipmate: "snippet a\n",
};
const after: Partial<Record<FormatId, string>> = { markdown: "\n---\n", masscode: "\n---\n" };

/** How long it takes at least: on a busy machine, a single try says little. @param enough no more tries if it is that quick */
function leastMilliseconds(work: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > enough; tries += 1) least = Math.min(least, millisecondsOf(work));
  return least;
}

function millisecondsOf(work: () => unknown): number {
  const startedAt = performance.now();
  try {
    work();
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
  }
  return performance.now() - startedAt;
}

const harmless = (size: number) => `matches:\n${"  - trigger: a\n    replace: b\n".repeat(size / 30)}`;
/** Of a harmless file of this size. The parsers are compiled by then. */
const usualOf = (size: number) => {
  const times = Array.from({ length: 5 }, () => millisecondsOf(() => readFiles([fileOf("a.yml", harmless(size))])));
  return Math.max(...times.slice(1));
};

describe("YAML that nests", () => {
  test.each(Object.entries(deepYaml))(
    "such as %j is refused where it is too deep, whatever follows",
    (unit, nesting) => {
      // An indented line takes more with each level.
      const most = unit.startsWith("lines") ? readLimits.yamlDepthMax ** 2 : 2 * readLimits.yamlDepthMax * unit.length;
      for (const size of [...sizes, readLimits.yamlBytesMax]) {
        let refused: unknown;
        try {
          readYamlDocument(nesting(size));
        } catch (error) {
          refused = error;
        }
        expect(refused).toBeInstanceOf(YamlRefused);
        expect((refused as YamlRefused).offset).toBeLessThan(most);
      }
    },
  );

  test("as deep as it may be is read, and so are lists and maps as names", () => {
    const deep = "[".repeat(readLimits.yamlDepthMax - 2) + "]".repeat(readLimits.yamlDepthMax - 2);
    expect(readYamlDocument(deep).errors).toEqual([]);
    expect(readYamlDocument("a: {{name}}").toJS()).toEqual({ a: { "{ name }": null } });
    expect(() => readYamlDocument("a: {{{name}: 1}: 2}")).toThrow(YamlRefused);
    expect(() => readYamlDocument("a".repeat(readLimits.yamlBytesMax + 1))).toThrow(YamlRefused);
  });
});

test.each(sizes)("no format takes long for a file of %i bytes that nests", (size) => {
  const most = slowerMax * usualOf(size);
  const slow = formatIds.flatMap((format) =>
    Object.entries(nestings).flatMap(([name, nesting]) => {
      const text = (before[format] ?? "") + nesting(size) + (after[format] ?? "");
      const taken = leastMilliseconds(() => readFiles([fileOf("data", text)], { format }), most);
      return taken > most ? [`${format} ${name}: ${taken} ms of ${most} ms`] : [];
    }),
  );
  expect(slow).toEqual([]);
});

const tools = {
  vscode: "VS Code",
  espanso: "Espanso",
  jetbrains: "JetBrains",
  ultisnips: "UltiSnips",
  snipmate: "SnipMate",
};
/** A note with a nesting as the data of a tool, as long as a note can be. */
const noteOf = (tool: string, nesting: (length: number) => string) =>
  `\`\`\`${tool}\n${nesting(4_980 - tool.length)}\n\`\`\``;

test("no format takes long to write snippets whose notes or variations nest, and their texts are written", () => {
  const most = slowerMax * usualOf(sizes[0] ?? 0);
  for (const [tool, name] of Object.entries(tools))
    for (const [unit, nesting] of Object.entries(nestings)) {
      const content = `{"a": ${nesting(64 * 1024)}`;
      const further = { name: `${name} settings`, type: "json", content, changedAt: null, formerVersions: [] };
      for (const each of [snippet(noteOf(tool, nesting)), snippet("", [further])])
        for (const format of writableFormatIds.filter((id) => id !== "commonplace")) {
          let written: string[] = [];
          const taken = leastMilliseconds(() => {
            written = writeExport(format, treeOf(each)).files.map(({ bytes }) => new TextDecoder().decode(bytes));
          }, most);
          expect({ tool, unit, format, isQuick: taken <= most }).toEqual({ tool, unit, format, isQuick: true });
          if (format in tools) expect(written.join("\n")).toContain("Hello");
        }
    }
});

test("data with an error is no data: nothing of it is written", () => {
  for (const text of ["scope: javascript\nprefix: [", "scope: javascript\nscope: {", "&a scope: *b", '{"scope": "go"'])
    expect(takeData("vscode", snippet(`\`\`\`vscode\n${text}\n\`\`\``)).data).toEqual({});
});

test("the data in a note is parsed once for an export", () => {
  const one = snippet("```vscode\nscope: javascript\nhasTabStops: true\n```");
  const { data } = takeData("vscode", one);
  expect(data).toEqual({ scope: "javascript", hasTabStops: true });
  expect(takeData("vscode", one).data).toBe(data);
  expect(takeData("espanso", one).data).toEqual({});
});

test("a file of cpl's two-way sync that nests is refused with its line, and is not changed", () => {
  for (const size of sizes)
    for (const nesting of Object.values(deepYaml)) {
      const content = `---\ntitle: a\nnote: ${nesting(size)}\n---\n\ntext\n`;
      const refusal = expect.objectContaining({ name: "ReadError" });
      const attempt = (work: () => unknown) => {
        try {
          work();
        } catch (error) {
          return error;
        }
      };
      expect(attempt(() => parseFile("a.md", content))).toEqual(refusal);
      const document = { fields: { title: "b", folder: "" }, text: "text" };
      expect(attempt(() => render("a.md", content, undefined, document))).toEqual(refusal);
    }
});
