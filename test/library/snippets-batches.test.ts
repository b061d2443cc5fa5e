// The sentences about batches of snippets (decisions, Bodies).
import { describe, expect, test } from "bun:test";
import { newId } from "../support/expect.ts";
import { refusalOf, type Started, startService, text } from "../support/service.ts";

/** A snippet as lists show it. */
const listed = <Detail extends { created_by: string; tag_ids: string[]; variations: unknown[] }>(detail: Detail) => {
  const { created_by: _by, tag_ids: _tags, variations: _variations, ...snippet } = detail;
  return snippet;
};

const inOtherTeam = async ({ given, otherTeam }: Started) => ({
  folder: await given.folder({ teamId: otherTeam.id }),
  tag: await given.tag({ teamId: otherTeam.id }),
  snippet: await given.snippet({ teamId: otherTeam.id }),
});

describe("GET /snippets", () => {
  test("answers in the order asked, counts what is missing and out of reach, costs 1 per accessible snippet", async () => {
    const started = await startService();
    const stranger = await startService();
    const { limitedClient, client, given } = started;
    const [first, second] = [await given.snippet({ title: "First" }), await given.snippet({ title: "Second" })];
    const other = (await inOtherTeam(started)).snippet;
    const foreign = await stranger.given.snippet();
    const deleted = await given.snippet();
    await client.deleteSnippet({ id: deleted.id });
    const before = await started.balance();

    expect(
      await limitedClient.getSnippets({
        ids: [second.id, foreign.id, other.id, first.id, deleted.id, second.id, Bun.randomUUIDv7()],
      }),
    ).toEqual({
      success: true,
      data: [listed(second), listed(first)],
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      metadata: { requestedCount: 6, foundCount: 3, accessibleCount: 2, inaccessibleCount: 1, missingCount: 3 },
    });
    expect(await started.balance()).toBe(before - 2);
    expect((await client.getSnippets({ ids: [other.id, first.id] })).data).toEqual([listed(other), listed(first)]);
  });

  test("with nothing accessible: 200 with the counts, cost 0", async () => {
    const started = await startService();
    const other = (await inOtherTeam(started)).snippet;
    const before = await started.balance();
    expect(await started.limitedClient.getSnippets({ ids: [other.id, Bun.randomUUIDv7()] })).toEqual({
      success: true,
      data: [],
      usage: { remainingRequests: before, usageDeducted: 0 },
      metadata: { requestedCount: 2, foundCount: 1, accessibleCount: 0, inaccessibleCount: 1, missingCount: 1 },
    });
    expect(await started.balance()).toBe(before);
  });
});

describe("POST /snippets", () => {
  const bare = (title: string, teamId: string) => ({ title, content: text(title), teamId });

  test("creates in order and answers the ids and the counts, at 1 per snippet", async () => {
    const { client, team, balance } = await startService();
    const answer = await client.postSnippets({ snippets: ["a", "b", "c"].map((title) => bare(title, team.id)) });

    expect(answer).toEqual({
      success: true,
      data: {
        message: expect.any(String),
        createdSnippets: [{ snippetId: newId }, { snippetId: newId }, { snippetId: newId }],
        errors: [],
      },
      usage: { remainingRequests: 99_997, usageDeducted: 3 },
      metadata: { requestedCount: 3, createdCount: 3, failedCount: 0 },
    });
    expect(await balance()).toBe(99_997);
    const ids = answer.data.createdSnippets.map((created) => created.snippetId);
    expect((await client.getSnippets({ ids })).data.map((snippet) => snippet.title)).toEqual(["a", "b", "c"]);
  });

  test("each item stands alone: malformed, out of reach or unknown ones become errors, the others go through", async () => {
    const started = await startService();
    const { call, limitedKey, team, otherTeam, given, client, balance } = started;
    const tag = await given.tag();
    const other = await inOtherTeam(started);
    const before = await balance();

    const answer = await call("POST", "/snippets", {
      key: limitedKey.secret,
      body: {
        snippets: [
          { ...bare("Malformed", team.id), title: "" },
          { ...bare("Good", team.id), tagIds: [tag.id] },
          bare("Out of reach", otherTeam.id),
          bare("Unknown team", Bun.randomUUIDv7()),
          { ...bare("Folder of another team", team.id), folderId: other.folder.id },
          { ...bare("Unknown tag", team.id), tagIds: [tag.id, Bun.randomUUIDv7()] },
          { ...bare("Unknown field", team.id), folder_id: null },
          "no object",
          bare("Good too", team.id),
          { ...bare("With an id", team.id), id: other.snippet.id },
        ],
      },
    });

    expect(answer.body).toEqual({
      success: true,
      data: {
        message: expect.any(String),
        createdSnippets: [{ snippetId: newId }, { snippetId: newId }],
        errors: [
          { index: 0, message: "title must be 1 to 200 characters", error: "invalid_request" },
          { index: 2, message: "API key does not have access to this team", error: "team_forbidden" },
          { index: 3, message: "Team not found", error: "team_not_found" },
          { index: 4, message: "folderId must be a folder of the same team", error: "invalid_request" },
          { index: 5, message: "tagIds must be tags of the same team", error: "invalid_request" },
          { index: 6, message: "folder_id is not a known field. Did you mean folderId?", error: "invalid_request" },
          { index: 7, message: "The item must be an object", error: "invalid_request" },
          { index: 9, id: other.snippet.id, message: "id is not a known field", error: "invalid_request" },
        ],
      },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      metadata: { requestedCount: 10, createdCount: 2, failedCount: 8 },
    });
    const [good, goodToo] = answer.body.data.createdSnippets.map((created: { snippetId: string }) => created.snippetId);
    expect((await client.getSnippet({ id: good })).data).toMatchObject({ title: "Good", tag_ids: [tag.id] });
    expect((await client.getSnippet({ id: goodToo })).data).toMatchObject({ title: "Good too", tag_ids: [] });
    expect(await started.rows("select 1 from snippets where workspace_id = ?", started.workspace.id)).toHaveLength(3);
  });

  test("when no item goes through, fails with the status and message of the first item's error, for 1 unit", async () => {
    const { limitedClient, team, otherTeam, content, balance } = await startService();
    const [before, unchanged] = [await balance(), await content()];
    const [forbidden, unknown, malformed] = [
      bare("Out of reach", otherTeam.id),
      bare("Unknown", Bun.randomUUIDv7()),
      bare("", team.id),
    ];

    expect(await refusalOf(limitedClient.postSnippets({ snippets: [forbidden, unknown, malformed] }))).toEqual({
      status: 403,
      code: "team_forbidden",
      message: "API key does not have access to this team",
    });
    expect(await refusalOf(limitedClient.postSnippets({ snippets: [unknown, malformed, forbidden] }))).toEqual({
      status: 404,
      code: "team_not_found",
      message: "Team not found",
    });
    expect(await refusalOf(limitedClient.postSnippets({ snippets: [malformed, forbidden, unknown] }))).toEqual({
      status: 400,
      code: "invalid_request",
      message: "title must be 1 to 200 characters",
    });
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - 3);
  });

  test("takes 1 to 100 items: an empty, too long or missing array is refused before any item", async () => {
    const { call, key, client, team, content } = await startService();
    const many = (count: number) => Array.from({ length: count }, (_, index) => bare(`${index}`, team.id));
    const unchanged = await content();
    const bodies = [
      [{}, "snippets is required"],
      [{ snippets: null }, "snippets must be an array"],
      [{ snippets: { 0: bare("x", team.id), length: 1 } }, "snippets must be an array"],
      [{ snippets: [] }, "snippets must have 1 to 100 items"],
      [{ snippets: many(101) }, "snippets must have 1 to 100 items"],
      [{ snippets: many(1), teamId: team.id }, "teamId is not a known field"],
    ] as const;
    for (const [body, message] of bodies) {
      const answer = await call("POST", "/snippets", { key: key.secret, body });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);

    const answer = await client.postSnippets({ snippets: many(100) });
    expect(answer.usage.usageDeducted).toBe(100);
    expect(answer.metadata).toEqual({ requestedCount: 100, createdCount: 100, failedCount: 0 });
  });

  test("may carry 100 different tags in each of 100 items", async () => {
    const { client, team } = await startService();
    const tagOf = (name: string) => ({ tagName: name, tagColor: "red", teamId: team.id });
    const tags = (await client.postTags({ tags: [tagOf("a"), tagOf("b")] })).data.createdTags.map((tag) => tag.id);
    const unknown = () => Array.from({ length: 100 }, () => Bun.randomUUIDv7());
    const snippets = Array.from({ length: 99 }, () => ({ ...bare("x", team.id), tagIds: unknown() }));

    const answer = await client.postSnippets({ snippets: [...snippets, { ...bare("Good", team.id), tagIds: tags }] });

    expect(answer.metadata).toEqual({ requestedCount: 100, createdCount: 1, failedCount: 99 });
    expect(answer.usage.usageDeducted).toBe(1);
  });
});

describe("DELETE /snippets", () => {
  test("deletes and charges only what is accessible, and counts the rest as inaccessible", async () => {
    const started = await startService();
    const stranger = await startService();
    const { limitedClient, client, given } = started;
    const [first, second] = [await given.snippet(), await given.snippet()];
    const other = (await inOtherTeam(started)).snippet;
    const foreign = await stranger.given.snippet();
    const before = await started.balance();

    expect(
      await limitedClient.deleteSnippets({
        ids: [first.id, foreign.id, other.id, second.id, first.id.toUpperCase(), Bun.randomUUIDv7()],
      }),
    ).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      metadata: { requestedCount: 5, deletedCount: 2, inaccessibleCount: 3, accessibleCount: 2 },
    });
    expect((await client.getSnippets({ ids: [first.id, second.id, other.id] })).data).toEqual([listed(other)]);
    expect((await stranger.client.getSnippet({ id: foreign.id })).data).toEqual(foreign);
  });

  test("with nothing accessible: 200 with the counts, cost 0", async () => {
    const started = await startService();
    const other = (await inOtherTeam(started)).snippet;
    const [before, unchanged] = [await started.balance(), await started.content()];
    expect(await started.limitedClient.deleteSnippets({ ids: [other.id, Bun.randomUUIDv7()] })).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before, usageDeducted: 0 },
      metadata: { requestedCount: 2, deletedCount: 0, inaccessibleCount: 2, accessibleCount: 0 },
    });
    expect(await started.content()).toEqual(unchanged);
  });
});
