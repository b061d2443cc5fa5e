// What the pages decide about an import: what of a folder is sent and how, the rows of the preview's tree, and the list to download.
import "../support/once.ts";
import { expect, setSystemTime, test } from "bun:test";
import { readFiles } from "../../src/library/formats/formats.ts";
import { importReport } from "../../src/library/formats/import-report.ts";
import { readGiven } from "../../web/library/transfer/chosen-files.ts";
import { columnsOf, withField } from "../../web/library/transfer/columns.ts";
import { listGroupRows } from "../../web/library/transfer/group-rows.ts";
import { itemsOfPart, toImportFile } from "../../web/library/transfer/import-run.ts";
import type { Given } from "../../web/library/transfer/open-transfer.ts";
import { zipEndBytes, zippedBytes } from "../../web/library/transfer/zip.ts";
import { textLimits } from "../../web/limits.ts";

/** What a browser makes of a dropped file or folder. Null is a file that cannot be read. */
type Dropped = string | null | readonly (readonly [name: string, dropped: Dropped])[];

/** A browser lists the contents of a folder in portions. */
const listedAtOnce = 2;

function entry(name: string, dropped: Dropped): FileSystemEntry {
  const fake =
    dropped === null || typeof dropped === "string"
      ? {
          ...{ name, isFile: true, isDirectory: false },
          file: (done: FileCallback, fail: ErrorCallback) =>
            dropped === null ? fail(new DOMException("gone")) : done(new File([dropped], name)),
        }
      : {
          ...{ name, isFile: false, isDirectory: true },
          createReader: () => {
            const left = dropped.map(([inner, what]) => entry(inner, what));
            return { readEntries: (done: FileSystemEntriesCallback) => done(left.splice(0, listedAtOnce)) };
          },
        };
  // The parts of the interface that the pages use.
  return fake as unknown as FileSystemEntry;
}

const notes = ({ problems, leftOut }: Awaited<ReturnType<typeof readGiven>>) =>
  [...problems, ...leftOut].map(({ file, message }) => `${file}: ${message}`);

test("a dropped folder is sent with its paths; hidden files, those of systems, and unreadable ones are left out by name", async () => {
  const dropped = entry(".notes", [
    ["a.md", "A"],
    [".DS_Store", "x"],
    [
      "deep",
      [
        [
          "er",
          [
            ["b.md", "B"],
            ["gone.md", null],
            [".env", "SECRET"],
          ],
        ],
      ],
    ],
    [
      ".git",
      [
        ["config", "x"],
        ["HEAD", "x"],
      ],
    ],
    ["node_modules", [["left-pad", [["index.js", "x"]]]]],
    [".vscode", [["team.code-snippets", "{}"]]],
    ["c.md", "C"],
  ]);
  const given = await readGiven([dropped]);
  expect([given.name, given.isFolder, given.files.map(({ path }) => path)]).toEqual([
    ".notes",
    true,
    ["a.md", "deep/er/b.md", ".vscode/team.code-snippets", "c.md"],
  ]);
  const hidden = "Hidden and system files are left out.";
  expect(notes(given)).toEqual([
    "deep/er/gone.md: Your browser couldn’t read this.",
    `.DS_Store: ${hidden}`,
    `deep/er/.env: ${hidden}`,
    `.git: ${hidden}`,
    `node_modules: ${hidden}`,
  ]);

  // A folder that is chosen with the button is a list of files with paths.
  const chosen = ["notes/a.md", "notes/.git/config", "notes/.git/HEAD", "notes/deep/b.md"].map((path) =>
    Object.defineProperty(new File([path], path.slice(path.lastIndexOf("/") + 1)), "webkitRelativePath", {
      value: path,
    }),
  );
  const listed = await readGiven(chosen);
  expect([listed.name, listed.files.map(({ path }) => path)]).toEqual(["notes", ["a.md", "deep/b.md"]]);
  expect(notes(listed)).toEqual([`.git: ${hidden}`]);

  // With something beside it, a folder is part of the paths.
  const several = await readGiven([entry("notes", [["a.md", "A"]]), new File(["B"], "b.md"), new File(["C"], "b.md")]);
  expect([several.name, several.isFolder, several.files.map(({ path }) => path)]).toEqual([
    undefined,
    false,
    ["notes/a.md", "b.md"],
  ]);
  expect(notes(several)).toEqual(["b.md: Another file has the same path."]);
});

test("a single file is sent as it is, several as one zip that is the same each time and as large as announced", async () => {
  const file = new File(["A"], "a.md");
  expect(await toImportFile([file])).toEqual({ name: "a.md", isNamed: true, bytes: file, problems: [], leftOut: [] });
  const folder = (): Given[] => [
    entry("notes", [
      ["é.md", "---\ntitle: Two\n---\n\nB"],
      ["sub", [["a.md", "---\ntitle: One\n---\n\nA"]]],
    ]),
  ];
  const first = await toImportFile(folder());
  const bytes = new Uint8Array(await first.bytes.arrayBuffer());
  expect(bytes.length).toBe(zipEndBytes + zippedBytes("é.md", 21) + zippedBytes("sub/a.md", 21));
  setSystemTime(new Date("2027-01-01"));
  expect(new Uint8Array(await (await toImportFile(folder())).bytes.arrayBuffer())).toEqual(bytes);
  setSystemTime();
  const { format, tree } = readFiles([{ path: first.name, bytes }]);
  expect([first.name, format, tree.snippets.map(({ title }) => title)]).toEqual(["notes", "markdown", ["One", "Two"]]);
  expect(tree.folders.map(({ name }) => name)).toEqual(["sub"]);

  expect((await toImportFile([new File(["A"], `${"x".repeat(300)}.md`)])).name).toBe(`${"x".repeat(197)}.md`);
  const several = await toImportFile([new File(["A"], "a.md"), new File(["B"], "b.md")]);
  expect([several.name, several.isNamed, first.isNamed]).toEqual(["2 files", false, true]);
  const nothing = toImportFile([entry("empty", [[".hidden", "x"]])]);
  await expect(nothing).rejects.toThrow("There is nothing to import.");
});

test("what is too large is refused before it is read", async () => {
  const unread = (name: string, size: number) =>
    Object.defineProperties(new File([], name), {
      size: { value: size },
      arrayBuffer: { value: () => expect.unreachable() },
    });
  const half = 4 * 1024 * 1024;
  await expect(toImportFile([unread("a", 2 * half + 1)])).rejects.toThrow("This file is larger than 8 MiB.");
  await expect(toImportFile([unread("a", half), unread("b", half)])).rejects.toThrow(
    "Together, these files are larger than 8 MiB. Import them in parts, or as a zip file.",
  );
  expect((await readGiven([unread("a", 2 * half)])).files.length).toBe(1);
});

test("a large import has larger parts, and none is larger than a request may be", () => {
  expect([1, 640, 6_000, 20_000].map(itemsOfPart)).toEqual([200, 200, 300, 500]);
});

test("the tree of a preview has the folders in their order, then the tags, and nothing of what is closed", () => {
  const group = (name: string, parent: number | null, is_new = true, snippet_count = 1) => ({
    ...{ name, parent, is_new, snippet_count },
  });
  const folders = [group("Part 10", null), group("part 9", null, false, 3), group("Inside", 1)];
  const tags = [group("mail", null)];
  const shown = (isOpen: (key: string) => boolean) =>
    listGroupRows(folders, tags, isOpen).map((row) =>
      [
        `${"> ".repeat(row.level - 1)}${row.name} ${row.position}/${row.siblingCount}`,
        row.isOpen === undefined ? "" : row.isOpen ? "open" : "closed",
        row.isNew === undefined ? "" : `${row.isNew ? "new" : "existing"} ${row.count}`,
      ]
        .filter(Boolean)
        .join(" "),
    );
  expect(shown(() => true)).toEqual([
    "part 9 1/3 open existing 3",
    "> Inside 1/1 new 1",
    "Part 10 2/3 new 1",
    "Tags 3/3 open",
    "> mail 1/1 new 1",
  ]);
  expect(shown((key) => key === "folder-1")).toEqual([
    "part 9 1/3 open existing 3",
    "> Inside 1/1 new 1",
    "Part 10 2/3 new 1",
    "Tags 3/3 closed",
  ]);
  expect(listGroupRows([], [], () => true)).toEqual([]);
});

test("a field is of one column, and a column is named by its heading where that is clear", () => {
  const table = { rows: [["Name", "Text, long", "2", "name", ""]], fields: [], has_headings: true };
  const fields = ["title", "content", null, null, null] as const;
  const chosen = { fields: [...fields], hasHeadings: true };
  expect(withField(chosen, 3, "title")).toEqual({ ...chosen, fields: [null, "content", null, "title", null] });
  expect(withField(chosen, 0, null).fields).toEqual([null, "content", null, null, null]);
  expect(columnsOf(table, chosen)).toEqual({ title: "1", content: "Text, long" });
  expect(columnsOf(table, { ...chosen, fields: ["note", "content", "tags", "title", "type"] })).toEqual({
    ...{ note: "1", content: "Text, long", tags: "3", title: "4", type: "5" },
  });
  expect(columnsOf(table, { ...chosen, hasHeadings: false })).toEqual({ title: "1", content: "2" });
  const cut = { ...table, rows: [["Name", "x".repeat(textLimits.importPreviewCellLengthMax)]] };
  expect(columnsOf(cut, chosen)).toEqual({ title: "Name", content: "2" });
});

test("the list to download is a table that no spreadsheet takes for formulas", () => {
  const note = (file: string | null, line: number | null, message: string) => ({ file, line, message });
  const problem = note("=cmd.json", 3, '"A": the title must be 1 to 200 characters.');
  expect(importReport([problem], [note(null, null, "＝1"), note("a,b", null, "One\nTwo")]).split("\n")).toEqual([
    "kind,file,line,message",
    `problem,'=cmd.json,3,"""A"": the title must be 1 to 200 characters."`,
    "warning,,,'＝1",
    'warning,"a,b",,"One',
    'Two"',
    "",
  ]);
});
