// An import into a team: what comes in goes out unchanged, an interrupted one goes on without doubling anything, and all of it can be undone.
import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { errors } from "../../src/contract/errors.ts";
import { bytesPerMebibyte } from "../../src/contract/limits.ts";
import { recordActsIn } from "../../src/library/acts.ts";
import { type ArchiveOptions, writeArchive } from "../../src/library/export/archive-file.ts";
import { planExport, readTeam } from "../../src/library/export/team.ts";
import { noteChangesIn } from "../../src/library/feed/write.ts";
import { readFiles, writeFiles } from "../../src/library/formats/formats.ts";
import type { Tree, TreeSnippet } from "../../src/library/formats/tree.ts";
import { readArchiveInParts } from "../../src/library/import/archive-parts.ts";
import type { OnDuplicate } from "../../src/library/import/plan.ts";
import { type ImportRun, type ImportSource, runImport } from "../../src/library/import/run.ts";
import { undoImport } from "../../src/library/import/undo.ts";
import type { OpenFile } from "../../src/library/import/zip-reader.ts";
import { requireBytesIn, type StoreBytes, storeBytesIn } from "../../src/metering/storage/storage.ts";
import { findViolations, invariants } from "../../src/operations/doctor/invariants.store.ts";
import { daySeconds } from "../../src/platform/time.ts";
import { engine } from "../support/engine.ts";
import { type Started, startService, temporaryDirectory } from "../support/service.ts";
import { fileOf, shownAll } from "../support/tree-texts.ts";

const version = (content: string, changedAt: string | null = null) => ({ type: "code", content, changedAt });

const snippet = (title: string, changes: Partial<TreeSnippet> = {}): TreeSnippet => ({
  ...{ title, note: null, shortcut: null, folder: null, tags: [], isArchived: false, createdAt: null, updatedAt: null },
  variations: [{ name: "Default", ...version(`text of ${title}`), formerVersions: [] }],
  ...changes,
});

const group = (key: string, parent: string | null = null, times: readonly string[] = []) => ({
  ...{ key, name: `Name of ${key}`, color: "#123456", parent },
  ...{ createdAt: times[0] ?? null, updatedAt: times[1] ?? null },
});

/** Folders in folders, tags, variations with versions, an archived snippet, and enough snippets for several portions. */
const tree: Tree = {
  folders: [
    group("f1", null, ["2023-01-01T00:00:00.000Z", "2023-02-01T00:00:00.000Z"]),
    // It was moved into one that is newer.
    group("f2", "f1", ["2022-01-01T00:00:00.000Z", "2023-03-01T00:00:00.000Z"]),
    group("f3", "f2"),
  ],
  tags: [
    group("t1", null, ["2023-04-01T00:00:00.000Z", "2023-04-01T00:00:00.000Z"]),
    group("t2", "t1", ["2022-05-01T00:00:00.000Z", "2023-05-01T00:00:00.000Z"]),
  ],
  snippets: [
    snippet("Full", {
      ...{ note: "A note", shortcut: "!full", folder: "f3", tags: ["t1", "t2"], isArchived: true },
      ...{ createdAt: "2024-01-01T00:00:00.000Z", updatedAt: "2024-03-02T00:00:00.000Z" },
      variations: [
        {
          name: "Main",
          ...version("third", "2024-03-01T00:00:00.000Z"),
          formerVersions: [version("first", "2024-01-01T00:00:00.000Z"), version("second", "2024-02-01T00:00:00.000Z")],
        },
        {
          name: "Other",
          ...version("x", "2024-01-05T00:00:00.000Z"),
          // Two versions of one millisecond: the order of their IDs decides.
          formerVersions: [version("v", "2024-01-04T00:00:00.000Z"), version("w", "2024-01-05T00:00:00.000Z")],
        },
      ],
    }),
    ...Array.from({ length: 230 }, (_, index) =>
      snippet(`S${index}`, { shortcut: `!${index}`, folder: index % 2 ? "f1" : null }),
    ),
  ],
};

const sourceOf = (read: Tree, hash = "hash"): ImportSource => ({
  ...{
    name: "file",
    hash,
    format: "commonplace",
    tree: read,
    places: read.snippets.map(() => ({ file: "file" })),
    problems: [],
    warnings: [],
  },
});

const storageBytesMax = 1024 * bytesPerMebibyte;

function importing(
  { service, key, workspace, team }: Started,
  goOn: ImportRun["goOn"] = () => true,
  { isAllOrNothing = false, storeBytes }: { isAllOrNothing?: boolean; storeBytes?: StoreBytes } = {},
) {
  const run: ImportRun = {
    database: service.database,
    callOf: async (transaction) => ({
      transaction,
      caller: {
        id: key.id,
        workspaceId: workspace.id,
        isAllTeams: true,
        teamIds: new Set(),
        deletedTeamIds: new Set(),
      },
      trashDays: 30,
      noteChanges: noteChangesIn(transaction, workspace.id),
      recordActs: recordActsIn(transaction, { id: key.id, workspaceId: workspace.id }),
      storeBytes: storeBytes ?? storeBytesIn(transaction, workspace.id, storageBytesMax),
      requireLeft: requireBytesIn(transaction, workspace.id, storageBytesMax),
    }),
    goOn,
    onProgress: () => undefined,
  };
  const target = (onDuplicate: OnDuplicate) => ({
    workspaceId: workspace.id,
    teamId: team.id,
    folderId: null,
    onDuplicate,
    isAllOrNothing,
  });
  return {
    into: (source: ImportSource, onDuplicate: OnDuplicate = "skip") => runImport(run, target(onDuplicate), source),
    undo: (id: string) => undoImport(run, workspace.id, id),
    exported: () =>
      service.database.read((transaction) =>
        readTeam(transaction, { workspaceId: workspace.id, teamId: team.id, withVersions: true }),
      ),
  };
}

/** The tree as people see it, with all versions. */
const contents = (each: Tree) => [
  each.folders.map(({ name, color }) => [name, color]).sort(),
  each.tags.map(({ name, color }) => [name, color]).sort(),
  shownAll(each)
    .map((one, index) =>
      JSON.stringify([
        one,
        each.snippets[index]?.isArchived,
        each.snippets[index]?.variations.map(({ name, formerVersions }) => [name, formerVersions]),
      ]),
    )
    .sort(),
];

/** @param otherwise the time of a group without times */
const groupsWithTimes = ({ folders, tags }: Tree, otherwise?: string) =>
  [folders, tags].map((groups) =>
    groups.map(({ name, color, parent, createdAt, updatedAt }) => ({
      ...{ name, color, parent: groups.find(({ key }) => key === parent)?.name },
      ...{ createdAt: createdAt ?? otherwise, updatedAt: updatedAt ?? otherwise },
    })),
  );

/** As ./commonplace import opens it. */
function openForReading(bytes: Uint8Array): OpenFile {
  const path = join(temporaryDirectory(), "read.zip");
  writeFileSync(path, bytes);
  return { descriptor: openSync(path, "r"), bytes: bytes.length };
}

/** The archive of the team as an export writes it to a file. */
async function writtenArchive({ service, workspace, team }: Started, options: ArchiveOptions): Promise<Uint8Array> {
  const path = join(temporaryDirectory(), "archive.zip");
  const file = openSync(path, "wx");
  const exported = { workspaceId: workspace.id, teamId: team.id, withVersions: true };
  const bytes = await service.database.read(async (transaction) => {
    const { parts, ...plan } = await planExport(transaction, exported);
    // A snippet that is read text by text is alone in its part.
    const isWhole = options.wholeBytesMax === undefined;
    const single = isWhole ? parts : parts.flatMap(({ ids }) => ids.map((id) => ({ ids: [id], bytes: 1 })));
    return writeArchive(transaction, exported, { ...plan, parts: single }, file, options);
  });
  closeSync(file);
  const written = readFileSync(path);
  expect(written.length).toBe(bytes);
  return written;
}

async function expectConsistent({ service }: Started) {
  for (const invariant of invariants) {
    const { examples } = await service.database.read((transaction) =>
      findViolations(transaction, engine.name, invariant, 3),
    );
    expect([invariant.name, examples]).toEqual([invariant.name, []]);
  }
}

test("everything of a team comes in and out again, by the archive, and leaves nothing once it is undone", async () => {
  const started = await startService({});
  const { into, undo, exported } = importing(started);
  const first = await into(sourceOf(tree));
  expect(first).toMatchObject({ created: 231, folders: 3, tags: 2, skipped: 0, isFinished: true, failures: [] });
  const out = await exported();
  expect(contents(out)).toEqual(contents(tree));
  const importedAt = new Date(started.clock.now).toISOString();
  expect(groupsWithTimes(out)).toEqual(groupsWithTimes(tree, importedAt));
  const archive = writeFiles(out, "commonplace").files[0]?.bytes ?? new Uint8Array();
  expect(readFiles([fileOf("a.zip", archive)]).tree).toEqual(out);
  // Written part by part, into several files, with each snippet as a whole or text by text.
  const written = await writtenArchive(started, { fileLengthMax: 20_000 });
  expect(Object.keys(unzipSync(written))).toEqual([
    ...["folders.jsonl", "tags.jsonl"],
    ...[1, 2, 3, 4].map((number) => `snippets-0000${number}.jsonl`),
    "manifest.json",
  ]);
  expect(readFiles([fileOf("a.zip", written)]).tree).toEqual(out);
  const inPieces = await writtenArchive(started, { wholeBytesMax: 0 });
  expect(readFiles([fileOf("a.zip", inPieces)]).tree).toEqual(out);

  // The same files again: nothing is new.
  expect(await into(sourceOf(out, "again"))).toMatchObject({ created: 0, folders: 0, tags: 0, skipped: 231 });
  const everything = { deleted: 231, kept: 0, folders: 3, tags: 2, isFinished: true };
  expect(await undo(first.id)).toMatchObject(everything);
  expect(await exported()).toEqual({ folders: [], tags: [], snippets: [] });
  expect(await undo(first.id)).toMatchObject({ deleted: 0 });

  // In another place, and later, everything has the times that it had.
  started.clock.advance(40 * daySeconds);
  const parts = readArchiveInParts(openForReading(written));
  if (!parts) throw new Error("it is an archive");
  const inParts: Tree = { ...parts.tree, snippets: [...parts.tree.snippets] };
  expect(inParts).toEqual(out);
  expect(parts.places.at(-1)).toEqual({ file: "snippets-00004.jsonl", line: expect.any(Number) });
  const moved = await into({ ...parts, name: "written.zip" });
  const again = await exported();
  expect(again.snippets.map(({ createdAt, updatedAt }) => [createdAt, updatedAt])).toEqual(
    out.snippets.map(({ createdAt, updatedAt }) => [createdAt, updatedAt]),
  );
  expect(again.snippets.map(({ variations }) => variations)).toEqual(out.snippets.map(({ variations }) => variations));
  expect(groupsWithTimes(again)).toEqual(groupsWithTimes(out));
  expect(contents(again)).toEqual(contents(tree));
  await expectTimes(started);
  await expectConsistent(started);
  // What somebody has changed since then stays.
  const [outer] = again.tags;
  await started.client.putTag({ tagId: outer?.key ?? "", tagName: "Mine" });
  expect(await undo(moved.id)).toMatchObject({ ...everything, tags: 1 });
  expect((await exported()).tags).toMatchObject([{ name: "Mine", createdAt: outer?.createdAt }]);
});

/** Of the snippet "Full", for programs. */
async function expectTimes({ client, rows, workspace }: Started) {
  const [row] = await rows<{ id: string }>(
    "select id from snippets where workspace_id = ? and title = 'Full'",
    workspace.id,
  );
  const { data } = await client.getSnippet({ id: row?.id ?? "" });
  expect([data.created_at, data.updated_at]).toEqual(["2024-01-01T00:00:00.000Z", "2024-03-02T00:00:00.000Z"]);
  const histories = data.variations.map(async ({ id }) => {
    const { data: variation } = await client.getSnippetVariation({ snippetId: data.id, variationId: id });
    const range = { fromDate: "2024-01-02T00:00:00Z", toDate: "2024-02-29T00:00:00Z" };
    const [all, some] = [
      await client.getSnippetVariationHistory({ variationId: id }),
      await client.getSnippetVariationHistory({ variationId: id, ...range }),
    ];
    const texts = [all, some].map((each) => each.data.map(({ content }) => content.content));
    return [variation.created_at.slice(0, 10), variation.updated_at.slice(0, 10), ...texts];
  });
  expect(await Promise.all(histories)).toEqual([
    ["2024-01-01", "2024-03-01", ["third", "second", "first"], ["second"]],
    ["2024-01-04", "2024-01-05", ["x", "w", "v"], ["x", "w", "v"]],
  ]);
}

test("an import that was interrupted goes on where it stopped, also when two continue it at once, and doubles nothing", async () => {
  const started = await startService({});
  let portions = 0;
  const interrupted = importing(started, () => {
    portions += 1;
    return portions <= 6;
  });
  const source = sourceOf({ ...tree, tags: tree.tags.map((tag) => ({ ...tag, updatedAt: "unknown" })) });
  const begun = await interrupted.into(source);
  expect(begun.isFinished).toBe(false);
  const { into, exported } = importing(started);
  const partly = (await exported()).snippets.length;
  expect(partly).toBeGreaterThan(0);
  expect(partly).toBeLessThan(231);
  const [one, other] = await Promise.all([into(source), into(source)]);
  expect([one.id, other.id]).toEqual([begun.id, begun.id]);
  expect(begun.plan.warnings).toMatchObject([{ message: expect.stringMatching(/^2 tags get the time of the import/) }]);
  expect([one.plan.warnings, other.plan.warnings]).toEqual([begun.plan.warnings, begun.plan.warnings]);
  expect(contents(await exported())).toEqual(contents(tree));
  await expectConsistent(started);
});

test("an import that is undone while it runs stops, says so, and leaves nothing", async () => {
  const started = await startService();
  let portions = 0;
  const { into, undo, exported } = importing(started, async () => {
    portions += 1;
    if (portions === 2) await undo(await importId());
    return true;
  });
  const importId = async () =>
    (await started.rows<{ id: string }>("select id from imports where workspace_id = ?", started.workspace.id))[0]
      ?.id ?? "";
  expect(await into(sourceOf(tree)).catch((error: unknown) => error)).toMatchObject({ code: "import_undone" });
  expect((await exported()).snippets).toEqual([]);
});

test("an import of everything or nothing leaves nothing where a part of it is refused on the way, or some of it at the beginning", async () => {
  const started = await startService();
  let calls = 0;
  const { into, exported } = importing(started, undefined, {
    isAllOrNothing: true,
    // The folders and the first snippets fit.
    storeBytes: async (bytes) => {
      calls += 1;
      if (calls > 6 && bytes > 0) throw errors.storageExceeded(2, 1);
    },
  });
  const problem = { message: "b.json could not be read." };
  const refusalOf = (source: ImportSource) => into(source).catch((error: unknown) => error);
  expect(await refusalOf({ ...sourceOf(tree), problems: [problem] })).toMatchObject({
    code: "file_has_problems",
    details: { problems: [{ ...problem, file: null, line: null }] },
  });
  expect(calls).toBe(0);
  expect(await refusalOf(sourceOf(tree))).toMatchObject({ code: "storage_exceeded" });
  expect(calls).toBeGreaterThan(6);
  expect(await exported()).toEqual({ folders: [], tags: [], snippets: [] });
  const { id } = started.workspace;
  for (const table of ["imports", "import_rows", "trashed_snippets"])
    expect(await started.rows(`select * from ${table} where workspace_id = ?`, id)).toEqual([]);
});

test("a duplicate is skipped, gets a new version, or is kept twice; undoing brings the text back, but not over what somebody wrote since", async () => {
  const started = await startService({});
  const { client, team } = started;
  const made = async (title: string, shortcut: string) => {
    const content = { type: "code", content: `old ${title}` };
    return (await client.postSnippet({ title, shortcut, teamId: team.id, content })).data.snippetId;
  };
  const [a, b] = [await made("A", "!a"), await made("B", "!b")];
  await made("Text", "!c");
  const files: Tree = {
    ...{ folders: [], tags: [] },
    snippets: [
      snippet("A", { shortcut: "!a" }),
      snippet("B", { shortcut: "!b" }),
      snippet("Same text", { variations: [{ name: "Default", ...version("old Text"), formerVersions: [] }] }),
      snippet("Prefix of another language", {
        shortcut: "!a",
        variations: [{ name: "Default", ...version("z"), type: "python", formerVersions: [] }],
      }),
    ],
  };
  const { into, undo, exported } = importing(started);
  const textsOf = async () =>
    Object.fromEntries((await exported()).snippets.map(({ title, variations: [first] }) => [title, first?.content]));
  const old = { A: "old A", B: "old B", Text: "old Text" };

  const skipped = await into(sourceOf(files));
  expect(skipped).toMatchObject({ created: 1, skipped: 3 });
  await undo(skipped.id);
  expect(await textsOf()).toEqual(old);

  const replaced = await into(sourceOf(files), "replace");
  expect(replaced).toMatchObject({ created: 1, replaced: 3 });
  expect(await textsOf()).toEqual({
    A: "text of A",
    B: "text of B",
    Text: "old Text",
    "Prefix of another language": "z",
  });
  await client.putSnippet({ id: b, content: { type: "code", content: "written since" } });
  expect(await undo(replaced.id)).toMatchObject({ deleted: 1, restored: 1, kept: 1 });
  expect(await textsOf()).toEqual({ ...old, B: "written since" });
  const { data: detail } = await client.getSnippet({ id: a });
  const { metadata } = await client.getSnippetVariationHistory({ variationId: detail.variations[0]?.id ?? "" });
  expect(metadata.totalRecords).toBe(3);

  expect(await into(sourceOf(files), "create")).toMatchObject({ created: 4, replaced: 0, skipped: 0 });
  expect((await exported()).snippets).toHaveLength(7);
  await expectConsistent(started);
});
