// The trash: a deleted snippet is nowhere else, comes back whole, and is gone when its time is over.
import { describe, expect, test } from "bun:test";
import type { Operation } from "../../src/contract/operation.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { deleteOverTime, emptyTrash } from "../../src/library/empty-trash.ts";
import { snippetTables } from "../../src/library/trash.store.ts";
import { readSchema } from "../../src/platform/database/schema.ts";
import { cases } from "../support/cases.ts";
import { expectRefusal, moment, withoutRequestId } from "../support/expect.ts";
import { type Started, startService, text } from "../support/service.ts";
import { makeTargets, neverExisted } from "../support/targets.ts";

const day = 24 * 60 * 60;
const always = async () => true;

const deleted = async ({ client, given }: Started, overrides: Parameters<Started["given"]["snippet"]>[0] = {}) => {
  const snippet = await given.snippet(overrides);
  await client.deleteSnippet({ id: snippet.id });
  return snippet;
};

/** How many rows each table of the trash has in the workspace. */
const trashRows = async ({ rows, workspace }: Started): Promise<number[]> => {
  const counts = snippetTables.map(({ name }) =>
    rows<{ total: number }>(`select count(*) as total from trashed_${name} where workspace_id = ?`, workspace.id),
  );
  return (await Promise.all(counts)).map(([row]) => Number(row?.total));
};

test("the tables of the trash have the columns of the library's, and all of them are moved", () => {
  const schema = new Map(readSchema().map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of snippetTables) {
    const live = schema.get(name) ?? [];
    expect(live.map((column) => column.name)).toEqual([...columns]);
    const trashed = schema.get(`trashed_${name}`) ?? [];
    expect(trashed.filter((column) => !/^deleted_(at|by)$/.test(column.name))).toEqual([...live]);
  }
});

describe("a deleted snippet", () => {
  const rows = operationNames.flatMap((name) =>
    cases[name].places.flatMap((place) =>
      place.noun === "Snippet" || place.noun === "Variation" ? [[name, place.at, place] as const] : [],
    ),
  );

  test.each(rows)("for %s, %s: byte for byte like one that never existed", async (name, _, place) => {
    const started = await startService();
    const own = await makeTargets(started, started.team.id);
    const gone = await makeTargets(started, started.team.id);
    // What it brings back must not be there either.
    await started.admin((transaction) => emptyTrash(transaction, started.workspace.id, {}));
    await started.client.deleteSnippet({ id: gone.snippetId });
    const { method, path }: Operation = operations[name];
    const send = (targets: typeof gone, key: string) =>
      started.call(method, path, { key, ...place.request(own, targets) });
    for (const { secret } of [started.key, started.limitedKey, started.emptyKey]) {
      const [before, content] = [await started.balance(), await started.content()];
      const one = withoutRequestId(await send(gone, secret));
      const units = before - (await started.balance());
      const other = withoutRequestId(await send(neverExisted(), secret));
      const withoutBalance = (answer: string) => answer.replace(/"remainingRequests":\d+/, "");
      expect({ ...one, text: withoutBalance(one.text) }).toEqual({ ...other, text: withoutBalance(other.text) });
      expect(await started.balance()).toBe(before - 2 * units);
      expect(await started.content()).toEqual(content);
    }
  });

  test("is not counted in its folder or under its tag", async () => {
    const started = await startService();
    const { client, given } = started;
    const [folder, tag] = [await given.folder(), await given.tag()];
    const kept = await given.snippet({ folderId: folder.id, tagIds: [tag.id] });
    await deleted(started, { folderId: folder.id, tagIds: [tag.id] });
    const answers = [await client.getFolder({ folderId: folder.id }), await client.getTag({ tagId: tag.id })];
    for (const { data, pagination } of answers) {
      expect(data.snippets.map(({ id }) => id)).toEqual([kept.id]);
      expect(pagination.totalSnippets).toBe(1);
    }
    const { data } = await client.getFolders({ folderIds: [folder.id] });
    expect(data.folders.map(({ total_snippets }) => total_snippets)).toEqual([1]);
    expect((await client.deleteFolder({ folderId: folder.id })).metadata.snippetsOrphaned).toBe(1);
  });

  test("is deleted at once where there is no trash", async () => {
    const started = await startService({ config: { trashDays: 0 } });
    const { call, client, key } = started;
    const snippet = await deleted(started, { additionalVariations: [{ variationName: "B", content: text("B") }] });
    expect(await trashRows(started)).toEqual([0, 0, 0, 0]);
    expect((await client.getTrash()).data).toEqual({ snippets: [] });
    const answer = await call("POST", "/snippets/restore", { key: key.secret, body: { snippetIds: [snippet.id] } });
    expectRefusal(answer, 404, "Snippet not found");
  });
});

describe("POST /snippets/restore", () => {
  test("brings a snippet back whole: its rows are those from before, and the trash is empty", async () => {
    const started = await startService({});
    const { client, given, clock, content } = started;
    const [folder, tag] = [await given.folder(), await given.tag()];
    const snippet = await given.snippetWithVariations({ folderId: folder.id, tagIds: [tag.id], shortcut: "s" });
    clock.advance(10);
    await client.putSnippet({ id: snippet.id, content: text("Changed"), isArchived: true });
    await client.putSnippetVariation({ variationId: snippet.variations[1]?.id ?? "", content: text("Changed too") });
    await client.deleteSnippetVariation({ variationId: snippet.variations[2]?.id ?? "" });
    const [before, read] = [await content(), await client.getSnippet({ id: snippet.id })];
    clock.advance(10);
    await client.deleteSnippets({ ids: [snippet.id] });
    expect(await content()).not.toEqual(before);
    clock.advance(10);

    const { data, metadata, usage } = await client.postSnippetsRestore({ snippetIds: [snippet.id] });

    expect(data).toEqual({ restoredSnippets: [{ snippetId: snippet.id }], errors: [] });
    expect(metadata).toEqual({ requestedCount: 1, restoredCount: 1, failedCount: 0 });
    expect(usage.usageDeducted).toBe(1);
    expect(await content()).toEqual(before);
    expect((await client.getSnippet({ id: snippet.id })).data).toEqual(read.data);
    expect((await client.getFolder({ folderId: folder.id })).data.snippets).toHaveLength(1);
    expect((await client.getTag({ tagId: tag.id })).data.snippets).toHaveLength(1);
  });

  test("leaves out a folder and tags that were deleted meanwhile", async () => {
    const started = await startService();
    const { client, given } = started;
    const [folder, kept, gone] = [await given.folder(), await given.tag(), await given.tag()];
    const snippet = await deleted(started, { folderId: folder.id, tagIds: [kept.id, gone.id] });
    await client.deleteFolder({ folderId: folder.id });
    await client.deleteTag({ tagId: gone.id });
    await client.postSnippetsRestore({ snippetIds: [snippet.id] });
    const { data } = await client.getSnippet({ id: snippet.id });
    expect(data).toEqual({ ...snippet, folder_id: null, tag_ids: [kept.id] });
  });

  test("decides about each ID, counts it once, and costs 1 for each snippet restored", async () => {
    const started = await startService();
    const { call, given, limitedKey, otherTeam, balance } = started;
    const [one, two] = [await deleted(started), await deleted(started)];
    const elsewhere = await deleted(started, { teamId: otherTeam.id });
    const [present, never, before] = [await given.snippet(), Bun.randomUUIDv7(), await balance()];
    const snippetIds = [never, one.id, one.id.toUpperCase(), elsewhere.id, present.id, two.id];
    const restore = () => call("POST", "/snippets/restore", { key: limitedKey.secret, body: { snippetIds } });
    const errors = [
      { index: 0, id: never, message: "Snippet not found", error: "snippet_not_found" },
      { index: 2, id: elsewhere.id, message: "API key does not have access to this team", error: "team_forbidden" },
      { index: 3, id: present.id, message: "Snippet not found", error: "snippet_not_found" },
    ];
    expect((await restore()).body).toEqual({
      success: true,
      data: { restoredSnippets: [{ snippetId: one.id }, { snippetId: two.id }], errors },
      metadata: { requestedCount: 5, restoredCount: 2, failedCount: 3 },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
    });
    // When no item goes through, the call fails as its first item does.
    expectRefusal(await restore(), 404, "Snippet not found");
    snippetIds.unshift(elsewhere.id);
    expectRefusal(await restore(), 403, "API key does not have access to this team");
    expect(await balance()).toBe(before - 4);
  });

  test("at once for the same snippet: it is restored once", async () => {
    const started = await startService();
    const { call, key } = started;
    for (let round = 0; round < 10; round += 1) {
      const { id } = await deleted(started);
      const body = { snippetIds: [id] };
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => call("POST", "/snippets/restore", { key: key.secret, body })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    }
  });
});

describe("GET /trash", () => {
  test("lists what was deleted last first, with the fields of a listed snippet, by whom and when", async () => {
    const started = await startService({});
    const { client, limitedClient, given, clock, key, limitedKey, team, otherTeam } = started;
    const [one, two] = [await given.snippet({ title: "One" }), await given.snippet({ title: "Two" })];
    const elsewhere = await given.snippet({ teamId: otherTeam.id });
    clock.advance(5);
    await limitedClient.deleteSnippet({ id: two.id });
    const first = moment(clock);
    clock.advance(5);
    await client.deleteSnippets({ ids: [one.id, elsewhere.id] });
    const row = (
      { created_by: _, tag_ids: _tags, variations: _variations, ...listed }: typeof one,
      by: string,
      at: string,
    ) => ({
      ...listed,
      deleted_at: at,
      deleted_by: by,
    });
    const rows = [
      row(elsewhere, key.id, moment(clock)),
      row(one, key.id, moment(clock)),
      row(two, limitedKey.id, first),
    ];

    const { data, usage, pagination } = await client.getTrash();

    expect(data).toEqual({ snippets: rows });
    expect(usage.usageDeducted).toBe(4);
    expect(pagination).toEqual({ limit: 50, nextCursor: null });
    expect((await limitedClient.getTrash()).data.snippets).toEqual(rows.slice(1));
    expect((await client.getTrash({ teamId: team.id })).data.snippets).toEqual(rows.slice(1));
    expect((await client.getTrash({ teamId: otherTeam.id })).data.snippets).toEqual(rows.slice(0, 1));
    expect((await started.clientFor(started.emptyKey.secret).getTrash()).data.snippets).toEqual([]);
  });

  test("by cursor, each snippet comes exactly once, whatever is deleted and restored meanwhile", async () => {
    const started = await startService({});
    const { client, given, clock } = started;
    const ids: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      ids.unshift((await deleted(started)).id);
      // Two share each moment.
      if (number % 2 === 1) clock.advance(1);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    let limit = 1;
    do {
      const page = await client.getTrash({ limit, ...(cursor && { cursor }) });
      seen.push(...page.data.snippets.map(({ id }) => id));
      cursor = page.pagination.nextCursor ?? undefined;
      limit = 2;
      clock.advance(1);
      await client.deleteSnippet({ id: (await given.snippet()).id });
      if (seen.length === 3) await client.postSnippetsRestore({ snippetIds: [ids[0] ?? ""] });
    } while (cursor !== undefined);
    expect(seen).toEqual(ids);
  });

  test("refuses a cursor of another list", async () => {
    const started = await startService();
    const { call, client, key, team } = started;
    for (let number = 0; number < 2; number += 1) await deleted(started);
    const { nextCursor } = (await client.getTrash({ limit: 1 })).pagination;
    const query = { cursor: nextCursor ?? "", teamId: team.id };
    const answer = await call("GET", "/trash", { key: key.secret, query });
    expectRefusal(answer, 400, "cursor must be the nextCursor of a response to the same request");
  });

  test("ends a page early whose texts exceed one response, and has long texts whole", async () => {
    const started = await startService();
    const { client } = started;
    const long = "💥".repeat(1_000_000);
    for (let number = 0; number < 6; number += 1) await deleted(started, { content: text(long) });
    const { data, pagination } = await client.getTrash({ limit: 10 });
    expect(data.snippets.map(({ content }) => content.content === long)).toEqual([true, true, true, true]);
    // The fields of every other one.
    const short = (await deleted(started, {})) && (await client.getTrash({ limit: 1 })).data.snippets[0];
    expect(Object.keys(data.snippets[0] ?? {}).sort()).toEqual(Object.keys(short ?? {}).sort());
    const rest = await client.getTrash({ limit: 10, cursor: pagination.nextCursor ?? "" });
    expect(rest.data.snippets).toHaveLength(2);
    expect(rest.pagination.nextCursor).toBeNull();
  });
});

describe("the time in the trash", () => {
  test("is over to the millisecond, and the job then deletes from all tables", async () => {
    const started = await startService({});
    const { client, given, clock, service } = started;
    const [folder, tag] = [await given.folder(), await given.tag()];
    const snippet = await given.snippetWithVariations({ folderId: folder.id, tagIds: [tag.id] });
    await client.putSnippet({ id: snippet.id, content: text("Changed") });
    await client.deleteSnippet({ id: snippet.id });
    clock.advance(1);
    const later = await deleted(started);
    clock.advance(30 * day - 1.001);
    expect((await client.getTrash()).data.snippets).toHaveLength(2);
    expect(await deleteOverTime(service.database, 30, always)).toBe(0);
    clock.advance(0.001);
    expect((await client.getTrash()).data.snippets.map(({ id }) => id)).toEqual([later.id]);
    const { data } = await client.postSnippetsRestore({ snippetIds: [snippet.id, later.id] });
    expect(data.errors.map(({ id, message }) => [id, message])).toEqual([[snippet.id, "Snippet not found"]]);
    expect(await trashRows(started)).toEqual([1, 2, 1, 1]);

    expect(await deleteOverTime(service.database, 30, always)).toBe(1);
    expect(await trashRows(started)).toEqual([0, 0, 0, 0]);
    expect((await client.getSnippet({ id: later.id })).data).toEqual(later);
  });

  test("is that of the setting now, whatever it was at the deletion", async () => {
    const started = await startService({});
    const { service } = started;
    await deleted(started);
    expect(await deleteOverTime(service.database, 1, always)).toBe(0);
    expect(await deleteOverTime(service.database, 0, always)).toBe(1);
  });

  test("never ends if it is forever", async () => {
    const started = await startService({ config: { trashDays: undefined } });
    const { client, clock } = started;
    const snippet = await deleted(started);
    clock.advance(100 * 365 * day);
    expect((await client.getTrash()).data.snippets.map(({ id }) => id)).toEqual([snippet.id]);
    const { data } = await client.postSnippetsRestore({ snippetIds: [snippet.id] });
    expect(data).toEqual({ restoredSnippets: [{ snippetId: snippet.id }], errors: [] });
  });

  test("is enforced in portions, in every workspace, and goes on after an interruption", async () => {
    const started = await startService({});
    const { client, given, clock, admin, service, team } = started;
    const snippets = Array.from({ length: 100 }, () => ({ title: "A", content: text("A"), teamId: team.id }));
    for (let batch = 0; batch < 2; batch += 1) {
      const { data } = await client.postSnippets({ snippets });
      await client.deleteSnippets({ ids: data.createdSnippets.map(({ snippetId }) => snippetId) });
    }
    // Three of these are more than a portion.
    const long = text("💥".repeat(1_000_000));
    for (let number = 0; number < 3; number += 1) await deleted(started, { content: long });
    const stranger = await startService({ config: { dataDirectory: started.dataDirectory } });
    await deleted(stranger);
    clock.advance(31 * day);
    const kept = await given.snippet();

    const scope = { until: moment(clock) };
    const portion = await admin((transaction) => emptyTrash(transaction, started.workspace.id, scope));
    expect(portion).toEqual({ deletedCount: 100, isMore: true });
    const yields = [true, true, false];
    const interrupted = await deleteOverTime(service.database, 30, async () => yields.shift() ?? false);
    expect([1, 100]).toContain(interrupted);
    const rest: (number | undefined)[] = [];
    const count = async () => {
      rest.push((await trashRows(started))[0]);
      return true;
    };
    expect(interrupted + (await deleteOverTime(service.database, 30, count))).toBe(104);
    // The long ones are not deleted in one transaction.
    expect(rest).toContain(1);
    expect([await trashRows(started), await trashRows(stranger)]).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
    expect((await client.getSnippet({ id: kept.id })).data).toEqual(kept);
  });
});

test("emptying the trash of a team leaves that of others", async () => {
  const started = await startService();
  const { admin, client, workspace, team, otherTeam } = started;
  await deleted(started);
  const elsewhere = await deleted(started, { teamId: otherTeam.id });
  const empty = (teamIds: string[]) => admin((transaction) => emptyTrash(transaction, workspace.id, { teamIds }));
  expect(await empty([])).toEqual({ deletedCount: 0, isMore: false });
  expect(await empty([team.id])).toEqual({ deletedCount: 1, isMore: false });
  expect((await client.getTrash()).data.snippets.map(({ id }) => id)).toEqual([elsewhere.id]);
});
