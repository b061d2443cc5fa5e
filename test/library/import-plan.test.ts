// The plan of an import is made before anything is written: what exceeds a limit is listed with its place, and never shortened.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Call } from "../../src/library/call.ts";
import { readFiles } from "../../src/library/formats/formats.ts";
import type { Tree, TreeSnippet } from "../../src/library/formats/tree.ts";
import { requireWhole } from "../../src/library/import/all-or-nothing.ts";
import { countPlan, type PlannedGroup, planImport } from "../../src/library/import/plan.ts";
import { shownOf } from "../../src/library/import/preview.ts";
import { timesOf, timesOfGroup, warnOfTimes } from "../../src/library/import/times.ts";
import { fileOf } from "../support/tree-texts.ts";
import "../support/once.ts";

const nothing = { folders: [], tags: [], snippets: [] };

test("what the service would refuse is listed by its line, and the rest is imported", () => {
  const rows = [
    { name: "Good", text: "a" },
    { name: "x".repeat(201), text: "b" },
    { name: "Shortcut", text: "c", keyword: "k".repeat(101) },
    { name: "Text", text: "t".repeat(1_000_001) },
    { name: "NUL", text: "a\0b" },
    { name: "Half a character", text: "\ud800" },
  ];
  const text = `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
  const { tree, places } = readFiles([fileOf("rows.json", text)]);
  const plan = planImport(tree, places, nothing, "skip");
  expect(countPlan(plan)).toEqual({ folders: 0, tags: 0, created: 1, replaced: 0, skipped: 0 });
  expect(plan.problems.map(({ place, message }) => [place?.line, message])).toEqual([
    [3, `"${"x".repeat(60)}…": the title must be 1 to 200 characters.`],
    [4, '"Shortcut": the shortcut must be at most 100 characters.'],
    [5, '"Text": the text must be at most 1000000 characters.'],
    [6, '"NUL": the text must not contain a NUL character.'],
    [7, '"Half a character": the text must not contain a lone surrogate.'],
  ]);
});

test("folders are nested as deep as they will be in the folder that they come into, and what is in a folder that is left out is left out too", () => {
  const folders = Array.from({ length: 99 }, (_, depth) => ({
    ...{ id: `${depth}`, name: `F${depth}`, parentId: depth === 0 ? null : `${depth - 1}` },
  }));
  const { tree, places } = readFiles([
    fileOf("rows.csv", "title,content,folder\nIn,a,One\nDeep,b,One / Two\nDeepest,c,One / Two / Three\n"),
  ]);
  const plan = planImport(tree, places, { ...nothing, folders }, "skip", "98");
  expect(plan.folders.map(({ group }) => group.name)).toEqual(["One"]);
  expect(plan.snippets).toEqual([{ kind: "create", at: 0 }]);
  expect(plan.problems.map(({ message }) => message)).toEqual([
    'The folder "Two" is nested more than 100 levels deep.',
    '"Deep": its folder cannot be imported.',
    '"Deepest": its folder cannot be imported.',
  ]);
});

test("all or nothing: more folders or tags than a workspace can have are a problem, before anything is made", async () => {
  const { tree, places } = readFiles([fileOf("rows.csv", "title,content,folder,tags\nIn,a,One / Two,green\n")]);
  const plan = planImport(tree, places, nothing, "skip");
  const needs: object[] = [];
  const callWith = (total: number) =>
    ({
      transaction: { first: async () => ({ total }) },
      caller: { workspaceId: "w" },
      requireLeft: async (need: object) => void needs.push(need),
      // What the function uses of a call.
    }) as unknown as Call;
  await requireWhole(callWith(19_998), plan, tree, 500, true);
  // 4 items in 1 request.
  expect(needs).toMatchObject([{ units: 5 }]);
  await expect(requireWhole(callWith(19_999), plan, tree, 500, true)).rejects.toMatchObject({
    code: "file_has_problems",
    message:
      "Nothing was imported because of 1 problem: A workspace can have at most 20,000 folders. It has 19,999, and the file adds 2.",
  });
  expect(needs).toHaveLength(1);
  // The rest of an import that has begun.
  await requireWhole(callWith(20_000), plan, tree, 500, false);
});

test("each snippet of the team is the duplicate of one in the files at most, of the one most like it", () => {
  const rows = [
    { name: "Other title", text: "one", keyword: "!a" },
    { name: "A", text: "two", keyword: "!a" },
    { name: "Equal", text: "three", keyword: "!a" },
    { name: "Fourth", text: "four", keyword: "!a" },
  ];
  const { tree, places } = readFiles([fileOf("rows.json", JSON.stringify(rows))]);
  const mine = (id: string, title: string, textKey?: string) => ({
    id,
    title,
    shortcut: "!a",
    type: "plaintext",
    textKey,
  });
  const existing = { ...nothing, snippets: [mine("1", "A"), mine("2", "B", "three"), mine("3", "C")] };
  expect(planImport(tree, places, existing, "replace").snippets).toEqual([
    { kind: "replace", at: 0, id: "3" },
    { kind: "replace", at: 1, id: "1" },
    { kind: "replace", at: 2, id: "2" },
    { kind: "create", at: 3 },
  ]);
});

test("a preview has the folders and tags with what comes into them, which of them are new, none that nothing comes into unless it is empty in the file, and the outermost of very many", () => {
  const text = (title: string, folder: string | null, tags: readonly string[], content = title) => ({
    ...{ title, note: null, shortcut: null, folder, tags, isArchived: false, createdAt: null, updatedAt: null },
    variations: [{ name: "Default", type: "plaintext", content, changedAt: null, formerVersions: [] }],
  });
  const group = (key: string, parent: string | null, name = key) => ({
    ...{ key, name, color: null, parent },
    ...{ createdAt: null, updatedAt: null },
  });
  const existing = {
    folders: [{ id: "1", name: "Replies", parentId: null }],
    tags: [{ id: "2", name: "mail", parentId: null }],
    snippets: ["old", "older"].map((textKey, at) => ({
      id: `${3 + at}`,
      title: "Old",
      shortcut: null,
      type: "plaintext",
      textKey,
    })),
  };
  const tree: Tree = {
    folders: [
      ...[group("f", null, "Replies"), group("g", "f", "Short"), group("h", null, "Empty")],
      // Nothing comes into these.
      ...[group("i", null, "Notes"), group("j", "i", "Long")],
    ],
    tags: [group("t", null, "mail"), group("u", "t", "letter"), group("v", null, "unused")],
    snippets: [
      ...[text("A", "f", ["t"]), text("B", "g", ["u"]), text("C", null, ["t", "u"])],
      ...[text("D", "g", [], "old"), text("E", "j", ["v"], "older")],
    ],
  };
  const shown = shownOf(planImport(tree, [], existing, "skip"), { tree });
  const plain = { shortcut: null, content_type: "plaintext", action: "create" as const, duplicate: null };
  expect(shown).toEqual({
    snippets: [
      { ...plain, title: "A", folder: "Replies" },
      { ...plain, title: "B", folder: "Replies / Short" },
      { ...plain, title: "C", folder: null },
      {
        ...{ ...plain, title: "D", folder: "Replies / Short", action: "skip" as const },
        duplicate: { snippet_id: "3", title: "Old", match: "text" },
      },
      {
        ...{ ...plain, title: "E", folder: "Notes / Long", action: "skip" as const },
        duplicate: { snippet_id: "4", title: "Old", match: "text" },
      },
    ],
    folders: [
      { name: "Replies", parent: null, is_new: false, snippet_count: 2 },
      { name: "Empty", parent: null, is_new: true, snippet_count: 0 },
      { name: "Short", parent: 0, is_new: true, snippet_count: 1 },
    ],
    tags: [
      { name: "mail", parent: null, is_new: false, snippet_count: 2 },
      { name: "letter", parent: 0, is_new: true, snippet_count: 2 },
    ],
    table: null,
  });

  const folders = Array.from({ length: 5_000 }, (_, at) => [group(`${at}`, null), group(`${at}/`, `${at}`)]).flat();
  const large = { folders, tags: [], snippets: folders.map(({ key }) => text(key, key, [])) };
  const { folders: first } = shownOf(planImport(large, [], nothing, "skip"), { tree: large });
  expect(first.length).toBe(1_000);
  expect(first.every(({ parent, snippet_count }) => parent === null && snippet_count === 2)).toBe(true);
});

const noGroups = { folders: [], tags: [] };
const now = "2026-03-15T12:00:00.000Z";

/** @param changed of the current version, then of the former ones, the oldest first */
const dated = (createdAt: string | null, updatedAt: string | null, ...changed: (string | null)[]): TreeSnippet => {
  const [last = null, ...former] = changed.map((changedAt) => ({ type: "code", content: "a", changedAt }));
  const variation = { name: "Default", ...(last ?? { type: "code", content: "a", changedAt: null }) };
  const rest = { title: "T", note: null, shortcut: null, folder: null, tags: [], isArchived: false };
  return { ...rest, createdAt, updatedAt, variations: [{ ...variation, formerVersions: former }] };
};

test("a snippet keeps the times of the archive; of those that cannot be true, it gets the time of the import, and the preview says so", () => {
  const [one, two, three] = [
    "2000-01-01T00:00:00.000Z",
    "2024-02-29T00:00:00.000Z",
    "2025-01-01T00:00:00.000Z",
  ] as const;
  const given = (snippet: TreeSnippet) => {
    const { createdAt, updatedAt, variations } = timesOf(snippet, now);
    return [createdAt, updatedAt, ...variations.flatMap(({ changedAt, former }) => [changedAt, ...former])];
  };
  const warningsOf = (...snippets: TreeSnippet[]) => {
    const plan = { ...noGroups, snippets: snippets.map((_, at) => ({ kind: "create" as const, at })) };
    const places = snippets.map((_, index) => ({ file: "s.jsonl", line: index + 1 }));
    return warnOfTimes(snippets, places, plan, new Set(), now).map(({ place, message }) => `${place?.line} ${message}`);
  };
  const kept = [dated(one, three, three, one, two), dated(one, now, two, two, two), dated(null, null, null, null)];
  expect(kept.slice(0, 2).map(given)).toEqual([
    [one, three, three, one, two],
    [one, now, two, two, two],
  ]);
  expect(warningsOf(...kept)).toEqual([]);
  const changed: [TreeSnippet, string[]][] = [
    ...["2026-03-15T12:00:00.001Z", "1999-12-31T23:59:59.999Z", "2023-02-29T00:00:00.000Z", "2024-01-01", "x"].map(
      (wrong): [TreeSnippet, string[]] => [dated(wrong, wrong, wrong, one, wrong), [now, now, now, one, now]],
    ),
    [dated(three, two, two, one, two), [three, three, two, one, two]],
    [dated(one, two, two, one, three), [one, two, three, one, three]],
  ];
  for (const [snippet, times] of changed) {
    expect(given(snippet)).toEqual(times);
    const message =
      "2 1 snippet gets the time of the import in place of dates that are in the future, before 2000, malformed, or not in order.";
    expect(warningsOf(...kept.slice(0, 1), snippet)).toEqual([message]);
  }
  expect(
    warnOfTimes([dated("x", "x")], [], { ...noGroups, snippets: [{ kind: "skip", at: 0, id: "" }] }, new Set(), now),
  ).toEqual([]);
});

test("folders and tags keep their times by the same rule, and the preview says how many do not", () => {
  const [one, two] = ["2000-01-01T00:00:00.000Z", "2024-02-29T00:00:00.000Z"] as const;
  const group = (createdAt: string | null, updatedAt: string | null, existingId: string | null = null) => ({
    ...{ existingId, group: { key: "g", name: "G", color: null, parent: null, createdAt, updatedAt } },
  });
  const cases = [
    [group(one, two), one, two],
    [group(two, now), two, now],
    [group(one, null), one, now],
    [group(null, one), now, now],
    [group(two, one), two, two],
    [group("2026-03-15T12:00:00.001Z", "x"), now, now],
  ] as const;
  for (const [{ group: each }, createdAt, updatedAt] of cases)
    expect(timesOfGroup(each, now)).toEqual({ createdAt, updatedAt });
  const all = cases.map(([each]) => each);
  const made = new Set(["2"]);
  const warned = (folders: PlannedGroup[], tags: PlannedGroup[], ...snippets: TreeSnippet[]) =>
    warnOfTimes(
      snippets,
      [],
      { folders, tags, snippets: snippets.map((_, at) => ({ kind: "create", at })) },
      made,
      now,
    );
  const reason =
    "the time of the import in place of dates that are in the future, before 2000, malformed, or not in order";
  // A group that the team has already keeps the times that it has there.
  expect(warned(all.slice(0, 3), [group("x", "x", "1")])).toEqual([]);
  expect(warned([], all.slice(3, 5))).toEqual([{ message: `2 tags get ${reason}.` }]);
  // The next part of the import finds what the last one has made, and says the same.
  expect(warned([group("x", null, "2")], [])).toEqual([{ message: `1 folder gets ${reason}.` }]);
  expect(warned(all, [group("x", "x")], dated("x", null))).toEqual([
    { message: `1 snippet, 3 folders, and 1 tag get ${reason}.` },
  ]);
});

test("whatever times an archive has, what a snippet gets is in order, and is kept by the next archive", () => {
  const time = fc.option(
    fc
      .oneof(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2030-01-01") }), fc.nat(3))
      .map((each) => (typeof each === "number" ? `2025-01-01T00:00:00.00${each}Z` : each.toISOString())),
  );
  fc.assert(
    fc.property(time, time, fc.array(time, { maxLength: 4 }), (createdAt, updatedAt, changed) => {
      const times = timesOf(dated(createdAt, updatedAt, ...changed), now);
      const [first] = times.variations;
      expect([times.createdAt, times.updatedAt, now]).toEqual([times.createdAt, times.updatedAt, now].sort());
      for (const former of first?.former ?? []) expect(former <= (first?.changedAt ?? "")).toBeTrue();
      // As the history lists them.
      const listed = times.variations.map((each) => ({ ...each, former: each.former.toSorted() }));
      const again = dated(times.createdAt, times.updatedAt, first?.changedAt ?? null, ...(listed[0]?.former ?? []));
      expect(timesOf(again, now)).toEqual({ ...times, variations: listed });
      expect(warnOfTimes([again], [], { ...noGroups, snippets: [{ kind: "create", at: 0 }] }, new Set(), now)).toEqual(
        [],
      );
    }),
    { numRuns: 200 },
  );
});
