// GET /changes: every change of the library that a key can access, once and in one order.
import "../support/every-time.ts";
import { describe, expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { deleteOldChanges } from "../../src/library/feed/cleanup.ts";
import { FeedCursors, type FeedPosition } from "../../src/library/feed/cursor.ts";
import { changeKey } from "../../src/metering/keys/keys.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { startConsole } from "../support/console.ts";
import { expectRefusal } from "../support/expect.ts";
import { scrapeSeries } from "../support/metrics.ts";
import { until } from "../support/nodes.ts";
import { type Started, startService, text } from "../support/service.ts";

const cursorNow = async (client: Started["client"], teamId?: string) =>
  (await client.getChanges({ teamId })).data.cursor;

/** All changes since a cursor, read by pages of this size. */
async function changesSince(client: Started["client"], since: string, limit = 100, teamId?: string) {
  const changes = [];
  for (let cursor = since; ; ) {
    const { data, usage } = await client.getChanges({ cursor, limit, teamId });
    expect(usage.usageDeducted).toBe(1 + data.changes.length);
    changes.push(...data.changes);
    cursor = data.cursor;
    if (!data.hasMore) return { changes, cursor };
  }
}

const inShort = ({ changes }: Awaited<ReturnType<typeof changesSince>>): (string | undefined)[][] =>
  changes.map(({ kind, action, id, snippet_id }) => [`${kind} ${action}`, id, ...(snippet_id ? [snippet_id] : [])]);

test("the feed lists each write of keys, in order, and nothing that was refused", async () => {
  const started = await startService();
  const { client, given, team, otherTeam, limitedClient } = started;
  const first = await client.getChanges();
  expect([first.data, first.usage.usageDeducted]).toEqual([
    { changes: [], cursor: expect.any(String), hasMore: false },
    1,
  ]);
  const teamCursor = await cursorNow(client, otherTeam.id);
  const limitedCursor = await cursorNow(limitedClient);

  const [folder, inner, tag] = [await given.folder(), await given.folder(), await given.tag()];
  const snippet = await given.snippetWithVariations();
  const [, second, third] = snippet.variations.map(({ id }) => id);
  const batch = await client.postSnippets({
    snippets: ["A", "B"].map((title, index) => ({
      ...{ title, content: text(title) },
      teamId: [team.id, otherTeam.id][index] ?? "",
    })),
  });
  const [inTeam, elsewhere] = batch.data.createdSnippets.map(({ snippetId }) => snippetId);
  await client.putSnippet({ id: snippet.id, folderId: folder.id });
  await client.putSnippet({ id: snippet.id, folderId: null, title: "Changed" });
  await client.putSnippetVariation({ variationId: second ?? "", name: "Renamed" });
  const added = await client.postSnippetVariations({
    snippetId: snippet.id,
    variations: [{ variationName: "Fourth", content: text("Fourth") }],
  });
  await client.deleteSnippetVariation({ variationIds: [second ?? "", third ?? ""] });
  const fourth = added.data.variations[0]?.id ?? "";
  await client.putSnippetVariationsOrder({
    snippetId: snippet.id,
    variationIds: [fourth, snippet.variations[0]?.id ?? ""],
  });
  await client.putFolder({ folderId: inner.id, parentFolderId: folder.id });
  await client.putFolders({ folders: [{ id: inner.id, folderName: "Renamed" }] });
  await client.putTag({ tagId: tag.id, tagName: "Renamed", parentTagId: null });
  await client.putSnippet({ id: Bun.randomUUIDv7(), title: "Nothing" }).catch(() => undefined);
  await limitedClient.deleteSnippet({ id: elsewhere ?? "" }).catch(() => undefined);
  await client.deleteSnippets({ ids: [elsewhere ?? "", inTeam ?? ""] });
  await client.postSnippetsRestore({ snippetIds: [inTeam ?? ""] });
  await client.deleteTag({ tagId: tag.id });
  await client.deleteFolders({ folderIds: [folder.id, inner.id] });

  const expected = [
    ["folder created", folder.id],
    ["folder created", inner.id],
    ["tag created", tag.id],
    ["snippet created", snippet.id],
    ["snippet created", inTeam],
    ["snippet created", elsewhere],
    ["snippet moved", snippet.id],
    ["snippet changed", snippet.id],
    ["variation changed", second, snippet.id],
    ["variation created", fourth, snippet.id],
    ["variation deleted", second, snippet.id],
    ["variation deleted", third, snippet.id],
    ["snippet changed", snippet.id],
    ["folder moved", inner.id],
    ["folder changed", inner.id],
    ["tag changed", tag.id],
    ["snippet deleted", elsewhere],
    ["snippet deleted", inTeam],
    ["snippet restored", inTeam],
    ["tag deleted", tag.id],
    ["folder deleted", folder.id],
    ["folder deleted", inner.id],
  ];
  for (const limit of [100, 3, 1]) {
    const listed = await changesSince(client, first.data.cursor, limit);
    expect(inShort(listed)).toEqual(expected);
    expect(listed.changes[0]).toEqual({
      ...{ kind: "folder", action: "created", id: folder.id, snippet_id: null, team_id: team.id },
      at: folder.created_at,
    });
    expect((await changesSince(client, listed.cursor, limit)).changes).toEqual([]);
  }
  const ofOther = expected.filter(([, id]) => id === elsewhere);
  expect(inShort(await changesSince(client, teamCursor, 100, otherTeam.id))).toEqual(ofOther);
  const ofTeam = expected.filter(([, id]) => id !== elsewhere);
  expect(inShort(await changesSince(limitedClient, limitedCursor, 2))).toEqual(ofTeam);
});

test("the feed lists what people do in the console, between requests with keys: one entry for each thing that they change", async () => {
  const started = await startConsole({});
  const { client, team } = started;
  const owner = await started.person({ role: "owner" });
  const since = await cursorNow(client);
  const content = text("Hello");
  const made = await owner.call("postLibrarySnippet", { body: { title: "A", content, teamId: team.id } });
  const id = made.body.data.snippetId;
  const addTags = () =>
    Promise.all(
      ["one", "other"].map(async (tagName) => {
        const tag = { tagName, tagColor: "#868e96", teamId: team.id };
        return (await owner.call("postLibraryTag", { body: tag })).body.data.tag.id;
      }),
    );
  const [one, other] = await addTags();
  await owner.call("putLibrarySnippets", { body: { snippets: [{ id, isArchived: true }] } });
  await owner.call("putLibrarySnippets", { body: { snippets: [{ id, isArchived: true }] } });
  await client.putSnippet({ id, title: "B" });
  await owner.call("postLibraryTagMerge", { body: { tagId: one, intoTagId: other } });
  await client.putSnippet({ id, title: "C" });
  await owner.call("deleteLibrarySnippet", { query: { id } });
  await owner.call("postLibrarySnippetsRestore", { body: { snippetIds: [id] } });
  await owner.call("deleteLibrarySnippet", { query: { id } });
  // Pages learn of this one, but nothing is listed.
  await owner.call("deleteLibraryTrash", { query: { teamId: team.id } });
  await addTags();
  const listed = inShort(await changesSince(client, since));
  expect(inShort(await changesSince(client, since, 1))).toEqual(listed);
  expect(listed.filter(([what]) => what !== "tag created")).toEqual([
    ["snippet created", id],
    ["snippet changed", id],
    ["snippet changed", id],
    ["tag deleted", one],
    ["snippet changed", id],
    ["snippet deleted", id],
    ["snippet restored", id],
    ["snippet deleted", id],
  ]);
  expect(listed).toHaveLength(12);
});

test("the feed is read with the teams that the key can access now", async () => {
  const { client, limitedClient, given, otherTeam, admin, limitedKey } = await startService({});
  const since = await cursorNow(limitedClient);
  await given.snippet();
  await client.postSnippet({ title: "Elsewhere", content: text("x"), teamId: otherTeam.id });
  await admin((transaction) => changeKey(transaction, limitedKey.id, { teams: [] }));
  expect((await changesSince(limitedClient, since)).changes).toEqual([]);
});

describe("cursors", () => {
  test("a cursor of another list or workspace, or a changed one, is refused", async () => {
    const [started, other] = [await startService(), await startService()];
    const { call, key, client, team } = started;
    const cursor = await cursorNow(client);
    for (const query of [
      { cursor: "" },
      { cursor: "1" },
      { cursor: `${cursor}A` },
      { cursor, teamId: team.id },
      { cursor: await cursorNow(other.client) },
    ])
      expectRefusal(
        await call("GET", "/changes", { key: key.secret, query }),
        400,
        "cursor must be the cursor of a response to the same request",
      );
    const tooLong = await call("GET", "/changes", { key: key.secret, query: { cursor, waitSeconds: 26 } });
    expect(tooLong.body.message).toBe("waitSeconds must be an integer from 0 to 25");
  });

  test("a cursor does not reveal how much has changed, or whether anything has", () => {
    const cursors = new FeedCursors("the key of this instance");
    const list = { workspaceId: Bun.randomUUIDv7(), teamId: undefined };
    const at = new Date().toISOString();
    const positions = [0, 1, 1, Number.MAX_SAFE_INTEGER].map((number) => ({ number, index: number % 100, at }));
    const made = positions.map((position) => cursors.format(list, position));
    expect(made.map(({ length }) => length)).toEqual(Array(4).fill(limits.changeCursorLength));
    for (const [index, cursor] of made.entries()) {
      expect(cursors.read(list, cursor)).toEqual(positions[index] as FeedPosition);
      expect(() => new FeedCursors("another key").read(list, cursor)).toThrow("cursor must be");
      // No byte is the same in all of them, or in most of them.
      const others = made.filter((other) => other !== cursor);
      const alike = [...cursor].filter((character, place) => others.every((other) => other[place] === character));
      expect(alike.length).toBeLessThan(3);
    }
  });

  test("a cursor finds the next change however many others have made meanwhile", async () => {
    const { client, limitedClient, given, otherTeam, admin, workspace } = await startService();
    const since = await cursorNow(limitedClient);
    const made = [];
    for (const others of [0, 300, 40_000]) {
      await admin((transaction) =>
        transaction.run(
          sql`update workspace_storage set changes = changes + ${others} where workspace_id = ${workspace.id}`,
        ),
      );
      await client.postFolder({ folderName: "F", folderColor: "#fff", teamId: otherTeam.id });
      made.push(["tag created", (await given.tag()).id]);
    }
    for (const limit of [1, 100]) expect(inShort(await changesSince(limitedClient, since, limit))).toEqual(made);
  });

  test(`a cursor works for ${limits.changeDays} days, and then says to list everything again`, async () => {
    const { client, given, clock, call, key, service, rows, workspace } = await startService({});
    const early = await cursorNow(client);
    await given.folder();
    clock.advance(60);
    await given.folder();
    const stored = async () => {
      await deleteOldChanges(service.database, async () => true);
      return (await rows("select number from library_changes where workspace_id = ?", workspace.id)).length;
    };
    // Between two pages, a cursor is as old as the change that comes next.
    const { data } = await client.getChanges({ cursor: early, limit: 1 });
    expect(data.hasMore).toBeTrue();
    clock.advance(limits.changeDays * 24 * 60 * 60 - 120);
    const { changes, cursor: late } = await changesSince(client, early);
    expect([changes.length, await stored()]).toEqual([2, 2]);
    clock.advance(90);
    const expired = await call("GET", "/changes", { key: key.secret, query: { cursor: early } });
    expectRefusal(
      expired,
      400,
      "The changes since this cursor are no longer available: get a new cursor, then list everything again",
    );
    expect(expired.body.error).toBe("cursor_expired");
    expect((await changesSince(client, data.cursor)).changes).toHaveLength(1);
    clock.advance(60);
    expect((await call("GET", "/changes", { key: key.secret, query: { cursor: data.cursor } })).body.error).toBe(
      "cursor_expired",
    );
    const tag = await given.tag();
    expect(inShort(await changesSince(client, late))).toEqual([["tag created", tag.id]]);
    clock.advance(24 * 60 * 60);
    expect(await stored()).toBe(1);
  });
});

describe("requests that wait", () => {
  test("a request that waits ends with the first change in the teams of its key, and is charged once", async () => {
    const { client, limitedClient, given, otherTeam, ledger } = await startService({});
    const cursor = await cursorNow(limitedClient);
    const waiting = limitedClient.getChanges({ cursor, waitSeconds: 25 });
    await client.postFolder({ folderName: "F", folderColor: "#fff", teamId: otherTeam.id });
    expect((await ledger()).map(({ operation }) => operation)).toEqual(["getChanges", "postFolder"]);
    const tag = await given.tag();
    const { data, usage } = await waiting;
    expect([data.changes.map(({ id }) => id), usage.usageDeducted]).toEqual([[tag.id], 2]);
    const entries = (await ledger()).filter(({ operation }) => operation === "getChanges");
    expect(entries.map(({ units }) => units)).toEqual([1, 2]);
  });

  test("a request that waits ends with its client, and then costs nothing", async () => {
    const started = await startService({ config: { metricsPort: 0 } });
    const { client, ledger } = started;
    const cursor = await cursorNow(client);
    const abort = new AbortController();
    const waiting = client.getChanges({ cursor, waitSeconds: 25 }, { signal: abort.signal }).catch(() => "aborted");
    await client.getMe();
    abort.abort();
    expect(await waiting).toBe("aborted");
    await until(async () => (await scrapeSeries(started)).get("commonplace_requests_abandoned_total") === 1, 10_000);
    await started.service.stop();
    expect((await ledger()).map(({ operation }) => operation)).toEqual(["getChanges", "getMe"]);
  });

  test("20 requests of a key can wait at a time; further ones are answered at once", async () => {
    const { client, given } = await startService({ config: { requestsPerMinute: 1_000 } });
    const cursor = await cursorNow(client);
    const waiting = Array.from({ length: 21 }, () => client.getChanges({ cursor, waitSeconds: 25 }));
    expect((await Promise.race(waiting)).data.changes).toEqual([]);
    const { id } = await given.folder();
    const ids = (await Promise.all(waiting)).flatMap(({ data }) => data.changes.map((change) => change.id));
    expect(ids).toEqual(Array(20).fill(id));
  });

  test("a request that waits ends without changes when its time is over, and when the service stops", async () => {
    const { client, service, rows } = await startService({});
    const cursor = await cursorNow(client);
    const { data } = await client.getChanges({ cursor, waitSeconds: 1 });
    expect(data).toEqual({ changes: [], cursor: expect.any(String), hasMore: false });
    const [slowest] = await rows<{ duration: number }>("select max(duration_microseconds) as duration from ledger");
    expect(slowest?.duration).toBeLessThan(900_000);
    const waiting = client.getChanges({ cursor, waitSeconds: 25 });
    await client.getMe();
    await Promise.all([service.stop(), waiting]);
    expect((await waiting).data.changes).toEqual([]);
  });

  test("a client follows changes with for await", async () => {
    const { client, given } = await startService();
    const seen: string[] = [];
    let isFirst = true;
    for await (const { changes } of client.followChanges()) {
      if (isFirst) void given.folder().then(() => given.folder());
      isFirst = false;
      seen.push(...changes.map(({ id }) => id));
      if (seen.length === 2) break;
    }
    expect(seen).toHaveLength(2);
  });
});
