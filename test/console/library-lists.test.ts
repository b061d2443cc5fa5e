// Lists of the library for people: rows without texts, with names of those who wrote them.
import { expect, test } from "bun:test";
import { deactivateKey, deleteKey } from "../../src/metering/keys/keys.ts";
import { startConsole } from "../support/console.ts";

test("a row has the beginning of a text, where the query occurs, and the name of who changed it, also of who is gone", async () => {
  const { person, call, key, team, admin } = await startConsole();
  const owner = await person({ role: "owner" });
  const editor = await person({ role: "member", name: "Grace Hopper", teams: { [team.id]: "editor" } });
  const body = (title: string) => ({
    title,
    content: { type: "plaintext", content: `${"😀".repeat(400)} nautilus` },
    teamId: team.id,
  });
  await call("POST", "/snippet", { key: key.secret, body: body("By a key") });
  await editor.call("postLibrarySnippet", { body: body("By a person") });
  await owner.call("deleteMember", { query: { personId: editor.id } });
  await admin(async (transaction) => {
    await deactivateKey(transaction, key.id);
    await deleteKey(transaction, key.id);
  });
  const found = await owner.call("getLibrarySearch", { query: { query: "nautilus", sort: "title" } });
  expect(found.body.metadata).toEqual({ totalCount: 2 });
  const [byKey, byPerson] = found.body.data;
  expect(byKey).toMatchObject({
    title: "By a key",
    preview: "😀".repeat(300),
    variation_count: 1,
    tag_ids: [],
    updated_by: { kind: "key", id: key.id, name: expect.any(String) },
  });
  expect(byKey.matches[0]).toMatchObject({ field: "content", match: "nautilus", after: "" });
  expect(byPerson.updated_by).toEqual({ kind: "person", id: editor.id, name: "Grace Hopper" });
});

test("a walk over all pages returns each snippet of the own teams once", async () => {
  const { person, call, key, team, otherTeam } = await startConsole();
  const viewer = await person({ role: "member", teams: { [team.id]: "viewer" } });
  const create = (title: string, teamId: string) =>
    call("POST", "/snippet", {
      key: key.secret,
      body: { title, content: { type: "plaintext", content: "x" }, teamId },
    });
  for (const title of ["a", "b", "c", "d", "e"]) await create(title, team.id);
  await create("hidden", otherTeam.id);
  const titles: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { body } = await viewer.call("getLibrarySearch", {
      query: { sort: "title", limit: 2, ...(cursor && { cursor }) },
    });
    titles.push(...body.data.map(({ title }: { title: string }) => title));
    cursor = body.nextCursor;
  } while (cursor);
  expect(titles).toEqual(["a", "b", "c", "d", "e"]);
});

test("archived snippets are left out, listed alone, or listed beside the others, also by a search", async () => {
  const { person, team } = await startConsole();
  const owner = await person({ role: "owner" });
  const create = async (title: string) => {
    const body = { title, content: { type: "plaintext", content: "x" }, teamId: team.id };
    return (await owner.call("postLibrarySnippet", { body })).body.data.snippetId;
  };
  await create("current note");
  await owner.call("putLibrarySnippet", { query: { id: await create("old note") }, body: { isArchived: true } });
  const titles = async (query: Record<string, unknown>) => {
    const { body } = await owner.call("getLibrarySearch", { query: { sort: "title", ...query } });
    return [body.metadata.totalCount, ...body.data.map(({ title }: { title: string }) => title)];
  };
  for (const search of [{}, { query: "note" }, { query: "note", teamId: team.id }]) {
    expect(await titles(search)).toEqual([1, "current note"]);
    expect(await titles({ ...search, isArchived: true })).toEqual([1, "old note"]);
    for (const isArchived of [true, false])
      expect(await titles({ ...search, isArchived, includeArchived: true })).toEqual([2, "current note", "old note"]);
  }
});

test("the tree says what is where, and what the person may do there", async () => {
  const { person, workspace, team, otherTeam } = await startConsole();
  const owner = await person({ role: "owner" });
  const folder = (
    await owner.call("postLibraryFolder", { body: { folderName: "F", folderColor: "#fff", teamId: team.id } })
  ).body.data.folder;
  const body = { title: "x", content: { type: "plaintext", content: "x" }, teamId: team.id, folderId: folder.id };
  const { snippetId } = (await owner.call("postLibrarySnippet", { body })).body.data;
  const tag = (await owner.call("postLibraryTag", { body: { tagName: "T", tagColor: "#fff", teamId: team.id } })).body
    .data.tag;
  await owner.call("putLibrarySnippet", { query: { id: snippetId }, body: { tagIds: [tag.id] } });
  const deleted = (await owner.call("postLibrarySnippet", { body })).body.data;
  await owner.call("deleteLibrarySnippets", { query: { snippetIds: deleted.snippetId } });
  await owner.call("putLibrarySnippet", { query: { id: snippetId }, body: { isArchived: true } });
  const mixed = await person({ role: "member", teams: { [team.id]: "admin", [otherTeam.id]: "viewer" } });
  const { data, metadata } = (await mixed.call("getLibraryTree")).body;
  expect(metadata).toEqual({ isTruncated: false, trashDays: 30 });
  expect(data.folders).toEqual([{ ...folder, workspace_id: workspace.id, snippet_count: 1, archived_count: 1 }]);
  expect(data.tags).toEqual([{ ...tag, workspace_id: workspace.id, snippet_count: 1, archived_count: 1 }]);
  const own = data.teams.find(({ id }: { id: string }) => id === team.id);
  expect(own).toMatchObject({
    own_role: "admin",
    may_write: true,
    may_manage: true,
    snippet_count: 1,
    archived_count: 1,
    trashed_count: 1,
  });
  const other = data.teams.find(({ id }: { id: string }) => id === otherTeam.id);
  expect(other).toMatchObject({
    own_role: "viewer",
    may_write: false,
    may_manage: false,
    snippet_count: 0,
    trashed_count: 0,
  });
});

test("a response to a GET is compressed for a client that accepts it, and for no other", async () => {
  const { person, team, origin, fetch } = await startConsole();
  const owner = await person({ role: "owner" });
  for (const folderName of ["First", "Second", "Third", "Fourth"])
    await owner.call("postLibraryFolder", { body: { folderName, folderColor: "#fff", teamId: team.id } });
  const read = async (path: string, coding: string) => {
    const response = await fetch(`${origin}/console/api/library/${path}?workspaceId=${team.workspace_id}`, {
      headers: { Cookie: owner.cookie, "Accept-Encoding": coding },
    });
    expect(response.status).toBe(200);
    return { coding: response.headers.get("content-encoding"), body: await response.text() };
  };
  const [plain, gzip] = [await read("tree", "identity"), await read("tree", "br, gzip")];
  expect([plain.coding, gzip.coding]).toEqual([null, "gzip"]);
  expect((await read("tree", "gzip, zstd")).coding).toBe("zstd");
  expect(plain.body.length).toBeGreaterThan(1024);
  expect(JSON.parse(gzip.body)).toEqual(JSON.parse(plain.body));
  expect((await read("tree", "gzip;q=0")).coding).toBeNull();
  // Too short.
  expect((await read("search", "gzip")).coding).toBeNull();
});
