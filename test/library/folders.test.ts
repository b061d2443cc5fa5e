// The sentences about folders alone (decisions, Records; decisions, Bodies); groups.test.ts has what they share with tags.
import { describe, expect, test } from "bun:test";
import { countdown, createSnippets, titles } from "../support/groups.ts";
import { refusalOf, startService, text } from "../support/service.ts";

const notFound = { status: 404, code: "folder_not_found", message: "Folder not found" };

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
    await createSnippets(started, { folderId: one.id }, 5);
    await createSnippets(started, { folderId: two.id }, 2);
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

  test("lists each folder's snippets as GET /folder does: the newest first by creation, whatever was changed since", async () => {
    const { client, given, clock, team } = await startService({});
    const folder = await given.folder();
    await given.snippet({ title: "0", folderId: folder.id });
    clock.advance(1);
    const tied = ["1", "2", "3"].map((title) => ({ title, content: text("x"), teamId: team.id, folderId: folder.id }));
    await client.postSnippets({ snippets: tied });
    clock.advance(1);
    const moved = await given.snippet({ title: "4" });
    clock.advance(1);
    await given.snippet({ title: "5", folderId: folder.id });
    clock.advance(1);
    await client.putSnippet({ id: moved.id, folderId: folder.id });

    const [many] = (await client.getFolders({ folderIds: [folder.id] })).data.folders;
    expect(titles(many?.snippets ?? [])).toEqual(["5", "4", "3", "2", "1", "0"]);
    expect(titles((await client.getFolder({ folderId: folder.id })).data.snippets)).toEqual(
      titles(many?.snippets ?? []),
    );
  });

  test("limit and offset run over each folder by itself; default limit 20", async () => {
    const started = await startService();
    const { client, given } = started;
    const [one, two] = [await given.folder(), await given.folder()];
    await createSnippets(started, { folderId: one.id }, 41);
    await createSnippets(started, { folderId: two.id }, 21);
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
    for (const folderId of folderIds) await createSnippets(started, { folderId }, 100);
    const answer = await client.getFolders({ folderIds, limit: 100 });
    expect(answer.usage.usageDeducted).toBe(10_100);
    expect(answer.pagination).toMatchObject({ totalSnippets: 10_000, hasMore: false, totalPages: 1 });
    for (const folder of answer.data.folders) expect(titles(folder.snippets)).toEqual(countdown(99, 100));
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
});
