// The sentences about folders (interface, Folder; decisions, sections 3 and 4).
import { describe, expect, test } from "bun:test";
import { moment, newId } from "../support/expect.ts";
import { refusalOf, type Started, startService, text } from "../support/service.ts";

const notFound = { status: 404, code: "folder_not_found", message: "Folder not found" };
const forbidden = { status: 403, code: "team_forbidden", message: "API key does not have access to this team" };
const invalid = (message: string) => ({ status: 400, code: "invalid_request", message });
const otherTeamsParent = invalid("parentFolderId must be a folder of the same team");
const cycle = invalid("parentFolderId must not be the folder itself or a folder inside it");

/** This many snippets, made in one call; their titles count up in the order in which they were made. */
async function snippetsIn({ client, team }: Pick<Started, "client" | "team">, folderId: string, count: number) {
  for (let made = 0; made < count; made += 100)
    await client.postSnippets({
      snippets: Array.from({ length: Math.min(100, count - made) }, (_, index) => ({
        title: `${made + index}`,
        content: text("x"),
        teamId: team.id,
        folderId,
      })),
    });
}

const titles = (snippets: readonly { title: string }[]) => snippets.map((snippet) => snippet.title);
const countdown = (from: number, count: number) => Array.from({ length: count }, (_, index) => `${from - index}`);

describe("POST /folder", () => {
  test("answers the folder with all its fields, and its id, name and time", async () => {
    const { client, team, workspace, clock, balance } = await startService();

    const answer = await client.postFolder({ folderName: "Name", folderColor: "#336699", teamId: team.id });

    const folder = {
      id: answer.data.folder.id,
      folder_name: "Name",
      folder_color: "#336699",
      parent_folder_id: null,
      team_id: team.id,
      workspace_id: workspace.id,
      created_at: moment(clock),
      updated_at: moment(clock),
    };
    expect(answer).toEqual({
      success: true,
      data: { folder },
      usage: { remainingRequests: 99_999 },
      metadata: { folderId: folder.id, folderName: "Name", createdAt: moment(clock) },
    });
    expect(folder.id).toEqual(newId);
    expect((await client.getFolder({ folderId: folder.id })).data).toEqual({ folder, snippets: [] });
    expect(await balance()).toBe(99_998);
  });

  test("needs folderName, folderColor and teamId, nothing else", async () => {
    const { call, key, team, content } = await startService();
    const whole = { folderName: "Name", folderColor: "red", teamId: team.id };
    const unchanged = await content();
    for (const name of ["folderName", "folderColor", "teamId"]) {
      const answer = await call("POST", "/folder", { key: key.secret, body: { ...whole, [name]: undefined } });
      expect([answer.status, answer.body.message]).toEqual([400, `${name} is required`]);
    }
    expect(await content()).toEqual(unchanged);
  });

  test("parentFolderId makes it nested; null is the same as none", async () => {
    const { client, given, team } = await startService();
    const parent = await given.folder();
    const bare = { folderName: "Name", folderColor: "red", teamId: team.id };
    const child = (await client.postFolder({ ...bare, parentFolderId: parent.id.toUpperCase() })).data.folder;
    expect(child.parent_folder_id).toBe(parent.id);
    expect((await client.postFolder({ ...bare, parentFolderId: null })).data.folder.parent_folder_id).toBeNull();
  });

  test("names need not be unique", async () => {
    const { given } = await startService();
    const [one, two] = [await given.folder({ folderName: "Same" }), await given.folder({ folderName: "Same" })];
    expect([one.folder_name, two.folder_name, one.id === two.id]).toEqual(["Same", "Same", false]);
  });

  test("a parent must be a folder of the same team: 400 naming the field", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { client, given, team, otherTeam, content } = started;
    const parents = [
      (await given.folder({ teamId: otherTeam.id })).id,
      (await stranger.given.folder()).id,
      (await given.tag()).id,
      Bun.randomUUIDv7(),
    ];
    const unchanged = await content();
    for (const parentFolderId of parents)
      expect(
        await refusalOf(client.postFolder({ folderName: "N", folderColor: "c", teamId: team.id, parentFolderId })),
      ).toEqual(otherTeamsParent);
    expect(await content()).toEqual(unchanged);
  });
});

describe("PUT /folder", () => {
  test("changes what it carries, leaves what is absent, and answers the folder as it is now", async () => {
    const { client, given, clock, balance } = await startService({});
    const [parent, before] = [await given.folder(), await given.folder()];
    let expected = before;
    for (const [body, effect] of [
      [{ folderName: "New name" }, { folder_name: "New name" }],
      [{ folderColor: "green" }, { folder_color: "green" }],
      [{ parentFolderId: parent.id }, { parent_folder_id: parent.id }],
      [{ folderName: "Again" }, { folder_name: "Again" }],
      [{ parentFolderId: null }, { parent_folder_id: null }],
      [
        { folderName: "All", folderColor: "blue", parentFolderId: parent.id },
        {
          folder_name: "All",
          folder_color: "blue",
          parent_folder_id: parent.id,
        },
      ],
    ] as const) {
      clock.advance(1);
      const remaining = await balance();
      expected = { ...expected, ...effect, updated_at: moment(clock) };
      expect(await client.putFolder({ folderId: before.id, ...body })).toEqual({
        success: true,
        data: { folder: expected },
        usage: { remainingRequests: remaining - 1 },
        metadata: { fieldsUpdated: Object.fromEntries(Object.keys(body).map((name) => [name, true])) },
      });
      expect((await client.getFolder({ folderId: before.id })).data.folder).toEqual(expected);
    }
  });

  test("null where it can not clear, a team, an unknown field or no field at all: 400 and nothing changed", async () => {
    const { call, given, key, otherTeam, content } = await startService();
    const folder = await given.folder();
    const unchanged = await content();
    const bodies = [
      [{ folderName: null }, "folderName must be a string"],
      [{ folderColor: null }, "folderColor must be a string"],
      [{ folderName: "New", teamId: otherTeam.id }, "teamId is not a known field"],
      [{ folderName: "New", id: folder.id }, "id is not a known field"],
      [{ folderName: "New", parent_folder_id: null }, "parent_folder_id is not a known field"],
      [{}, "at least one of these fields is required: folderName, folderColor, parentFolderId"],
    ] as const;
    for (const [body, message] of bodies) {
      const answer = await call("PUT", "/folder", { key: key.secret, query: { folderId: folder.id }, body });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);
  });

  test("a parent that would close a cycle, of any length: 400", async () => {
    const { client, given, content } = await startService();
    const chain = [await given.folder()];
    for (let depth = 1; depth < 12; depth += 1)
      chain.push(await given.folder({ parentFolderId: chain.at(-1)?.id ?? "" }));
    const aside = await given.folder({ parentFolderId: chain[3]?.id ?? "" });
    const unchanged = await content();
    const [top] = chain;
    for (const parent of [...chain, aside])
      expect(await refusalOf(client.putFolder({ folderId: top?.id ?? "", parentFolderId: parent.id }))).toEqual(cycle);
    expect(
      await refusalOf(client.putFolder({ folderId: chain[5]?.id ?? "", parentFolderId: chain[6]?.id ?? "" })),
    ).toEqual(cycle);
    expect(await content()).toEqual(unchanged);

    // Downwards only: to stand under a folder aside of its own line is no cycle.
    const moved = await client.putFolder({ folderId: chain[5]?.id ?? "", parentFolderId: aside.id });
    expect(moved.data.folder.parent_folder_id).toBe(aside.id);
  });

  test("a parent of another team of the workspace: 400, also for a key that reaches both", async () => {
    const { client, given, otherTeam } = await startService();
    const [folder, other] = [await given.folder(), await given.folder({ teamId: otherTeam.id })];
    expect(await refusalOf(client.putFolder({ folderId: folder.id, parentFolderId: other.id }))).toEqual(
      otherTeamsParent,
    );
  });
});

describe("DELETE /folder", () => {
  test("keeps its snippets with folder_id null, and its child folders with no parent", async () => {
    const { client, given, balance } = await startService();
    const [grandparent, other] = [await given.folder(), await given.folder()];
    const folder = await given.folder({ parentFolderId: grandparent.id });
    const children = [
      await given.folder({ parentFolderId: folder.id }),
      await given.folder({ parentFolderId: folder.id }),
    ];
    const inside = [await given.snippet({ folderId: folder.id }), await given.snippet({ folderId: folder.id })];
    const elsewhere = await given.snippet({ folderId: other.id });
    const before = await balance();

    expect(await client.deleteFolder({ folderId: folder.id })).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 1 },
      metadata: { deletedFolderId: folder.id, snippetsOrphaned: 2 },
    });

    for (const snippet of inside)
      expect((await client.getSnippet({ id: snippet.id })).data).toEqual({ ...snippet, folder_id: null });
    expect((await client.getSnippet({ id: elsewhere.id })).data).toEqual(elsewhere);
    for (const child of children)
      expect((await client.getFolder({ folderId: child.id })).data.folder).toEqual({
        ...child,
        parent_folder_id: null,
      });
    expect((await client.getFolder({ folderId: grandparent.id })).data.folder).toEqual(grandparent);
    expect(await refusalOf(client.getFolder({ folderId: folder.id }))).toEqual(notFound);
    expect(await refusalOf(client.putFolder({ folderId: folder.id, folderName: "New" }))).toEqual(notFound);
    expect(await refusalOf(client.deleteFolder({ folderId: folder.id }))).toEqual(notFound);
  });
});

describe("GET /folder", () => {
  test("answers the folder and its snippets as lists show them, archived ones too, at 1 + 1 per snippet", async () => {
    const { client, given, balance } = await startService();
    const folder = await given.folder();
    await given.snippet();
    const { created_by: _, tag_ids: __, variations: ___, ...snippet } = await given.snippet({ folderId: folder.id });
    await client.putSnippet({ id: snippet.id, isArchived: true });
    const before = await balance();

    expect(await client.getFolder({ folderId: folder.id })).toEqual({
      success: true,
      data: { folder, snippets: [{ ...snippet, is_archived: true }] },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      pagination: { limit: 50, offset: 0, totalSnippets: 1, hasMore: false, currentPage: 1, totalPages: 1 },
    });
  });

  test("without a snippet: cost 1, no page", async () => {
    const { client, given } = await startService();
    const folder = await given.folder();
    const answer = await client.getFolder({ folderId: folder.id });
    expect(answer.usage).toEqual({ remainingRequests: 99_998, usageDeducted: 1 });
    expect(answer.pagination).toEqual({
      limit: 50,
      offset: 0,
      totalSnippets: 0,
      hasMore: false,
      currentPage: 1,
      totalPages: 0,
    });
  });

  test("lists the newest first by creation, whatever was changed since; those of one moment by their ids", async () => {
    const { client, given, clock, team } = await startService({});
    const folder = await given.folder();
    for (const title of ["0", "1"]) {
      await given.snippet({ title, folderId: folder.id });
      clock.advance(1);
    }
    const tied = ["2", "3", "4"].map((title) => ({
      title,
      content: text("x"),
      teamId: team.id,
      folderId: folder.id,
    }));
    await client.postSnippets({ snippets: tied });
    clock.advance(1);
    const moved = await given.snippet({ title: "5" });
    clock.advance(1);
    await given.snippet({ title: "6", folderId: folder.id });
    clock.advance(1);
    await client.putSnippet({ id: moved.id, folderId: folder.id });

    const { data } = await client.getFolder({ folderId: folder.id });
    expect(titles(data.snippets)).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
    const pages = [];
    for (let offset = 0; offset < 8; offset += 2)
      pages.push(...titles((await client.getFolder({ folderId: folder.id, limit: 2, offset })).data.snippets));
    expect(pages).toEqual(titles(data.snippets));
    const [many] = (await client.getFolders({ folderIds: [folder.id] })).data.folders;
    expect(titles(many?.snippets ?? [])).toEqual(titles(data.snippets));
  });

  test("pages by limit and offset: the figures are right on every edge, default limit 50", async () => {
    const started = await startService();
    const { client, given, balance } = started;
    const folder = await given.folder();
    await snippetsIn(started, folder.id, 51);
    const pages = [
      [{}, 50, { limit: 50, offset: 0, hasMore: true, currentPage: 1, totalPages: 2 }],
      [{ offset: 50 }, 1, { limit: 50, offset: 50, hasMore: false, currentPage: 2, totalPages: 2 }],
      [{ limit: 51 }, 51, { limit: 51, offset: 0, hasMore: false, currentPage: 1, totalPages: 1 }],
      [{ limit: 100 }, 51, { limit: 100, offset: 0, hasMore: false, currentPage: 1, totalPages: 1 }],
      [{ limit: 17, offset: 17 }, 17, { limit: 17, offset: 17, hasMore: true, currentPage: 2, totalPages: 3 }],
      [{ limit: 17, offset: 34 }, 17, { limit: 17, offset: 34, hasMore: false, currentPage: 3, totalPages: 3 }],
      [{ limit: 10, offset: 5 }, 10, { limit: 10, offset: 5, hasMore: true, currentPage: 1, totalPages: 6 }],
      [{ limit: 10, offset: 39 }, 10, { limit: 10, offset: 39, hasMore: true, currentPage: 4, totalPages: 6 }],
      [{ limit: 1, offset: 50 }, 1, { limit: 1, offset: 50, hasMore: false, currentPage: 51, totalPages: 51 }],
      [{ limit: 10, offset: 51 }, 0, { limit: 10, offset: 51, hasMore: false, currentPage: 6, totalPages: 6 }],
      [{ limit: 10, offset: 1_000 }, 0, { limit: 10, offset: 1_000, hasMore: false, currentPage: 101, totalPages: 6 }],
    ] as const;
    for (const [page, count, figures] of pages) {
      const before = await balance();
      const answer = await client.getFolder({ folderId: folder.id, ...page });
      expect(answer.pagination).toEqual({ totalSnippets: 51, ...figures });
      expect(titles(answer.data.snippets)).toEqual(countdown(50 - figures.offset, count));
      expect(answer.usage).toEqual({ remainingRequests: before - 1 - count, usageDeducted: 1 + count });
    }
  });
});

describe("GET /folders", () => {
  const counts = (requested: number, found: number, accessible: number) => ({
    requestedCount: requested,
    foundCount: found,
    accessibleCount: accessible,
    inaccessibleCount: found - accessible,
    missingCount: requested - found,
  });

  test("answers each folder with a page of its snippets, in the order asked, at M folders + N snippets", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { limitedClient, given, otherTeam, balance } = started;
    const [one, two, empty] = [await given.folder(), await given.folder(), await given.folder()];
    await snippetsIn(started, one.id, 5);
    await snippetsIn(started, two.id, 2);
    const other = await given.folder({ teamId: otherTeam.id });
    const foreign = await stranger.given.folder();
    const before = await balance();

    const answer = await limitedClient.getFolders({
      folderIds: [two.id, foreign.id, empty.id, other.id, one.id, two.id.toUpperCase(), Bun.randomUUIDv7()],
      limit: 3,
    });

    expect(answer).toEqual({
      success: true,
      data: {
        folders: [
          { ...two, snippets: expect.any(Array), total_snippets: 2 },
          { ...empty, snippets: [], total_snippets: 0 },
          { ...one, snippets: expect.any(Array), total_snippets: 5 },
        ],
      },
      usage: { remainingRequests: before - 8, usageDeducted: 8 },
      metadata: counts(6, 4, 3),
      pagination: { limit: 3, offset: 0, totalSnippets: 7, hasMore: true, currentPage: 1, totalPages: 2 },
    });
    expect(answer.data.folders.map((folder) => titles(folder.snippets))).toEqual([["1", "0"], [], ["4", "3", "2"]]);
    expect(answer.data.folders.flatMap((folder) => folder.snippets.map((snippet) => snippet.folder_id))).toEqual([
      two.id,
      two.id,
      one.id,
      one.id,
      one.id,
    ]);
    expect(await balance()).toBe(before - 8);
  });

  test("limit and offset run over each folder by itself; default limit 20", async () => {
    const started = await startService();
    const { client, given } = started;
    const [one, two] = [await given.folder(), await given.folder()];
    await snippetsIn(started, one.id, 41);
    await snippetsIn(started, two.id, 21);
    const pages = [
      [{}, [20, 20], { limit: 20, offset: 0, hasMore: true, currentPage: 1, totalPages: 3 }],
      [{ offset: 20 }, [20, 1], { limit: 20, offset: 20, hasMore: true, currentPage: 2, totalPages: 3 }],
      [{ offset: 40 }, [1, 0], { limit: 20, offset: 40, hasMore: false, currentPage: 3, totalPages: 3 }],
      [{ limit: 41 }, [41, 21], { limit: 41, offset: 0, hasMore: false, currentPage: 1, totalPages: 1 }],
      [{ limit: 40 }, [40, 21], { limit: 40, offset: 0, hasMore: true, currentPage: 1, totalPages: 2 }],
      [{ limit: 100, offset: 7 }, [34, 14], { limit: 100, offset: 7, hasMore: false, currentPage: 1, totalPages: 1 }],
    ] as const;
    for (const [page, [inOne, inTwo], figures] of pages) {
      const answer = await client.getFolders({ folderIds: [one.id, two.id], ...page });
      expect(answer.pagination).toEqual({ totalSnippets: 62, ...figures });
      expect(answer.data.folders.map((folder) => titles(folder.snippets))).toEqual([
        countdown(40 - figures.offset, inOne),
        countdown(20 - figures.offset, inTwo),
      ]);
      expect(answer.data.folders.map((folder) => folder.total_snippets)).toEqual([41, 21]);
      expect(answer.usage.usageDeducted).toBe(2 + inOne + inTwo);
    }
  });

  test("with nothing accessible: 200 with the counts, cost 0", async () => {
    const { limitedClient, given, otherTeam, balance } = await startService();
    const other = await given.folder({ teamId: otherTeam.id });
    await given.snippet({ teamId: otherTeam.id, folderId: other.id });
    const before = await balance();
    expect(await limitedClient.getFolders({ folderIds: [other.id, Bun.randomUUIDv7()] })).toEqual({
      success: true,
      data: { folders: [] },
      usage: { remainingRequests: before, usageDeducted: 0 },
      metadata: counts(2, 1, 0),
      pagination: { limit: 20, offset: 0, totalSnippets: 0, hasMore: false, currentPage: 1, totalPages: 0 },
    });
  });

  test("takes 100 folders of 100 snippets at once", async () => {
    const started = await startService();
    const { client, team } = started;
    const made = await client.postFolders({
      folders: Array.from({ length: 100 }, () => ({ folderName: "N", folderColor: "c", teamId: team.id })),
    });
    const folderIds = made.data.createdFolders.map((folder) => folder.id);
    for (const folderId of folderIds) await snippetsIn(started, folderId, 100);
    const answer = await client.getFolders({ folderIds, limit: 100 });
    expect(answer.usage.usageDeducted).toBe(10_100);
    expect(answer.pagination).toMatchObject({ totalSnippets: 10_000, hasMore: false, totalPages: 1 });
    for (const folder of answer.data.folders) expect(titles(folder.snippets)).toEqual(countdown(99, 100));
  });
});

describe("POST /folders", () => {
  test("creates in order and answers full records; malformed, forbidden and unknown items become errors", async () => {
    const { call, limitedKey, given, team, otherTeam, workspace, clock, client, balance } = await startService();
    const [parent, other] = [await given.folder(), await given.folder({ teamId: otherTeam.id })];
    const bare = (folderName: string) => ({ folderName, folderColor: "c", teamId: team.id });
    const before = await balance();

    const answer = await call("POST", "/folders", {
      key: limitedKey.secret,
      body: {
        folders: [
          bare("First"),
          bare(""),
          { ...bare("Nested"), parentFolderId: parent.id },
          { ...bare("Other team"), teamId: otherTeam.id },
          { ...bare("No team"), teamId: Bun.randomUUIDv7() },
          { ...bare("Other parent"), parentFolderId: other.id },
          null,
          { ...bare("Coloured"), color: "red" },
          { ...bare("Last"), parentFolderId: null },
        ],
      },
    });

    const record = (folder_name: string, parent_folder_id: string | null) => ({
      id: newId,
      folder_name,
      folder_color: "c",
      parent_folder_id,
      team_id: team.id,
      workspace_id: workspace.id,
      created_at: moment(clock),
      updated_at: moment(clock),
    });
    expect(answer.body).toEqual({
      success: true,
      data: {
        createdFolders: [record("First", null), record("Nested", parent.id), record("Last", null)],
        errors: [
          { index: 1, message: "folderName must be 1 to 1000 characters" },
          { index: 3, message: "API key does not have access to this team" },
          { index: 4, message: "Team not found" },
          { index: 5, message: "parentFolderId must be a folder of the same team" },
          { index: 6, message: "The item must be an object" },
          { index: 7, message: "color is not a known field" },
        ],
      },
      usage: { remainingRequests: before - 3, usageDeducted: 3 },
      metadata: { requestedCount: 9, createdCount: 3, failedCount: 6 },
    });
    const folderIds = answer.body.data.createdFolders.map((folder: { id: string }) => folder.id);
    expect(
      (await client.getFolders({ folderIds })).data.folders.map(
        ({ snippets: _, total_snippets: __, ...folder }) => folder,
      ),
    ).toEqual(answer.body.data.createdFolders);
  });

  test("when no item goes through, fails with the first item's error; the array is checked first", async () => {
    const { call, key, limitedClient, team, otherTeam, content, balance } = await startService();
    const bare = { folderName: "N", folderColor: "c", teamId: team.id };
    const [before, unchanged] = [await balance(), await content()];
    const unreached = { ...bare, teamId: otherTeam.id };
    const unknown = { ...bare, teamId: Bun.randomUUIDv7() };
    const malformed = { ...bare, folderColor: "" };
    const colorRule = invalid("folderColor must be 1 to 100 characters");
    const noTeam = { status: 404, code: "team_not_found", message: "Team not found" };
    expect(await refusalOf(limitedClient.postFolders({ folders: [unreached, unknown, malformed] }))).toEqual(forbidden);
    expect(await refusalOf(limitedClient.postFolders({ folders: [unknown, malformed, unreached] }))).toEqual(noTeam);
    expect(await refusalOf(limitedClient.postFolders({ folders: [malformed, unreached, unknown] }))).toEqual(colorRule);
    for (const [body, message] of [
      [{}, "folders is required"],
      [{ folders: {} }, "folders must be an array"],
      [{ folders: [] }, "folders must have 1 to 100 items"],
      [{ folders: Array(101).fill(bare) }, "folders must have 1 to 100 items"],
    ] as const) {
      const answer = await call("POST", "/folders", { key: key.secret, body });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - 7);
  });
});

describe("PUT /folders", () => {
  test("changes in order and answers full records; each item stands alone", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { call, client, limitedKey, given, otherTeam, balance } = started;
    const [one, two, three] = [await given.folder(), await given.folder(), await given.folder()];
    const other = await given.folder({ teamId: otherTeam.id });
    const foreign = await stranger.given.folder();
    const never = Bun.randomUUIDv7();
    const before = await balance();

    const answer = await call("PUT", "/folders", {
      key: limitedKey.secret,
      body: {
        folders: [
          { id: two.id, folderName: "Two" },
          { id: other.id, folderName: "Other" },
          { id: foreign.id, folderName: "Foreign" },
          { id: never, folderName: "Never" },
          { id: one.id, folderColor: "green", parentFolderId: two.id },
          { id: two.id.toUpperCase(), folderName: "Two again" },
          { id: "no id", folderName: "x" },
          { folderName: "x" },
          { id: three.id },
          { id: Bun.randomUUIDv7(), folderName: "x", teamId: otherTeam.id },
          { id: 5, folderName: "x" },
        ],
      },
    });

    const [changedTwo, changedOne] = [
      { ...two, folder_name: "Two" },
      { ...one, folder_color: "green", parent_folder_id: two.id },
    ];
    expect(answer.body).toEqual({
      success: true,
      data: {
        updatedFolders: [changedTwo, changedOne],
        errors: [
          { index: 1, id: other.id, message: "API key does not have access to this team" },
          { index: 2, id: foreign.id, message: "Folder not found" },
          { index: 3, id: never, message: "Folder not found" },
          { index: 5, id: two.id.toUpperCase(), message: "id must not stand twice in one request" },
          { index: 6, id: "no id", message: "id must be a UUID" },
          { index: 7, message: "id is required" },
          {
            index: 8,
            id: three.id,
            message: "at least one of these fields is required: folderName, folderColor, parentFolderId",
          },
          { index: 9, id: expect.any(String), message: "teamId is not a known field" },
          { index: 10, message: "id must be a UUID" },
        ],
      },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      metadata: { requestedCount: 11, updatedCount: 2, failedCount: 9 },
    });
    for (const folder of [changedOne, changedTwo, three, other])
      expect((await client.getFolder({ folderId: folder.id })).data.folder).toEqual(folder);
    expect((await stranger.client.getFolder({ folderId: foreign.id })).data.folder).toEqual(foreign);
  });

  test("sees the parents that earlier items of the same batch have set: no cycle gets through", async () => {
    const { client, given } = await startService();
    const [a, b, c] = [await given.folder(), await given.folder(), await given.folder()];
    const answer = await client.putFolders({
      folders: [
        { id: a.id, parentFolderId: b.id },
        { id: b.id, parentFolderId: c.id },
        { id: c.id, parentFolderId: a.id },
      ],
    });
    expect(answer.data.updatedFolders.map((folder) => folder.id)).toEqual([a.id, b.id]);
    expect(answer.data.errors).toEqual([{ index: 2, id: c.id, message: cycle.message }]);
    expect(answer.usage.usageDeducted).toBe(2);

    // And the way round: what an earlier item took apart, a later one may build anew.
    const turned = await client.putFolders({
      folders: [
        { id: a.id, parentFolderId: null },
        { id: c.id, parentFolderId: a.id },
      ],
    });
    expect(turned.data.updatedFolders.map((folder) => folder.parent_folder_id)).toEqual([null, a.id]);
    expect(turned.data.errors).toEqual([]);
    expect(await refusalOf(client.putFolders({ folders: [{ id: a.id, parentFolderId: a.id }] }))).toEqual(cycle);
  });

  test("when no item goes through, fails with the first item's error; the array is checked first", async () => {
    const { call, key, limitedClient, given, otherTeam, content, balance } = await startService();
    const [own, other] = [await given.folder(), await given.folder({ teamId: otherTeam.id })];
    const [before, unchanged] = [await balance(), await content()];
    const unreached = { id: other.id, folderName: "New" };
    const unknown = { id: Bun.randomUUIDv7(), folderName: "New" };
    const malformed = { id: own.id, folderName: "" };
    const nameRule = invalid("folderName must be 1 to 1000 characters");
    expect(await refusalOf(limitedClient.putFolders({ folders: [unreached, unknown, malformed] }))).toEqual(forbidden);
    expect(await refusalOf(limitedClient.putFolders({ folders: [unknown, malformed, unreached] }))).toEqual(notFound);
    expect(await refusalOf(limitedClient.putFolders({ folders: [malformed, unreached, unknown] }))).toEqual(nameRule);
    for (const [body, message] of [
      [{}, "folders is required"],
      [{ folders: "x" }, "folders must be an array"],
      [{ folders: [] }, "folders must have 1 to 100 items"],
      [{ folders: Array(101).fill({ id: own.id, folderName: "New" }) }, "folders must have 1 to 100 items"],
    ] as const) {
      const answer = await call("PUT", "/folders", { key: key.secret, body });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - 7);
  });

  test("takes 100 items, each with a parent of its own", async () => {
    const { client, team } = await startService();
    const bare = { folderName: "N", folderColor: "c", teamId: team.id };
    const make = async () =>
      (await client.postFolders({ folders: Array(100).fill(bare) })).data.createdFolders.map((folder) => folder.id);
    const [ids, parents] = [await make(), await make()];
    const answer = await client.putFolders({
      folders: ids.map((id, index) => ({ id, parentFolderId: parents[index] ?? null })),
    });
    expect(answer.data.updatedFolders.map((folder) => [folder.id, folder.parent_folder_id])).toEqual(
      ids.map((id, index) => [id, parents[index] ?? null]),
    );
    expect(answer.usage.usageDeducted).toBe(100);
  });
});

describe("DELETE /folders", () => {
  test("deletes and charges what is accessible, and keeps snippets and child folders", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { limitedClient, client, given, otherTeam, balance } = started;
    const [parent, other] = [await given.folder(), await given.folder({ teamId: otherTeam.id })];
    const child = await given.folder({ parentFolderId: parent.id });
    const grandchild = await given.folder({ parentFolderId: child.id });
    const snippets = [await given.snippet({ folderId: parent.id }), await given.snippet({ folderId: child.id })];
    const foreign = await stranger.given.folder();
    const before = await balance();

    expect(
      await limitedClient.deleteFolders({
        folderIds: [parent.id, other.id, foreign.id, child.id, child.id.toUpperCase(), Bun.randomUUIDv7()],
      }),
    ).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      metadata: { requestedCount: 5, deletedCount: 2, inaccessibleCount: 3, accessibleCount: 2 },
    });
    for (const snippet of snippets)
      expect((await client.getSnippet({ id: snippet.id })).data).toEqual({ ...snippet, folder_id: null });
    expect((await client.getFolder({ folderId: grandchild.id })).data.folder).toEqual({
      ...grandchild,
      parent_folder_id: null,
    });
    expect((await client.getFolder({ folderId: other.id })).data.folder).toEqual(other);
    expect((await stranger.client.getFolder({ folderId: foreign.id })).data.folder).toEqual(foreign);
    expect(await refusalOf(client.getFolder({ folderId: child.id }))).toEqual(notFound);
  });

  test("with nothing accessible: 200 with the counts, cost 0", async () => {
    const { limitedClient, given, otherTeam, balance, content } = await startService();
    const other = await given.folder({ teamId: otherTeam.id });
    const [before, unchanged] = [await balance(), await content()];
    expect(await limitedClient.deleteFolders({ folderIds: [other.id, Bun.randomUUIDv7()] })).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before, usageDeducted: 0 },
      metadata: { requestedCount: 2, deletedCount: 0, inaccessibleCount: 2, accessibleCount: 0 },
    });
    expect(await content()).toEqual(unchanged);
  });
});
