// The archive loses nothing, and says when it is damaged.
import { expect, test } from "bun:test";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { unzipSync } from "fflate";
import { readFiles, writeFiles } from "../../src/library/formats/formats.ts";
import { ReadError } from "../../src/library/formats/read-error.ts";
import type { Tree, TreeSnippet } from "../../src/library/formats/tree.ts";
import { writeZip } from "../../src/library/formats/zip.ts";
import { type ArchiveInParts, readArchiveInParts } from "../../src/library/import/archive-parts.ts";
import { anyCharacter } from "../support/any-character.ts";
import { temporaryDirectory } from "../support/service.ts";
import { fileOf, shownAll } from "../support/tree-texts.ts";
import "../support/once.ts";

const text = fc.string({ unit: anyCharacter });
const time = fc.option(fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString()));
const version = { type: fc.constantFrom("plaintext", "code", "python"), content: text, changedAt: time };

/** Groups whose parents come before them. */
const groups = fc
  .array(fc.record({ name: text, color: fc.option(text), parentAt: fc.nat(), createdAt: time, updatedAt: time }), {
    maxLength: 5,
  })
  .map((all) =>
    all.map(({ parentAt, ...rest }, index) => ({
      key: `k${index}`,
      ...rest,
      parent: parentAt % (index + 1) === index ? null : `k${parentAt % (index + 1)}`,
    })),
  );

const trees: fc.Arbitrary<Tree> = fc.tuple(groups, groups).chain(([folders, tags]) =>
  fc.record({
    folders: fc.constant(folders),
    tags: fc.constant(tags),
    snippets: fc.array(
      fc.record<TreeSnippet>({
        title: text,
        note: fc.option(text),
        shortcut: fc.option(text),
        folder: folders.length > 0 ? fc.option(fc.constantFrom(...folders.map(({ key }) => key))) : fc.constant(null),
        tags: fc.subarray(tags.map(({ key }) => key)),
        isArchived: fc.boolean(),
        variations: fc.array(
          fc.record({ name: text, ...version, formerVersions: fc.array(fc.record(version), { maxLength: 3 }) }),
          { minLength: 1, maxLength: 3 },
        ),
        createdAt: time,
        updatedAt: time,
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
);

const directory = temporaryDirectory();
/** As ./commonplace import reads it: from a file, part by part. */
function readInParts(bytes: Uint8Array): Tree | undefined {
  return inParts(bytes, ({ tree }) => ({ ...tree, snippets: [...tree.snippets] }));
}

const warningsInParts = (bytes: Uint8Array) => inParts(bytes, ({ warnings }) => warnings);

function inParts<Result>(bytes: Uint8Array, use: (archive: ArchiveInParts) => Result): Result | undefined {
  const path = join(directory, "archive.zip");
  writeFileSync(path, bytes);
  const descriptor = openSync(path, "r");
  try {
    const archive = readArchiveInParts({ descriptor, bytes: bytes.length });
    return archive && use(archive);
  } finally {
    closeSync(descriptor);
  }
}

const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const onlyFile = (tree: Tree) => writeFiles(tree, "commonplace").files[0]?.bytes ?? new Uint8Array();

test("an archive is read as the tree that it was written from: versions, folders, tags, colors, notes, and times", () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const read = readFiles([fileOf("any name", onlyFile(tree))]);
      expect(read.tree).toEqual(tree);
      expect(read.warnings).toEqual([]);
      expect(readInParts(onlyFile(tree))).toEqual(tree);
    }),
    { numRuns: 60 },
  );
});

test("a Markdown folder and a table are read as the tree that they were written from, in all that they have a place for", () => {
  const printable = fc.string({ unit: "grapheme-ascii", minLength: 1 }).map((each) => `x${each}`);
  const name = fc.stringMatching(/^[A-Za-z0-9]+( [A-Za-z0-9-]+){0,3}$/);
  const snippet = fc.record({
    title: name,
    shortcut: fc.option(printable),
    note: fc.option(printable),
    content: text,
    tag: name,
    folder: name,
  });
  fc.assert(
    fc.property(fc.array(snippet, { minLength: 1, maxLength: 4 }), (all) => {
      const group = (key: string) => ({
        ...{ key, name: key, color: null, parent: null },
        ...{ createdAt: null, updatedAt: null },
      });
      const tree: Tree = {
        folders: all.map(({ folder }) => group(folder)),
        tags: all.map(({ tag }) => group(tag)),
        snippets: all.map(({ title, shortcut, note, content, tag, folder }) => ({
          ...{ title, shortcut, note, folder, tags: [tag], isArchived: false, createdAt: null, updatedAt: null },
          variations: [
            {
              name: "Default",
              type: "code",
              content: content.replaceAll("\0", ""),
              changedAt: null,
              formerVersions: [],
            },
          ],
        })),
      };
      const shownOf = (each: Tree) =>
        shownAll(each)
          .map((one) => JSON.stringify(one))
          .sort();
      for (const format of ["markdown", "csv"] as const)
        expect(shownOf(readFiles(writeFiles(tree, format).files, { format }).tree)).toEqual(shownOf(tree));
    }),
    // A carriage return at the end would be one line break with the line feed that a file ends with.
    {
      numRuns: 40,
      examples: [[[{ title: "a", shortcut: null, note: null, content: "\r", tag: "t", folder: "f" }]]],
    },
  );
});

test("an archive that was written before folders and tags had times is read without them", () => {
  const { tree } = readFiles([fileOf("t.csv", "title,content,folder,tags\na,b,One / Two,x\n")]);
  const times = ',"createdAt":null,"updatedAt":null';
  const files = Object.entries(unzipSync(onlyFile(tree)));
  const texts = new Map(files.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
  let manifest = texts.get("manifest.json") ?? "";
  for (const path of ["folders.jsonl", "tags.jsonl"]) {
    const text = texts.get(path) ?? "";
    const old = text.replaceAll(times, "");
    expect(old).not.toBe(text);
    manifest = manifest.replace(sha256(text), sha256(old));
    texts.set(path, old);
  }
  const archive = writeZip([...texts.set("manifest.json", manifest)].map(([path, text]) => fileOf(path, text)));
  expect(readFiles([fileOf("a.zip", archive)]).tree).toEqual(tree);
  expect(readInParts(archive)).toEqual(tree);
});

test("what a later version has added to an archive is left out, with a warning; the rest is read", () => {
  const { tree } = readFiles([fileOf("t.csv", "title,content,folder,tags\na,b,One,x\nc,d,One,x\n")]);
  const files = Object.entries(unzipSync(onlyFile(tree))).filter(([path]) => path !== "manifest.json");
  const later: Readonly<Record<string, (text: string) => string>> = {
    "folders.jsonl": (text) => text.replace('{"key"', '{"icon":"star","key"'),
    "snippets-00001.jsonl": (text) =>
      text
        .replaceAll('{"title"', '{"labels":{"production":1},"title"')
        .replace('"formerVersions":', '"author":"Ada","formerVersions":'),
  };
  const texts = new Map(files.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
  for (const [path, change] of Object.entries(later)) texts.set(path, change(texts.get(path) ?? ""));
  texts.set("labels.jsonl", "{}\n");
  const hashes = Object.fromEntries([...texts].map(([path, text]) => [path, sha256(text)]));
  const manifest = { format: "commonplace-archive", schemaVersion: 1, snippetCount: 2, labelCount: 1, files: hashes };
  const archive = writeZip(
    [...texts.set("manifest.json", JSON.stringify(manifest))].map(([path, text]) => fileOf(path, text)),
  );
  const read = readFiles([fileOf("a.zip", archive)]);
  expect(read.tree).toEqual(tree);
  const warnings = [
    { place: { file: "folders.jsonl", line: 1 }, message: "1 folder has fields that are left out: icon." },
    {
      place: { file: "snippets-00001.jsonl", line: 1 },
      message: "2 snippets have fields that are left out: author and labels.",
    },
    {
      place: { file: "labels.jsonl" },
      message: "The file is left out, because this version of Commonplace does not know it.",
    },
  ];
  expect(read.warnings).toEqual(warnings);
  expect(readInParts(archive)).toEqual(tree);
  expect(warningsInParts(archive)).toEqual(warnings);
});

test("an archive that was changed, shortened, or written by a later version is refused", () => {
  const tree: Tree = { folders: [], tags: [], snippets: [] };
  const one = readFiles([fileOf("a.json", '[{"name":"A","text":"b"}]')]).tree;
  const entries = unzipSync(onlyFile({ ...tree, ...one }));
  const changed = (change: Record<string, string | undefined>) =>
    writeZip(
      Object.entries({
        ...Object.fromEntries(Object.entries(entries).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])),
        ...change,
      }).flatMap(([path, content]) => (content === undefined ? [] : [fileOf(path, content)])),
    );
  const snippets = "snippets-00001.jsonl";
  const manifest = new TextDecoder().decode(entries["manifest.json"]);
  const refusals: [Uint8Array, string][] = [
    [changed({ [snippets]: "{}" }), `The archive is damaged: "${snippets}" does not match its checksum.`],
    [changed({ [snippets]: undefined }), `The archive is incomplete: "${snippets}" is missing.`],
    [
      changed({ "manifest.json": manifest.replace('"schemaVersion": 1', '"schemaVersion": 2') }),
      "The archive was written by a newer version of Commonplace. Update this instance.",
    ],
    [
      onlyFile(one).subarray(0, 200),
      "The archive is damaged or encrypted, or its compression method is not supported.",
    ],
  ];
  for (const [bytes, message] of refusals) expect(() => readFiles([fileOf("a.zip", bytes)])).toThrow(message);
  for (const [bytes, message] of refusals.slice(0, 3)) expect(() => readInParts(bytes)).toThrow(message);
  const others = [onlyFile(one).subarray(0, -1), new Uint8Array(), writeZip([fileOf("manifest.json", "{}")])];
  for (const bytes of others) expect(readInParts(bytes)).toBeUndefined();
});

test("an archive with a changed byte is refused, or is none, or says the same", () => {
  const { tree } = readFiles([
    fileOf(
      "a.json",
      JSON.stringify([
        { name: "A", text: "b".repeat(500) },
        { name: "C", text: "d" },
      ]),
    ),
  ]);
  const bytes = onlyFile(tree);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ change;
      try {
        const read = readInParts(changed);
        if (read) expect(read).toEqual(tree);
      } catch (error) {
        expect(error).toBeInstanceOf(ReadError);
      }
    }),
    { numRuns: 300 },
  );
});
