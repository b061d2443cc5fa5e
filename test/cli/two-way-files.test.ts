// What cpl sync --two-way reads and writes: one file, two changes of a text, a folder on the disk, and what waits while it watches.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { mergeFields } from "../../cli/src/sync/two-way/decide.ts";
import { DiskFiles } from "../../cli/src/sync/two-way/disk-files.ts";
import { type Document, parseFile, render, renderNew, sameDocument } from "../../cli/src/sync/two-way/document.ts";
import { mergeTexts } from "../../cli/src/sync/two-way/merge.ts";
import { Holds } from "../../cli/src/sync/two-way/watch.ts";
import { hashOfContent } from "../../cli/src/sync/two-way/work.ts";
import { temporaryDirectory } from "../support/service.ts";
import { snippetDocument } from "../support/two-way-sides.ts";

const id = "00000000-0000-4000-8000-000000000001";
/** Texts as the service stores them: anything but NUL and lone surrogates. */
const anyText = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("---", "a: [", "#", "\n", "\r\n", "\r", " ", ": ", "\uFEFF", "x", "é", "'", '"', "- "))
      .map((all) => all.join("")),
  )
  .map((text) => text.replaceAll("\0", "").toWellFormed());
const field = anyText.filter((text) => text !== "");
const anyDocument = fc
  .record({
    title: field,
    shortcut: anyText,
    note: anyText,
    tags: fc.uniqueArray(field, { maxLength: 3 }),
    text: anyText,
  })
  .map(({ text, tags, ...fields }): Document => {
    const document = snippetDocument("", text);
    return { text, fields: { ...document.fields, ...fields, type: "plaintext", tags: [...tags].sort() } };
  });

describe("a file", () => {
  test("says what it was made of, whatever that is, and after it was made again of something else too", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (one, other) => {
        const content = renderNew(id, one);
        const first = parseFile("x.md", content);
        expect([first.id, sameDocument(first.document, one)]).toEqual([id, true]);
        expect(render("x.md", content, id, one)).toBe(content);
        for (const mark of ["", "\uFEFF"]) {
          const changed = parseFile("x.md", render("x.md", mark + content.replaceAll(/(?<!\r)\n/g, "\r\n"), id, other));
          expect(sameDocument(changed.document, other)).toBeTrue();
        }
      }),
      { numRuns: 120 },
    );
  });

  test("keeps what its person wrote besides: other fields, comments, order, line endings, and the mark at its beginning", () => {
    const content =
      "\uFEFF---\r\n# mine\r\naliases: [a, b]\r\nshortcut: ;x\r\ntitle: 'Old' # really\r\n---\r\ntext\r\n\r\n";
    const { document } = parseFile("Old.md", content);
    const changed = { fields: { ...document.fields, title: "New", shortcut: "", tags: ["t"] }, text: "other" };
    expect(render("Old.md", content, undefined, changed)).toBe(
      "\uFEFF---\r\n# mine\r\naliases: [ a, b ]\r\ntitle: 'New' # really\r\ntags:\r\n  - t\r\n---\r\n\r\nother\r\n",
    );
    const plain = "# Title\n\nText\n";
    const withTags = { ...parseFile("A.md", plain).document };
    expect(render("A.md", plain, id, { ...withTags, fields: { ...withTags.fields, tags: ["t"] } })).toBe(
      `---\ntags:\n  - t\ncommonplace-id: ${id}\n---\n\n# Title\n\nText\n`,
    );
    expect(render("A.md", plain, undefined, { ...withTags, text: "Other" })).toBe("Other\n");
  });

  test("that begins with a horizontal line is a text", () => {
    const content = "---\nnot fields\n---\n\nmore\n";
    expect(parseFile("Lines.md", content).document).toMatchObject({
      text: content.slice(0, -1),
      fields: { title: "Lines" },
    });
  });
});

describe("two changes", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 8 }).map((all) => all.join("\n"));

  test("of a text: one side alone wins, both are merged in either order, and every line of both is there", () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        expect(mergeTexts(base, ours, base)).toBe(ours);
        expect(mergeTexts(base, base, theirs)).toBe(theirs);
        const merged = mergeTexts(base, ours, theirs);
        expect(mergeTexts(base, theirs, ours)).toBe(merged as string);
        for (const line of merged === undefined ? [] : [...ours.split("\n"), ...theirs.split("\n")])
          if (!base.split("\n").includes(line)) expect(merged?.split("\n")).toContain(line);
      }),
      { numRuns: 300 },
    );
    expect(mergeTexts("1\n2\n3\n4", "0\n1\n2\n3\n4", "1\n2\n4")).toBe("0\n1\n2\n4");
    expect(mergeTexts("1\n2\n3", "1\nx\n3", "1\ny\n3")).toBeUndefined();
    expect(mergeTexts("1\n2\n3", "1\nx\n3", "1\n2\ny")).toBeUndefined();
  });

  test("of fields: other ones go together, tags are joined, and two values of one are a conflict", () => {
    const base = { title: "T", note: "", tags: ["a", "b"] };
    expect(
      mergeFields(base, { ...base, title: "U", tags: ["b", "c"] }, { ...base, note: "n", tags: ["a", "d", "b"] }),
    ).toEqual({
      title: "U",
      note: "n",
      tags: ["b", "c", "d"],
    });
    expect(mergeFields(base, { ...base, title: "U" }, { ...base, title: "V" })).toBeUndefined();
  });
});

test("files on the disk: nothing is replaced that was not seen, what belongs to other programs is not read, and leftovers go", async () => {
  const root = join(temporaryDirectory(), "team");
  const files = new DiskFiles(root);
  const at = (path: string) => join(root, path);
  expect(await files.scan()).toEqual([]);
  expect(files.write("A/One.md", "1", undefined)).toBeTrue();
  expect(files.write("A/One.md", "2", undefined)).toBeFalse();
  expect(files.write("A/One.md", "2", hashOfContent("other"))).toBeFalse();
  expect(files.write("A/One.md", "2", hashOfContent("1"))).toBeTrue();
  writeFileSync(at("Two.md"), "two");
  expect(files.move("A/One.md", "Two.md", hashOfContent("2"))).toBeFalse();
  expect(files.move("A/One.md", "B/C/One.md", hashOfContent("1"))).toBeFalse();
  expect(files.move("A/One.md", "B/C/One.md", hashOfContent("2"))).toBeTrue();
  expect(existsSync(at("A"))).toBeFalse();
  expect(files.remove("Two.md", hashOfContent("x"))).toBeFalse();
  expect(() => files.write("../out.md", "x", undefined)).toThrow("not a path in the directory");

  mkdirSync(at(".obsidian"));
  for (const path of [".obsidian/x.md", ".hidden.md", "picture.png", ".Two.md.123.tmp"]) writeFileSync(at(path), "x");
  writeFileSync(at(".Cloud.md.icloud"), "x");
  writeFileSync(at("Latin.md"), Buffer.from([0xe9]));
  symlinkSync(at("Two.md"), at("Link.md"));
  const shown = async () => (await files.scan()).map(({ path, content, problem }) => [path, content ?? problem]).sort();
  const others = [
    ["Cloud.md", "the file is stored only in iCloud. Download it first"],
    ["Latin.md", undefined],
  ];
  expect(await shown()).toEqual([["B/C/One.md", "2"], ...others, ["Two.md", "two"]].sort());
  expect(readdirSync(root).sort()).not.toContain(".Two.md.123.tmp");
  expect(files.exists("Cloud.md")).toBeTrue();
  // What is old is read again only where it has changed, even if it has the same length.
  const old = new Date(Date.now() - 60_000);
  utimesSync(at("Two.md"), old, old);
  await shown();
  writeFileSync(at("Two.md"), "owt");
  utimesSync(at("Two.md"), old, old);
  expect(await shown()).toContainEqual(["Two.md", "owt"]);
  expect(readFileSync(at("Two.md"), "utf8")).toBe("owt");
});

test("while it watches, a file that is gone waits for 2 seconds, and a text that someone is writing is sent every 10", () => {
  let now = 0;
  const holds = new Holds(() => now);
  expect(holds.isHeld("trash", "a")).toBeTrue();
  now = 1_999;
  expect(holds.isHeld("trash", "a")).toBeTrue();
  now = 2_000;
  expect([holds.isHeld("trash", "a"), holds.isHeld("push", "b")]).toEqual([false, false]);
  holds.pushed("b");
  now = 11_999;
  expect([holds.isHeld("push", "b"), holds.isHeld("push", "c")]).toEqual([true, false]);
  now = 12_000;
  expect(holds.isHeld("push", "b")).toBeFalse();
  holds.keepGone();
  expect(holds.isHeld("trash", "a")).toBeTrue();
});
