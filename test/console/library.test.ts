// The library through the console: people read and write with the rules of the public API, and see each other's changes.
import { beforeAll, expect, test } from "bun:test";
import { type StartedConsole, startConsole } from "../support/console.ts";

let started: StartedConsole;
type Person = Awaited<ReturnType<StartedConsole["person"]>>;
let editor: Person;

beforeAll(async () => {
  started = await startConsole({});
  editor = await started.person({ role: "member", name: "Grace Hopper", teams: { [started.team.id]: "editor" } });
});

const text = (content: string) => ({ type: "plaintext", content });

async function newSnippet(person = editor, fields: object = {}): Promise<string> {
  const { body } = await person.call("postLibrarySnippet", {
    body: { title: "Greeting", content: text("Hello"), teamId: started.team.id, ...fields },
  });
  return body.data.snippetId;
}

async function newTag(name: string, fields: object = {}): Promise<string> {
  const owner = await started.person({ role: "owner" });
  const { body } = await owner.call("postLibraryTag", {
    body: { tagName: name, tagColor: "#868e96", teamId: started.team.id, ...fields },
  });
  return body.data.tag.id;
}

const read = async (id: string, person = editor) =>
  (await person.call("getLibrarySnippet", { query: { id } })).body.data;

test("what a person writes costs nothing, is theirs by name, and a key reads it like any other", async () => {
  const id = await newSnippet();
  const { status, body } = await started.call("GET", "/snippet", { key: started.key.secret, query: { id } });
  expect([status, body.data.created_by, body.data.title]).toEqual([200, editor.id, "Greeting"]);
  const ledger = await started.rows("select operation from ledger");
  expect(ledger).toEqual([{ operation: "getSnippet" }]);
  const { key } = started;
  await started.call("PUT", "/snippet", {
    key: started.key.secret,
    query: { id },
    body: { content: text("Hello again") },
  });
  const snippet = await read(id);
  expect(snippet.created_by).toEqual({ kind: "person", id: editor.id, name: "Grace Hopper" });
  expect(snippet.updated_by).toEqual({ kind: "key", id: key.id, name: expect.any(String) });
  expect(snippet.variations[0].content).toBe("Hello again");
});

test("of people who save what they read at the same time, one succeeds and the others receive what was saved", async () => {
  const id = await newSnippet();
  const { state } = await read(id);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      editor.call("putLibrarySnippet", {
        query: { id, ifState: state },
        body: { content: text(`Version ${index}`) },
      }),
    ),
  );
  const saved = answers.findIndex(({ status }) => status === 200);
  const refused = answers.filter((_, index) => index !== saved);
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
    Array.from({ length: 7 }, () => [409, "changed_meanwhile"]),
  );
  for (const { body } of refused) expect(body.current.variations[0].content).toBe(`Version ${saved}`);
  const again = await editor.call("putLibrarySnippet", {
    query: { id, ifState: refused[0]?.body.current.state },
    body: { title: "Merged" },
  });
  expect(again.status).toBe(200);
});

test("a variation that somebody else saved in between is not overwritten", async () => {
  const id = await newSnippet(editor, { additionalVariations: [{ variationName: "Formal", content: text("Dear") }] });
  const [, formal] = (await read(id)).variations;
  const save = (content: string) =>
    editor.call("putLibrarySnippetVariation", {
      query: { variationId: formal.id, ifState: formal.state },
      body: { content: text(content) },
    });
  expect((await save("Dear you")).status).toBe(200);
  const late = await save("Dear all");
  expect([late.status, late.body.current.variations[1].content]).toEqual([409, "Dear you"]);
});

test("the history names who wrote each text, and its pages follow each other", async () => {
  const id = await newSnippet();
  await started.call("PUT", "/snippet", { key: started.key.secret, query: { id }, body: { content: text("Second") } });
  await editor.call("putLibrarySnippet", { query: { id }, body: { content: text("Third") } });
  const variationId = (await read(id)).variations[0].id;
  const page = (query: object) => editor.call("getLibraryHistory", { query: { variationId, ...query } });
  const whole = await page({});
  expect(
    whole.body.data.map((version: { content: string; is_current: boolean; changed_by: { kind: string } }) => [
      version.content,
      version.changed_by.kind,
      version.is_current,
    ]),
  ).toEqual([
    ["Third", "person", true],
    ["Second", "key", false],
    ["Hello", "person", false],
  ]);
  const first = await page({ limit: 1 });
  const second = await page({ limit: 2, cursor: first.body.nextCursor });
  expect([...first.body.data, ...second.body.data]).toEqual(whole.body.data);
  expect([whole.body.nextCursor, second.body.nextCursor]).toEqual([null, null]);
});

test("what is done to many snippets at once can be taken back, item by item", async () => {
  const [kept, added] = [await newTag("kept"), await newTag("added")];
  const ids = [await newSnippet(editor, { tagIds: [kept] }), await newSnippet(editor, { tagIds: [added] })];
  const before = await Promise.all(ids.map((id) => read(id)));
  const change = await editor.call("putLibrarySnippets", {
    body: {
      snippets: [
        ...ids.map((id) => ({ id, isArchived: true, addTagIds: [added] })),
        { id: crypto.randomUUID(), isArchived: true },
      ],
    },
  });
  expect(change.body.metadata).toEqual({ requestedCount: 3, updatedCount: 2, failedCount: 1 });
  expect(change.body.data.errors[0].message).toBe("Snippet not found");
  const changed = await Promise.all(ids.map((id) => read(id)));
  expect(changed.map(({ is_archived, tag_ids }) => [is_archived, tag_ids.length])).toEqual([
    [true, 2],
    [true, 1],
  ]);
  const snippets = change.body.data.updatedSnippets.map(({ undo }: { undo: object }) => undo);
  expect((await editor.call("putLibrarySnippets", { body: { snippets } })).status).toBe(200);
  const after = await Promise.all(ids.map((id) => read(id)));
  const places = (all: typeof before) => all.map(({ is_archived, tag_ids }) => [is_archived, tag_ids]);
  expect(places(after)).toEqual(places(before));
});

test("merging a tag gives its snippets the other one, once, and takes its place above the other", async () => {
  const owner = await started.person({ role: "owner" });
  const merged = await newTag("merged");
  const inner = await newTag("inner", { parentTagId: merged });
  const into = await newTag("into", { parentTagId: inner });
  const both = await newSnippet(editor, { tagIds: [merged, into] });
  const one = await newSnippet(editor, { tagIds: [merged] });
  const merge = await owner.call("postLibraryTagMerge", { body: { tagId: merged, intoTagId: into } });
  expect(merge.body.data).toEqual({ tagId: merged, snippetCount: 2 });
  expect([(await read(both)).tag_ids, (await read(one)).tag_ids]).toEqual([[into], [into]]);
  const { tags } = (await owner.call("getLibraryTree")).body.data;
  const parents = new Map(tags.map((tag: { id: string; parent_tag_id: string | null }) => [tag.id, tag.parent_tag_id]));
  expect([parents.has(merged), parents.get(into), parents.get(inner)]).toEqual([false, null, into]);
});

test("what a person deletes is in the trash under their name, comes back as it was, and can be deleted for good", async () => {
  const [kept, gone] = [await newSnippet(), await newSnippet(editor, { teamId: started.team.id, title: "Gone" })];
  const before = await read(kept);
  for (const id of [kept, gone]) await editor.call("deleteLibrarySnippet", { query: { id } });
  const first = await editor.call("getLibraryTrash", { query: { limit: 1 } });
  const second = await editor.call("getLibraryTrash", { query: { limit: 1, cursor: first.body.nextCursor } });
  const listed = [...first.body.data, ...second.body.data];
  expect(listed.map(({ id }) => id).sort()).toEqual([kept, gone].sort());
  expect(listed[0]).toMatchObject({ preview: "Hello", deleted_by: { kind: "person", name: "Grace Hopper" } });
  await editor.call("postLibrarySnippetsRestore", { body: { snippetIds: [kept] } });
  expect(await read(kept)).toEqual(before);
  const admin = await started.person({ role: "member", teams: { [started.team.id]: "admin" } });
  const emptied = await admin.call("deleteLibraryTrash", { query: { teamId: started.team.id } });
  expect(emptied.body.data).toEqual({ deletedCount: 1, isMore: false });
  expect((await editor.call("getLibraryTrash")).body.data).toEqual([]);
});

test("a trash that keeps snippets forever names no time after which they cannot be restored", async () => {
  const other = await startConsole({ config: { trashDays: undefined } });
  const owner = await other.person({ role: "owner" });
  const { id } = await other.given.snippet();
  await owner.call("deleteLibrarySnippet", { query: { id } });
  const listed = await owner.call("getLibraryTrash");
  expect(listed.body.data).toMatchObject([{ id, ends_at: null }]);
  expect((await owner.call("getLibraryTree")).body).toMatchObject({
    data: { teams: expect.arrayContaining([expect.objectContaining({ id: other.team.id, trashed_count: 1 })]) },
    metadata: { trashDays: null },
  });
});

test("a person without access to a team gets a message about people, not about keys", async () => {
  const elsewhere = await newSnippet(await started.person({ role: "owner" }), { teamId: started.otherTeam.id });
  const single = await editor.call("putLibrarySnippet", { query: { id: elsewhere }, body: { title: "X" } });
  const inBatch = await editor.call("putLibrarySnippets", {
    body: {
      snippets: [
        { id: elsewhere, isArchived: true },
        { id: await newSnippet(), isArchived: true },
      ],
    },
  });
  const message = "You do not have permission to do this in this team";
  expect([single.status, single.body.message, inBatch.body.data.errors[0].message]).toEqual([403, message, message]);
});

test("the activity says what people did, to those who may read the team, and never repeats a text of what is gone", async () => {
  const id = await newSnippet(editor, { title: "Secret plan" });
  await editor.call("putLibrarySnippet", { query: { id }, body: { isArchived: true } });
  await editor.call("putLibrarySnippet", { query: { id }, body: { title: "Secret plan B", note: "x" } });
  await editor.call("putLibrarySnippets", { body: { snippets: [{ id, isArchived: false }] } });
  await editor.call("deleteLibrarySnippet", { query: { id } });
  const reads = async (person: Person, query: object = {}) =>
    (await person.call("getLibraryActivity", { query: { snippetId: id, ...query } })).body.data;
  const acts = await reads(editor);
  expect(acts.map(({ action, details }: { action: string; details: unknown }) => [action, details])).toEqual([
    ["snippet.delete", null],
    ["snippet.unarchive", null],
    ["snippet.change", { fields: ["title", "note"] }],
    ["snippet.archive", null],
    ["snippet.create", null],
  ]);
  expect(acts[0]).toMatchObject({ name: "Secret plan B", author: { kind: "person", name: "Grace Hopper" } });
  const outsider = await started.person({ role: "member", teams: { [started.otherTeam.id]: "admin" } });
  expect([await reads(outsider), await reads(editor, { authorId: outsider.id })]).toEqual([[], []]);
  const refused = await outsider.call("getLibraryActivity", { query: { teamId: started.team.id } });
  expect(refused.status).toBe(403);
  const admin = await started.person({ role: "member", teams: { [started.team.id]: "admin" } });
  await admin.call("deleteLibraryTrash", { query: { teamId: started.team.id } });
  expect((await reads(editor))[0].name).toBeNull();
  expect(JSON.stringify(await started.rows("select * from library_activity"))).not.toContain("Secret");
});

test("a refused act is not written down", async () => {
  const id = await newSnippet();
  const acts = async () => (await started.rows("select id from library_activity")).length;
  const before = await acts();
  const viewer = await started.person({ role: "member", teams: { [started.team.id]: "viewer" } });
  await viewer.call("putLibrarySnippet", { query: { id }, body: { title: "X" } });
  await editor.call("putLibrarySnippet", { query: { id }, body: { folderId: crypto.randomUUID() } });
  await editor.call("putLibrarySnippet", { query: { id, ifState: "other" }, body: { title: "X" } });
  expect(await acts()).toBe(before);
});

test("a person who exceeds the limit has to wait for the next minute; others do not", async () => {
  const [busy, other] = [
    await started.person({ role: "member", teams: { [started.team.id]: "editor" } }),
    await started.person({ role: "member", teams: { [started.team.id]: "editor" } }),
  ];
  const body = { tagName: "x", tagColor: "#868e96", teamId: started.team.id };
  const statuses = new Set<number>();
  for (let done = 0; done < 300; done += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => busy.call("postLibraryTag", { body })));
    for (const { status } of answers) statuses.add(status);
  }
  expect([...statuses]).toEqual([200]);
  const refused = await busy.call("postLibraryTag", { body });
  expect([refused.status, refused.body.error, refused.headers.get("retry-after")]).toEqual([
    429,
    "too_many_acts",
    "60",
  ]);
  expect((await other.call("postLibraryTag", { body })).status).toBe(200);
  started.clock.advance(61);
  expect((await busy.call("postLibraryTag", { body })).status).toBe(200);
});

test("a text of the greatest length is saved, a larger body is refused, and a stranger's is not read", async () => {
  const long = "😀".repeat(1_000_000);
  const id = await newSnippet(editor, { content: text(long) });
  expect((await read(id)).variations[0].content).toHaveLength(2_000_000);
  const body = { title: "x", content: text(`${long}${long}${long}`), teamId: started.team.id };
  expect((await editor.call("postLibrarySnippet", { body })).status).toBe(413);
  const { status } = await started.stranger("postLibrarySnippet", { body: { ...body, content: text(long) } });
  expect(status).toBe(401);
});

test("20 examples are loaded once and removed again, but for what somebody has changed", async () => {
  const { createTeam } = await import("../../src/accounts/workspaces/workspaces.ts");
  const team = await started.admin((transaction) => createTeam(transaction, started.workspace.id, "Empty"));
  const admin = await started.person({ role: "member", teams: { [team.id]: "admin" } });
  const query = { teamId: team.id };
  const tree = async () => (await admin.call("getLibraryTree")).body.data;
  const loaded = await admin.call("postLibraryExamples", { query });
  const ids: string[] = loaded.body.data.snippetIds;
  expect(new Set(ids).size).toBe(20);
  const full = await tree();
  expect(full.teams[0]).toMatchObject({ snippet_count: 20, has_examples: true });
  expect([full.folders.length, full.tags.length]).toEqual([5, 4]);
  const again = await admin.call("postLibraryExamples", { query });
  expect([again.status, again.body.error]).toEqual([409, "examples_loaded"]);

  const kept = ids[0] ?? "";
  await admin.call("putLibrarySnippet", { query: { id: kept }, body: { title: "Ours now" } });
  const removed = await admin.call("deleteLibraryExamples", { query });
  expect(removed.body.data).toEqual({ removedCount: 19, keptCount: 1 });
  const left = await tree();
  expect(left.teams[0]).toMatchObject({ snippet_count: 1, has_examples: false });
  expect(left.folders.map(({ folder_name }: { folder_name: string }) => folder_name)).toEqual(["Support replies"]);
  expect((await read(kept, admin)).title).toBe("Ours now");
  expect((await admin.call("getLibraryTrash")).body.data).toEqual([]);
});

test("what a person imports is theirs, is in the activity, and goes to the trash when the import is undone; an export has everything", async () => {
  const { createTeam } = await import("../../src/accounts/workspaces/workspaces.ts");
  const team = await started.admin((transaction) => createTeam(transaction, started.workspace.id, "Imports"));
  const admin = await started.person({ role: "member", teams: { [team.id]: "admin" }, name: "Ada" });
  const query = { teamId: team.id, fileName: "mine.json", maxItems: 2 };
  const file = JSON.stringify(["a", "b", "c"].map((name) => ({ name, text: name, keyword: "" })));
  const send = () => admin.call("postLibraryImport", { query, body: file });
  const first = await send();
  expect(first.body.metadata).toMatchObject({ createdCount: 2, remainingCount: 1 });
  const statuses = async () =>
    (await admin.call("getLibraryImports", { query: { teamId: team.id } })).body.data.map(
      (each: { status: string; file_name: string; created_by: { name: string } }) =>
        [each.status, each.file_name, each.created_by.name].join(" "),
    );
  expect(await statuses()).toEqual(["unfinished mine.json Ada"]);
  const second = await send();
  expect([second.body.data.isFinished, await statuses()]).toEqual([true, ["finished mine.json Ada"]]);
  // So much that a process writes the export.
  const large = await started.client.postSnippet({ title: "d", teamId: team.id, content: text("d".repeat(40_000)) });
  const exported = await admin.call("getLibraryExport", { query: { teamId: team.id, format: "csv" } });
  expect(exported.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
  expect(exported.headers.get("x-export-warnings")).toBeNull();
  expect(exported.text.trim().split("\n")).toHaveLength(5);
  expect(exported.text).toContain("d".repeat(40_000));
  await started.client.deleteSnippet({ id: large.data.snippetId });
  const listed = (await admin.call("getLibrarySearch", { query: { teamId: team.id } })).body.data;
  expect(listed.map((row: { updated_by: { name: string } }) => row.updated_by.name)).toEqual(["Ada", "Ada", "Ada"]);

  const importId = first.body.data.importId;
  const undo = async () => (await admin.call("postLibraryImportUndo", { query: { importId } })).body.data;
  expect(await undo()).toEqual({ deletedCount: 3, restoredCount: 0, keptCount: 0, isMore: false });
  expect(await undo()).toEqual({ deletedCount: 0, restoredCount: 0, keptCount: 0, isMore: false });
  expect(await statuses()).toEqual(["undone mine.json Ada"]);
  const acts = (await admin.call("getLibraryActivity", { query: { teamId: team.id } })).body.data;
  expect(acts.map((act: { action: string; name: string }) => [act.action, act.name])).toEqual([
    ["import.undo", "mine.json"],
    ["snippet.delete", "d"],
    ["snippet.create", "d"],
    ["import.run", "mine.json"],
    ["import.run", "mine.json"],
  ]);
});

test("a snippet moves to another team with its history and the tags of the same names, and back again", async () => {
  const { team, otherTeam, client } = started;
  const mover = await started.person({
    role: "member",
    name: "Mo",
    teams: { [team.id]: "editor", [otherTeam.id]: "editor" },
  });
  const owner = await started.person({ role: "owner" });
  const [refund, internal] = [await newTag("refund"), await newTag("internal")];
  const twin = await newTag("refund", { teamId: otherTeam.id });
  const folderIn = async (teamId: string) => {
    const made = await owner.call("postLibraryFolder", { body: { folderName: "F", folderColor: "#868e96", teamId } });
    return made.body.data.folder.id;
  };
  const [folderId, otherFolder] = [await folderIn(team.id), await folderIn(otherTeam.id)];
  const id = await newSnippet(mover, { title: "Refund policy", folderId, tagIds: [refund, internal] });
  await mover.call("putLibrarySnippet", { query: { id }, body: { content: text("Second") } });
  const before = await read(id, mover);
  const { cursor } = (await client.getChanges()).data;
  const move = (person: Person, item: object) =>
    person.call("putLibrarySnippets", { body: { snippets: [{ id, ...item }] } });

  // Both teams must allow it, and the folder must be in the other one.
  expect((await move(editor, { teamId: otherTeam.id })).body.message).toBe(
    "You do not have permission to do this in this team",
  );
  expect((await move(mover, { teamId: crypto.randomUUID() })).status).toBe(404);
  expect((await move(mover, { teamId: otherTeam.id, folderId })).body.message).toBe(
    "folderId must be a folder of the same team",
  );
  expect((await move(mover, { teamId: otherTeam.id, addTagIds: [internal] })).body.message).toBe(
    "tagIds must be tags of the same team",
  );
  expect(await read(id, mover)).toEqual(before);

  const moved = await move(mover, { teamId: otherTeam.id, folderId: otherFolder });
  const [{ undo }] = moved.body.data.updatedSnippets;
  expect(undo).toEqual({
    ...{ id, teamId: team.id, ifTeamId: otherTeam.id, folderId, ifFolderId: otherFolder },
    addTagIds: [refund, internal].sort(),
  });
  expect(await read(id, mover)).toMatchObject({ team_id: otherTeam.id, folder_id: otherFolder, tag_ids: [twin] });
  expect((await editor.call("getLibrarySnippet", { query: { id } })).status).toBe(403);
  const [{ id: variationId }] = before.variations;
  const history = await mover.call("getLibraryHistory", { query: { variationId } });
  expect(history.body.data.map(({ content }: { content: string }) => content)).toEqual(["Second", "Hello"]);
  const found = await mover.call("getLibrarySearch", { query: { teamId: otherTeam.id, query: "policy" } });
  expect(found.body.data.map((row: { id: string }) => row.id)).toEqual([id]);
  const left = await mover.call("getLibrarySearch", { query: { teamId: team.id, query: "policy" } });
  expect(left.body.data).toEqual([]);
  const { changes } = (await client.getChanges({ cursor })).data;
  expect(changes.map(({ action, team_id }) => [action, team_id])).toEqual([
    ["deleted", team.id],
    ["created", otherTeam.id],
  ]);
  // Who reads only the team that it left does not learn its title, nor where it went.
  const acts = async (person: Person) =>
    (await person.call("getLibraryActivity", { query: { snippetId: id, limit: 2 } })).body.data.map(
      ({ action, name, team_id }: Record<string, unknown>) => [action, name, team_id],
    );
  expect((await acts(editor))[0]).toEqual(["snippet.leave", null, team.id]);
  expect(await acts(mover)).toEqual([
    ["snippet.arrive", "Refund policy", otherTeam.id],
    ["snippet.leave", "Refund policy", team.id],
  ]);

  expect((await move(mover, undo)).status).toBe(200);
  const { updated_at: _, updated_by: __, state: ___, ...same } = before;
  expect(await read(id, mover)).toMatchObject(same);
  const again = await move(mover, undo);
  expect([again.status, again.body.error]).toEqual([409, "moved_meanwhile"]);
});

test("undoing a move leaves alone what somebody has moved since", async () => {
  const owner = await started.person({ role: "owner" });
  const folder = async (folderName: string): Promise<string> => {
    const body = { folderName, folderColor: "#868e96", teamId: started.team.id };
    return (await owner.call("postLibraryFolder", { body })).body.data.folder.id;
  };
  const [one, two] = [await folder("One"), await folder("Two")];
  const id = await newSnippet();
  const move = (item: object) => editor.call("putLibrarySnippets", { body: { snippets: [{ id, ...item }] } });
  const [{ undo }] = (await move({ folderId: one })).body.data.updatedSnippets;
  expect(undo).toEqual({ id, folderId: null, ifFolderId: one });
  await move({ folderId: two });
  const late = await move(undo);
  expect([late.status, late.body.error, (await read(id)).folder_id]).toEqual([409, "moved_meanwhile", two]);
});

test("a deleted snippet can be read with all its texts by those who may read the team, until it is restored", async () => {
  const content = text("Dear customer");
  const variations = [{ variationName: "Short", content: { type: "markdown", content: "*Hi*" } }];
  const id = await newSnippet(editor, { title: "Old", note: "Until May", content, additionalVariations: variations });
  const ask = (person: Person) => person.call("getLibraryTrashedSnippet", { query: { id } });
  expect((await ask(editor)).status).toBe(404);
  await editor.call("deleteLibrarySnippet", { query: { id } });
  expect((await ask(editor)).body.data).toEqual({
    ...{ id, team_id: started.team.id, title: "Old", snippet_note: "Until May", shortcut: null },
    variations: [
      { id: expect.any(String), name: "Default", content_type: "plaintext", content: "Dear customer" },
      { id: expect.any(String), name: "Short", content_type: "markdown", content: "*Hi*" },
    ],
  });
  const outsider = await started.person({ role: "member", teams: { [started.otherTeam.id]: "admin" } });
  expect((await ask(outsider)).status).toBe(403);
  await editor.call("postLibrarySnippetsRestore", { body: { snippetIds: [id] } });
  expect((await ask(editor)).status).toBe(404);
});
