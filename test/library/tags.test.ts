// The sentences about tags (interface, Tag; decisions, sections 3 and 4).
import { describe, expect, test } from "bun:test";
import { moment, newId } from "../support/expect.ts";
import { refusalOf, type Started, startService, text } from "../support/service.ts";

const notFound = { status: 404, code: "tag_not_found", message: "Tag not found" };
const forbidden = { status: 403, code: "team_forbidden", message: "API key does not have access to this team" };
const invalid = (message: string) => ({ status: 400, code: "invalid_request", message });
const otherTeamsParent = invalid("parentTagId must be a tag of the same team");
const cycle = invalid("parentTagId must not be the tag itself or a tag inside it");

/** This many snippets, made in one call; their titles count up in the order in which they were made. */
const snippetsUnder = ({ client, team }: Pick<Started, "client" | "team">, tagId: string, count: number) =>
  client.postSnippets({
    snippets: Array.from({ length: count }, (_, index) => ({
      title: `${index}`,
      content: text("x"),
      teamId: team.id,
      tagIds: [tagId],
    })),
  });

const titles = (snippets: readonly { title: string }[]) => snippets.map((snippet) => snippet.title);
const countdown = (from: number, count: number) => Array.from({ length: count }, (_, index) => `${from - index}`);

describe("POST /tag", () => {
  test("answers the tag with all its fields", async () => {
    const { client, team, workspace, clock, balance } = await startService();

    const answer = await client.postTag({ tagName: "Name", tagColor: "#336699", teamId: team.id });

    const tag = {
      id: answer.data.tag.id,
      tag_name: "Name",
      tag_color: "#336699",
      parent_tag_id: null,
      team_id: team.id,
      workspace_id: workspace.id,
      created_at: moment(clock),
      updated_at: moment(clock),
    };
    expect(answer).toEqual({ success: true, data: { tag }, usage: { remainingRequests: 99_999 } });
    expect(tag.id).toEqual(newId);
    expect((await client.getTag({ tagId: tag.id })).data).toEqual({ tag, snippets: [] });
    expect(await balance()).toBe(99_998);
  });

  test("needs tagName, tagColor and teamId, nothing else", async () => {
    const { call, key, team, content } = await startService();
    const whole = { tagName: "Name", tagColor: "red", teamId: team.id };
    const unchanged = await content();
    for (const name of ["tagName", "tagColor", "teamId"]) {
      const answer = await call("POST", "/tag", { key: key.secret, body: { ...whole, [name]: undefined } });
      expect([answer.status, answer.body.message]).toEqual([400, `${name} is required`]);
    }
    expect(await content()).toEqual(unchanged);
  });

  test("parentTagId makes it nested; null is the same as none; names need not be unique", async () => {
    const { client, given, team } = await startService();
    const parent = await given.tag();
    const bare = { tagName: "Name", tagColor: "red", teamId: team.id };
    const child = (await client.postTag({ ...bare, parentTagId: parent.id.toUpperCase() })).data.tag;
    expect(child.parent_tag_id).toBe(parent.id);
    expect((await client.postTag({ ...bare, parentTagId: null })).data.tag.parent_tag_id).toBeNull();
  });

  test("a parent must be a tag of the same team: 400 naming the field", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { client, given, team, otherTeam, content } = started;
    const parents = [
      (await given.tag({ teamId: otherTeam.id })).id,
      (await stranger.given.tag()).id,
      (await given.folder()).id,
      Bun.randomUUIDv7(),
    ];
    const unchanged = await content();
    for (const parentTagId of parents)
      expect(await refusalOf(client.postTag({ tagName: "N", tagColor: "c", teamId: team.id, parentTagId }))).toEqual(
        otherTeamsParent,
      );
    expect(await content()).toEqual(unchanged);
  });
});

describe("PUT /tag", () => {
  test("changes what it carries, leaves what is absent, and answers the tag as it is now", async () => {
    const { client, given, clock, balance } = await startService({});
    const [parent, before] = [await given.tag(), await given.tag()];
    let expected = before;
    for (const [body, effect] of [
      [{ tagName: "New name" }, { tag_name: "New name" }],
      [{ tagColor: "green" }, { tag_color: "green" }],
      [{ parentTagId: parent.id }, { parent_tag_id: parent.id }],
      [{ tagName: "Again" }, { tag_name: "Again" }],
      [{ parentTagId: null }, { parent_tag_id: null }],
      [
        { tagName: "All", tagColor: "blue", parentTagId: parent.id },
        { tag_name: "All", tag_color: "blue", parent_tag_id: parent.id },
      ],
    ] as const) {
      clock.advance(1);
      const remaining = await balance();
      expected = { ...expected, ...effect, updated_at: moment(clock) };
      expect(await client.putTag({ tagId: before.id, ...body })).toEqual({
        success: true,
        data: { tag: expected },
        usage: { remainingRequests: remaining - 1 },
        metadata: { fieldsUpdated: Object.fromEntries(Object.keys(body).map((name) => [name, true])) },
      });
      expect((await client.getTag({ tagId: before.id })).data.tag).toEqual(expected);
    }
  });

  test("null where it can not clear, a team, an unknown field or no field at all: 400 and nothing changed", async () => {
    const { call, given, key, otherTeam, content } = await startService();
    const tag = await given.tag();
    const unchanged = await content();
    const bodies = [
      [{ tagName: null }, "tagName must be a string"],
      [{ tagColor: null }, "tagColor must be a string"],
      [{ tagName: "New", teamId: otherTeam.id }, "teamId is not a known field"],
      [{ tagName: "New", id: tag.id }, "id is not a known field"],
      [{ tagName: "New", parent_tag_id: null }, "parent_tag_id is not a known field"],
      [{}, "at least one of these fields is required: tagName, tagColor, parentTagId"],
    ] as const;
    for (const [body, message] of bodies) {
      const answer = await call("PUT", "/tag", { key: key.secret, query: { tagId: tag.id }, body });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);
  });

  test("a parent that would close a cycle, of any length: 400", async () => {
    const { client, given, content } = await startService();
    const chain = [await given.tag()];
    for (let depth = 1; depth < 12; depth += 1) chain.push(await given.tag({ parentTagId: chain.at(-1)?.id ?? "" }));
    const aside = await given.tag({ parentTagId: chain[3]?.id ?? "" });
    const unchanged = await content();
    for (const parent of [...chain, aside])
      expect(await refusalOf(client.putTag({ tagId: chain[0]?.id ?? "", parentTagId: parent.id }))).toEqual(cycle);
    expect(await refusalOf(client.putTag({ tagId: chain[5]?.id ?? "", parentTagId: chain[6]?.id ?? "" }))).toEqual(
      cycle,
    );
    expect(await content()).toEqual(unchanged);

    const moved = await client.putTag({ tagId: chain[5]?.id ?? "", parentTagId: aside.id });
    expect(moved.data.tag.parent_tag_id).toBe(aside.id);
  });

  test("a parent of another team of the workspace: 400, also for a key that reaches both", async () => {
    const { client, given, otherTeam } = await startService();
    const [tag, other] = [await given.tag(), await given.tag({ teamId: otherTeam.id })];
    expect(await refusalOf(client.putTag({ tagId: tag.id, parentTagId: other.id }))).toEqual(otherTeamsParent);
  });
});

describe("DELETE /tag", () => {
  test("takes it off its snippets, which stay as they are, and leaves child tags without a parent", async () => {
    const { client, given, balance, rows, workspace } = await startService();
    const [grandparent, other] = [await given.tag(), await given.tag()];
    const tag = await given.tag({ parentTagId: grandparent.id });
    const child = await given.tag({ parentTagId: tag.id });
    const both = await given.snippet({ tagIds: [tag.id, other.id] });
    const only = await given.snippet({ tagIds: [tag.id] });
    const before = await balance();

    expect(await client.deleteTag({ tagId: tag.id })).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 1 },
      metadata: {},
    });

    expect((await client.getSnippet({ id: both.id })).data).toEqual({ ...both, tag_ids: [other.id] });
    expect((await client.getSnippet({ id: only.id })).data).toEqual({ ...only, tag_ids: [] });
    expect((await client.getTag({ tagId: child.id })).data.tag).toEqual({ ...child, parent_tag_id: null });
    expect((await client.getTag({ tagId: grandparent.id })).data.tag).toEqual(grandparent);
    expect(await rows("select tag_id from snippet_tags where workspace_id = ?", workspace.id)).toEqual([
      { tag_id: other.id },
    ]);
    expect(await refusalOf(client.getTag({ tagId: tag.id }))).toEqual(notFound);
    expect(await refusalOf(client.putTag({ tagId: tag.id, tagName: "New" }))).toEqual(notFound);
    expect(await refusalOf(client.deleteTag({ tagId: tag.id }))).toEqual(notFound);
  });
});

describe("GET /tag", () => {
  test("answers the tag and its snippets as lists show them, archived ones too, at 1 + 1 per snippet", async () => {
    const { client, given, balance } = await startService();
    const [tag, other] = [await given.tag(), await given.tag()];
    await given.snippet({ tagIds: [other.id] });
    const {
      created_by: _,
      tag_ids: __,
      variations: ___,
      ...snippet
    } = await given.snippet({
      tagIds: [tag.id, other.id],
    });
    await client.putSnippet({ id: snippet.id, isArchived: true });
    const before = await balance();

    expect(await client.getTag({ tagId: tag.id })).toEqual({
      success: true,
      data: { tag, snippets: [{ ...snippet, is_archived: true }] },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      pagination: { limit: 50, offset: 0, totalSnippets: 1, hasMore: false, currentPage: 1, totalPages: 1 },
    });
  });

  test("without a snippet: cost 1, no page", async () => {
    const { client, given } = await startService();
    const answer = await client.getTag({ tagId: (await given.tag()).id });
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

  test("lists the newest first by creation, however late the tag came; those of one moment by their ids", async () => {
    const { client, given, clock, team } = await startService({});
    const tag = await given.tag();
    const late = await given.snippet({ title: "0" });
    clock.advance(1);
    await given.snippet({ title: "1", tagIds: [tag.id] });
    clock.advance(1);
    const tied = ["2", "3", "4"].map((title) => ({ title, content: text("x"), teamId: team.id, tagIds: [tag.id] }));
    await client.postSnippets({ snippets: tied });
    clock.advance(1);
    await given.snippet({ title: "5", tagIds: [tag.id] });
    clock.advance(1);
    await client.putSnippet({ id: late.id, tagIds: [tag.id] });

    const { data } = await client.getTag({ tagId: tag.id });
    expect(titles(data.snippets)).toEqual(["5", "4", "3", "2", "1", "0"]);
    const pages = [];
    for (let offset = 0; offset < 8; offset += 2)
      pages.push(...titles((await client.getTag({ tagId: tag.id, limit: 2, offset })).data.snippets));
    expect(pages).toEqual(titles(data.snippets));
  });

  test("pages by limit and offset: the figures are right on every edge, default limit 50", async () => {
    const started = await startService();
    const { client, given, balance } = started;
    const tag = await given.tag();
    await snippetsUnder(started, tag.id, 51);
    const pages = [
      [{}, 50, { limit: 50, offset: 0, hasMore: true, currentPage: 1, totalPages: 2 }],
      [{ offset: 50 }, 1, { limit: 50, offset: 50, hasMore: false, currentPage: 2, totalPages: 2 }],
      [{ limit: 51 }, 51, { limit: 51, offset: 0, hasMore: false, currentPage: 1, totalPages: 1 }],
      [{ limit: 17, offset: 17 }, 17, { limit: 17, offset: 17, hasMore: true, currentPage: 2, totalPages: 3 }],
      [{ limit: 17, offset: 34 }, 17, { limit: 17, offset: 34, hasMore: false, currentPage: 3, totalPages: 3 }],
      [{ limit: 10, offset: 39 }, 10, { limit: 10, offset: 39, hasMore: true, currentPage: 4, totalPages: 6 }],
      [{ limit: 1, offset: 50 }, 1, { limit: 1, offset: 50, hasMore: false, currentPage: 51, totalPages: 51 }],
      [{ limit: 100, offset: 51 }, 0, { limit: 100, offset: 51, hasMore: false, currentPage: 1, totalPages: 1 }],
    ] as const;
    for (const [page, count, figures] of pages) {
      const before = await balance();
      const answer = await client.getTag({ tagId: tag.id, ...page });
      expect(answer.pagination).toEqual({ totalSnippets: 51, ...figures });
      expect(titles(answer.data.snippets)).toEqual(countdown(50 - figures.offset, count));
      expect(answer.usage).toEqual({ remainingRequests: before - 1 - count, usageDeducted: 1 + count });
    }
  });
});

describe("GET /tags", () => {
  test("answers in the order asked with the five counts, at 1 per accessible tag", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { limitedClient, given, otherTeam, balance } = started;
    const [one, two] = [await given.tag(), await given.tag()];
    await given.snippet({ tagIds: [one.id] });
    const other = await given.tag({ teamId: otherTeam.id });
    const foreign = await stranger.given.tag();
    const before = await balance();
    expect(
      await limitedClient.getTags({
        tagIds: [two.id, foreign.id, other.id, one.id, two.id.toUpperCase(), Bun.randomUUIDv7()],
      }),
    ).toEqual({
      success: true,
      data: { tags: [two, one] },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      metadata: { requestedCount: 5, foundCount: 3, accessibleCount: 2, inaccessibleCount: 1, missingCount: 2 },
    });
    expect(await balance()).toBe(before - 2);
  });

  test("with nothing accessible: 200 with the counts, cost 0", async () => {
    const { limitedClient, given, otherTeam, balance } = await startService();
    const other = await given.tag({ teamId: otherTeam.id });
    const before = await balance();
    expect(await limitedClient.getTags({ tagIds: [other.id, Bun.randomUUIDv7()] })).toEqual({
      success: true,
      data: { tags: [] },
      usage: { remainingRequests: before, usageDeducted: 0 },
      metadata: { requestedCount: 2, foundCount: 1, accessibleCount: 0, inaccessibleCount: 1, missingCount: 1 },
    });
  });
});

describe("POST /tags", () => {
  test("creates in order and answers full records; malformed, forbidden and unknown items become errors", async () => {
    const { call, limitedKey, given, team, otherTeam, workspace, clock, client, balance } = await startService();
    const [parent, other] = [await given.tag(), await given.tag({ teamId: otherTeam.id })];
    const bare = (tagName: string) => ({ tagName, tagColor: "c", teamId: team.id });
    const before = await balance();

    const answer = await call("POST", "/tags", {
      key: limitedKey.secret,
      body: {
        tags: [
          bare("First"),
          bare(""),
          { ...bare("Nested"), parentTagId: parent.id },
          { ...bare("Other team"), teamId: otherTeam.id },
          { ...bare("No team"), teamId: Bun.randomUUIDv7() },
          { ...bare("Other parent"), parentTagId: other.id },
          [],
          { ...bare("Coloured"), tag_color: "red" },
          { ...bare("Last"), parentTagId: null },
        ],
      },
    });

    const record = (tag_name: string, parent_tag_id: string | null) => ({
      id: newId,
      tag_name,
      tag_color: "c",
      parent_tag_id,
      team_id: team.id,
      workspace_id: workspace.id,
      created_at: moment(clock),
      updated_at: moment(clock),
    });
    expect(answer.body).toEqual({
      success: true,
      data: {
        createdTags: [record("First", null), record("Nested", parent.id), record("Last", null)],
        errors: [
          { index: 1, message: "tagName must be 1 to 1000 characters" },
          { index: 3, message: "API key does not have access to this team" },
          { index: 4, message: "Team not found" },
          { index: 5, message: "parentTagId must be a tag of the same team" },
          { index: 6, message: "The item must be an object" },
          { index: 7, message: "tag_color is not a known field" },
        ],
      },
      usage: { remainingRequests: before - 3, usageDeducted: 3 },
      metadata: { requestedCount: 9, createdCount: 3, failedCount: 6 },
    });
    const tagIds = answer.body.data.createdTags.map((tag: { id: string }) => tag.id);
    expect((await client.getTags({ tagIds })).data.tags).toEqual(answer.body.data.createdTags);
  });

  test("when no item goes through, fails with the first item's error; the array is checked first", async () => {
    const { call, key, limitedClient, team, otherTeam, content, balance } = await startService();
    const bare = { tagName: "N", tagColor: "c", teamId: team.id };
    const [before, unchanged] = [await balance(), await content()];
    const unreached = { ...bare, teamId: otherTeam.id };
    const unknown = { ...bare, teamId: Bun.randomUUIDv7() };
    const malformed = { ...bare, tagColor: "" };
    const colorRule = invalid("tagColor must be 1 to 100 characters");
    const noTeam = { status: 404, code: "team_not_found", message: "Team not found" };
    expect(await refusalOf(limitedClient.postTags({ tags: [unreached, unknown, malformed] }))).toEqual(forbidden);
    expect(await refusalOf(limitedClient.postTags({ tags: [unknown, malformed, unreached] }))).toEqual(noTeam);
    expect(await refusalOf(limitedClient.postTags({ tags: [malformed, unreached, unknown] }))).toEqual(colorRule);
    for (const [body, message] of [
      [{}, "tags is required"],
      [{ tags: {} }, "tags must be an array"],
      [{ tags: [] }, "tags must have 1 to 100 items"],
      [{ tags: Array(101).fill(bare) }, "tags must have 1 to 100 items"],
    ] as const) {
      const answer = await call("POST", "/tags", { key: key.secret, body });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - 7);
  });
});

describe("PUT /tags", () => {
  test("changes in order and answers full records; each item stands alone", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { call, client, limitedKey, given, otherTeam, balance } = started;
    const [one, two, three] = [await given.tag(), await given.tag(), await given.tag()];
    const other = await given.tag({ teamId: otherTeam.id });
    const foreign = await stranger.given.tag();
    const never = Bun.randomUUIDv7();
    const before = await balance();

    const answer = await call("PUT", "/tags", {
      key: limitedKey.secret,
      body: {
        tags: [
          { id: two.id, tagName: "Two" },
          { id: other.id, tagName: "Other" },
          { id: foreign.id, tagName: "Foreign" },
          { id: never, tagName: "Never" },
          { id: one.id, tagColor: "green", parentTagId: two.id },
          { id: two.id.toUpperCase(), tagName: "Two again" },
          { id: "no id", tagName: "x" },
          { tagName: "x" },
          { id: three.id },
        ],
      },
    });

    const [changedTwo, changedOne] = [
      { ...two, tag_name: "Two" },
      { ...one, tag_color: "green", parent_tag_id: two.id },
    ];
    expect(answer.body).toEqual({
      success: true,
      data: {
        updatedTags: [changedTwo, changedOne],
        errors: [
          { index: 1, id: other.id, message: "API key does not have access to this team" },
          { index: 2, id: foreign.id, message: "Tag not found" },
          { index: 3, id: never, message: "Tag not found" },
          { index: 5, id: two.id.toUpperCase(), message: "id must not stand twice in one request" },
          { index: 6, id: "no id", message: "id must be a UUID" },
          { index: 7, message: "id is required" },
          {
            index: 8,
            id: three.id,
            message: "at least one of these fields is required: tagName, tagColor, parentTagId",
          },
        ],
      },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      metadata: { requestedCount: 9, updatedCount: 2, failedCount: 7 },
    });
    expect((await client.getTags({ tagIds: [one.id, two.id, three.id, other.id] })).data.tags).toEqual([
      changedOne,
      changedTwo,
      three,
      other,
    ]);
    expect((await stranger.client.getTag({ tagId: foreign.id })).data.tag).toEqual(foreign);
  });

  test("sees the parents that earlier items of the same batch have set: no cycle gets through", async () => {
    const { client, given } = await startService();
    const [a, b, c] = [await given.tag(), await given.tag(), await given.tag()];
    const answer = await client.putTags({
      tags: [
        { id: a.id, parentTagId: b.id },
        { id: b.id, parentTagId: c.id },
        { id: c.id, parentTagId: a.id },
      ],
    });
    expect(answer.data.updatedTags.map((tag) => tag.id)).toEqual([a.id, b.id]);
    expect(answer.data.errors).toEqual([{ index: 2, id: c.id, message: cycle.message }]);
    expect(answer.usage.usageDeducted).toBe(2);
    const turned = await client.putTags({
      tags: [
        { id: a.id, parentTagId: null },
        { id: c.id, parentTagId: a.id },
      ],
    });
    expect(turned.data.updatedTags.map((tag) => tag.parent_tag_id)).toEqual([null, a.id]);
  });

  test("when no item goes through, fails with the first item's error; the array is checked first", async () => {
    const { call, key, limitedClient, given, otherTeam, content, balance } = await startService();
    const [own, other] = [await given.tag(), await given.tag({ teamId: otherTeam.id })];
    const [before, unchanged] = [await balance(), await content()];
    const unreached = { id: other.id, tagName: "New" };
    const unknown = { id: Bun.randomUUIDv7(), tagName: "New" };
    const malformed = { id: own.id, tagName: "" };
    const nameRule = invalid("tagName must be 1 to 1000 characters");
    expect(await refusalOf(limitedClient.putTags({ tags: [unreached, unknown, malformed] }))).toEqual(forbidden);
    expect(await refusalOf(limitedClient.putTags({ tags: [unknown, malformed, unreached] }))).toEqual(notFound);
    expect(await refusalOf(limitedClient.putTags({ tags: [malformed, unreached, unknown] }))).toEqual(nameRule);
    for (const [body, message] of [
      [{}, "tags is required"],
      [{ tags: "x" }, "tags must be an array"],
      [{ tags: [] }, "tags must have 1 to 100 items"],
      [{ tags: Array(101).fill({ id: own.id, tagName: "New" }) }, "tags must have 1 to 100 items"],
    ] as const) {
      const answer = await call("PUT", "/tags", { key: key.secret, body });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - 7);
  });
});

describe("DELETE /tags", () => {
  test("deletes and charges what is accessible, and takes them off their snippets and child tags", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { limitedClient, client, given, otherTeam, balance } = started;
    const [parent, keeps, other] = [await given.tag(), await given.tag(), await given.tag({ teamId: otherTeam.id })];
    const child = await given.tag({ parentTagId: parent.id });
    const grandchild = await given.tag({ parentTagId: child.id });
    const snippet = await given.snippet({ tagIds: [parent.id, child.id, keeps.id] });
    const foreign = await stranger.given.tag();
    const before = await balance();

    expect(
      await limitedClient.deleteTags({
        tagIds: [parent.id, other.id, foreign.id, child.id, child.id.toUpperCase(), Bun.randomUUIDv7()],
      }),
    ).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 2, usageDeducted: 2 },
      metadata: { requestedCount: 5, deletedCount: 2, inaccessibleCount: 3, accessibleCount: 2 },
    });
    expect((await client.getSnippet({ id: snippet.id })).data).toEqual({ ...snippet, tag_ids: [keeps.id] });
    expect((await client.getTags({ tagIds: [grandchild.id, other.id, child.id] })).data.tags).toEqual([
      { ...grandchild, parent_tag_id: null },
      other,
    ]);
    expect((await stranger.client.getTag({ tagId: foreign.id })).data.tag).toEqual(foreign);
  });

  test("with nothing accessible: 200 with the counts, cost 0", async () => {
    const { limitedClient, given, otherTeam, balance, content } = await startService();
    const other = await given.tag({ teamId: otherTeam.id });
    const [before, unchanged] = [await balance(), await content()];
    expect(await limitedClient.deleteTags({ tagIds: [other.id, Bun.randomUUIDv7()] })).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before, usageDeducted: 0 },
      metadata: { requestedCount: 2, deletedCount: 0, inaccessibleCount: 2, accessibleCount: 0 },
    });
    expect(await content()).toEqual(unchanged);
  });
});
