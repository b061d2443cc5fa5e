// biome-ignore-all lint/suspicious/noTemplateCurlyInString: tab stops.
// Files for Vim as UltiSnips and SnipMate read them: no text and no other field of a snippet becomes code, a setting, or another snippet.
import { describe, expect, test } from "bun:test";
import { writeFiles } from "../../src/library/formats/formats.ts";
import { asFields, asTexts, separators, snippetOf, withSeparators } from "../support/hostile-fields.ts";
import { pythonLineEnd, readUltisnips } from "../support/ultisnips-reader.ts";
import { expandInVim, isMissing } from "../support/vim.ts";
import "../support/once.ts";

const decoder = new TextDecoder();

/** What would end a snippet, and begin one whose code runs. */
const patterns = [
  'Dear customer,␤endsnippet␤pre_expand "1/0"␤snippet thx "Thanks" A␤Thank you.',
  "endsnippet␤",
  "␤endsnippet␤global !p␤1/0␤endglobal␤",
  'a"␤snippet thx "`1/0`" e',
  "`!p 1/0`␤`1/0`␤$1␤${2:`1/0`}␤\\`1/0\\`",
];
const hostile = withSeparators(...patterns);
/** Fewer, because a plugin looks at all snippets for each that it expands. */
const combined = withSeparators(patterns.join("␤"));
/** Python's `splitlines` and Vim end a line there. */
const unix = (text: string): string => text.replaceAll(pythonLineEnd, "\n");
/** The text that UltiSnips can insert: with Unix's line ends, and no line that would end the snippet. */
const insertable = (text: string): string => unix(text).replaceAll(/^endsnippet(?=[\s\p{Cc}]*$)/gmu, " endsnippet");

describe("UltiSnips", () => {
  test("every text is the text of its snippet, by Python's rules for lines, and nothing else is in the file", () => {
    const [file] = writeFiles(asTexts(hostile), "ultisnips").files;
    const { snippets, others } = readUltisnips(decoder.decode(file?.bytes));
    expect(snippets.map(({ text }) => text)).toEqual(hostile.map(insertable));
    expect(others).toEqual([]);
  });

  test("a placeholder is a tab stop, whatever its name contains", () => {
    const texts = withSeparators("{{a␤endsnippet␤global !p␤1/0␤endglobal␤b}}", "{{`1/0`␤$2}}");
    const [file] = writeFiles(asTexts(texts), "ultisnips").files;
    const { snippets, others } = readUltisnips(decoder.decode(file?.bytes));
    expect([snippets.length, others]).toEqual([texts.length, []]);
  });

  test("no title, shortcut, note, folder, or tag adds anything to a file", () => {
    const tree = asFields(hostile);
    const all = writeFiles(tree, "ultisnips").files.map(({ bytes }) => readUltisnips(decoder.decode(bytes)));
    const snippets = all.flatMap((each) => each.snippets);
    expect(snippets).toHaveLength(tree.snippets.length);
    expect(snippets.filter(({ text }) => text !== "plain")).toEqual([]);
    expect(all.flatMap(({ others }) => others)).toEqual([]);
    // An option would follow the title in quotes.
    expect(snippets.filter(({ header }) => !header.endsWith('"'))).toEqual([]);
  });

  test("settings of a note are written only in the form that UltiSnips understands, and the others are named", () => {
    const note = [
      ...["```ultisnips", 'options: "be"', 'priority: "1\\fglobal !p"', "nested: {a: 1}"],
      ...['pre_expand: "x()\\fendsnippet\\fglobal !p"', '"global !p\\nx": y', "```"],
    ].join("\n");
    const { files, warnings } = writeFiles({ ...asTexts([]), snippets: [snippetOf("x", { note })] }, "ultisnips");
    expect(files.map(({ bytes }) => decoder.decode(bytes))).toEqual([
      'pre_expand x() endsnippet global !p\nsnippet a "A"\nx\nendsnippet\n',
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'UltiSnips runs code from a snippet when you insert it: "A" (all.snippets:1).',
      'Settings in notes that UltiSnips would not understand are left out: options of "A", priority of "A", nested of "A", and global !p x of "A".',
    ]);
  });

  test.skipIf(isMissing("ultisnips"))(
    "UltiSnips itself finds each snippet, runs nothing, and inserts each text in Vim",
    () => {
      const { files } = writeFiles(asTexts(combined), "ultisnips");
      const { texts } = expandInVim(
        "ultisnips",
        files,
        combined.map((_, index) => `t${index}`),
      );
      expect(texts).toEqual(combined.map(insertable));
      const names = ["`!p snip.rv = 6 * 7`", "`!v 6 * 7`", "`expr 6 \\* 7`"];
      for (const name of names) {
        const asked = writeFiles(asTexts([`{{${name}}}`]), "ultisnips");
        expect(expandInVim("ultisnips", asked.files, ["t0"]).texts).toEqual([name]);
      }
      const tree = asFields(hostile);
      const all = writeFiles(tree, "ultisnips").files.map((file, at) => ({ ...file, path: `all_${at}.snippets` }));
      const { definitions } = expandInVim("ultisnips", all, []);
      expect(definitions).toHaveLength(tree.snippets.length);
      expect(definitions.filter(({ code }) => code.length > 0)).toEqual([]);
      expect(definitions.filter(({ text }) => text !== "plain")).toEqual([]);
    },
  );
});

describe("SnipMate", () => {
  test("each text is indented, so that no line of it is a line of the file", () => {
    for (const tree of [asTexts(hostile), asFields(hostile)])
      for (const { bytes } of writeFiles(tree, "snipmate").files) {
        const lines = unix(decoder.decode(bytes)).split("\n").slice(0, -1);
        expect(lines.filter((line) => !/^(?:\t|snippet |version 1$)/.test(line))).toEqual([]);
      }
    expect(decoder.decode(writeFiles(asFields(hostile), "snipmate").files[0]?.bytes).match(/^snippet /gm)).toHaveLength(
      hostile.length * 4,
    );
  });

  // Debian's version is older than the syntax in which a dollar sign or a backslash alone can be escaped.
  test.skipIf(isMissing("snipmate"))(
    "SnipMate itself runs nothing, and inserts each text without special characters in Vim",
    () => {
      const texts = [...combined.slice(0, 50), separators.join("x").replaceAll("\u{feff}", "")];
      const { files } = writeFiles(asTexts(texts), "snipmate");
      const { texts: inserted } = expandInVim(
        "snipmate",
        files,
        texts.map((_, index) => `t${index}`),
      );
      const isPlain = (text: string) => !/[$\\]/.test(text);
      const plain = inserted.filter((_, index) => isPlain(texts[index] ?? ""));
      expect(plain).toEqual(texts.filter(isPlain).map(unix));
      expect(inserted.filter((text) => /E\d+|Traceback|ZeroDivision/.test(text))).toEqual([]);
      const asked = writeFiles(asTexts(["{{`6 * 7`}}"]), "snipmate");
      expect(expandInVim("snipmate", asked.files, ["t0"]).texts).toEqual(["`6 * 7`"]);
    },
  );
});
