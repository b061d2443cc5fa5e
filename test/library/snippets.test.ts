// The sentences about one snippet (decisions, Records; decisions, Bodies).
import { describe, expect, test } from "bun:test";
import { moment, newId } from "../support/expect.ts";
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

describe("a new snippet", () => {
  test("has all fields of the interface; what was not given is null", async () => {
    const { client, team, workspace, key, clock, balance } = await startService();

    const created = await client.postSnippet({ title: "Title", content: text("Text"), teamId: team.id });

    expect(created).toEqual({
      success: true,
      data: { snippetId: newId },
      usage: { remainingRequests: 99_999 },
      metadata: { totalVariations: 1, tagsAttached: 0 },
    });
    expect(await client.getSnippet({ id: created.data.snippetId })).toEqual({
      success: true,
      data: {
        id: created.data.snippetId,
        title: "Title",
        content: { type: "plaintext", content: "Text" },
        snippet_note: null,
        shortcut: null,
        folder_id: null,
        team_id: team.id,
        workspace_id: workspace.id,
        is_archived: false,
        created_at: moment(clock),
        updated_at: moment(clock),
        created_by: key.id,
        tag_ids: [],
        variations: [{ id: newId, name: "Default", variant_order_index: 0 }],
      },
      usage: { remainingRequests: 99_998 },
    });
    expect(await balance()).toBe(99_998);
  });

  test("keeps everything that was given; note is read back as snippet_note", async () => {
    const { client, given, team, workspace, limitedClient, limitedKey, clock } = await startService();
    const [folder, first, second] = [await given.folder(), await given.tag(), await given.tag()];

    const created = await limitedClient.postSnippet({
      title: "Title",
      content: text("let x;", "code"),
      teamId: team.id,
      note: "A note",
      shortcut: "ctrl+k",
      folderId: folder.id,
      tagIds: [second.id, first.id],
      additionalVariations: [
        { variationName: "Second", content: text("two") },
        { variationName: "Third", content: text("three", "code") },
      ],
    });

    expect(created.metadata).toEqual({ totalVariations: 3, tagsAttached: 2 });
    const { data } = await client.getSnippet({ id: created.data.snippetId });
    expect(data).toEqual({
      id: created.data.snippetId,
      title: "Title",
      content: { type: "code", content: "let x;" },
      snippet_note: "A note",
      shortcut: "ctrl+k",
      folder_id: folder.id,
      team_id: team.id,
      workspace_id: workspace.id,
      is_archived: false,
      created_at: moment(clock),
      updated_at: moment(clock),
      created_by: limitedKey.id,
      tag_ids: expect.arrayContaining([first.id, second.id]),
      variations: [
        { id: newId, name: "Default", variant_order_index: 0 },
        { id: newId, name: "Second", variant_order_index: 1 },
        { id: newId, name: "Third", variant_order_index: 2 },
      ],
    });
    expect(data.tag_ids).toHaveLength(2);
    expect(new Set(data.variations.map((variation) => variation.id)).size).toBe(3);
  });

  test("takes null for an optional field as if it were left out", async () => {
    const { client, team } = await startService();
    const bare = { title: "Title", content: text("Text"), teamId: team.id };
    const nulls = { note: null, shortcut: null, folderId: null, tagIds: null, additionalVariations: null };

    const created = await client.postSnippet({ ...bare, ...nulls });
    const left = await client.postSnippet(bare);

    expect(created.metadata).toEqual({ totalVariations: 1, tagsAttached: 0 });
    const read = async (id: string) => {
      const { data } = await client.getSnippet({ id });
      return { ...data, id: "", variations: data.variations.map((variation) => ({ ...variation, id: "" })) };
    };
    expect(await read(created.data.snippetId)).toEqual(await read(left.data.snippetId));
  });

  test("counts a repeated tag id once, in either case", async () => {
    const { client, given, team } = await startService();
    const tag = await given.tag();

    const created = await client.postSnippet({
      title: "Title",
      content: text("Text"),
      teamId: team.id,
      tagIds: [tag.id, ...Array<string>(100).fill(tag.id.toUpperCase())],
    });

    expect(created.metadata.tagsAttached).toBe(1);
    expect((await client.getSnippet({ id: created.data.snippetId })).data.tag_ids).toEqual([tag.id]);
  });

  test("may have the title and the shortcut of another", async () => {
    const { given, client } = await startService();
    const same = { title: "Same", shortcut: "ctrl+s" };
    const [first, second] = [await given.snippet(same), await given.snippet(same)];
    expect(first.id).not.toBe(second.id);
    expect((await client.getSnippets({ ids: [first.id, second.id] })).data).toHaveLength(2);
  });

  test("may have 100 tags and 100 additional variations, not 101", async () => {
    const { client, team, balance, content } = await startService();
    const many = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    const bare = { title: "Title", content: text("Text"), teamId: team.id };
    const tagOf = (name: string) => ({ tagName: name, tagColor: "red", teamId: team.id });
    const tags = (await client.postTags({ tags: many(100).map(tagOf) })).data.createdTags;
    const oneMore = (await client.postTag(tagOf("one more"))).data.tag;
    const tagIds = tags.map((tag) => tag.id);
    const additionalVariations = many(101).map((name) => ({ variationName: name, content: text(name) }));
    const [before, unchanged] = [await balance(), await content()];

    expect(await refusalOf(client.postSnippet({ ...bare, tagIds: [...tagIds, oneMore.id] }))).toEqual({
      status: 400,
      code: "invalid_request",
      message: "tagIds must have at most 100 items",
    });
    expect(await refusalOf(client.postSnippet({ ...bare, additionalVariations }))).toEqual({
      status: 400,
      code: "invalid_request",
      message: "additionalVariations must have at most 100 items",
    });
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - 2);

    const created = await client.postSnippet({
      ...bare,
      tagIds,
      additionalVariations: additionalVariations.slice(0, 100),
    });
    expect(created.metadata).toEqual({ totalVariations: 101, tagsAttached: 100 });
    const { data } = await client.getSnippet({ id: created.data.snippetId });
    expect(data.tag_ids).toEqual([...tagIds].sort());
    expect(data.variations.map((variation) => [variation.name, variation.variant_order_index])).toEqual(
      ["Default", ...many(100)].map((name, index) => [name, index]),
    );
  });
});

describe("a snippet's folder and tags", () => {
  test("must be of its own team, also for a key that reaches both: 400 naming the field", async () => {
    const started = await startService();
    const { client, given, team, content } = started;
    const other = await inOtherTeam(started);
    const own = await given.tag();
    const snippet = await given.snippet();
    const before = await content();
    const bare = { title: "Title", content: text("Text"), teamId: team.id };
    const folderRefusal = {
      status: 400,
      code: "invalid_request",
      message: "folderId must be a folder of the same team",
    };
    const tagsRefusal = { status: 400, code: "invalid_request", message: "tagIds must be tags of the same team" };

    expect(await refusalOf(client.postSnippet({ ...bare, folderId: other.folder.id }))).toEqual(folderRefusal);
    expect(await refusalOf(client.postSnippet({ ...bare, tagIds: [own.id, other.tag.id] }))).toEqual(tagsRefusal);
    expect(await refusalOf(client.putSnippet({ id: snippet.id, folderId: other.folder.id }))).toEqual(folderRefusal);
    expect(await refusalOf(client.putSnippet({ id: snippet.id, tagIds: [own.id, other.tag.id] }))).toEqual(tagsRefusal);
    expect(await content()).toEqual(before);
  });
});

describe("PUT /snippet", () => {
  test("changes what it carries, leaves what is absent, and says which fields it carried", async () => {
    const { client, given, clock } = await startService({});
    const [folder, tag] = [await given.folder(), await given.tag()];
    const before = await given.snippet({ note: "Note", shortcut: "s", folderId: folder.id, tagIds: [tag.id] });
    const createdAt = moment(clock);
    const otherFolder = await given.folder();
    const otherTag = await given.tag();
    const changes = [
      [{ title: "New title" }, { title: "New title" }, 1],
      [{ content: text("New text", "code") }, { content: text("New text", "code") }, 1],
      [{ note: "New note" }, { snippet_note: "New note" }, 1],
      [{ shortcut: "" }, { shortcut: "" }, 1],
      [{ folderId: otherFolder.id }, { folder_id: otherFolder.id }, 1],
      [{ tagIds: [otherTag.id, tag.id, tag.id] }, { tag_ids: [tag.id, otherTag.id] }, 2],
      [{ isArchived: true }, { is_archived: true }, 2],
      [{ tagIds: [otherTag.id] }, { tag_ids: [otherTag.id] }, 1],
      [{ tagIds: [] }, { tag_ids: [] }, 0],
      [{ note: null, shortcut: null, folderId: null }, { snippet_note: null, shortcut: null, folder_id: null }, 0],
      [{ title: "Both", isArchived: false }, { title: "Both", is_archived: false }, 0],
    ] as const;

    let expected = before;
    let remainingRequests = (await client.getSnippet({ id: before.id })).usage.remainingRequests;
    for (const [body, effect, tagsAttached] of changes) {
      clock.advance(1);
      const answer = await client.putSnippet({ id: before.id, ...body } as Parameters<typeof client.putSnippet>[0]);

      remainingRequests -= 1;
      expect(answer).toEqual({
        success: true,
        data: { snippetId: before.id },
        usage: { remainingRequests },
        metadata: {
          fieldsUpdated: Object.fromEntries(Object.keys(body).map((name) => [name, true])),
          tagsAttached,
        },
      });
      expected = { ...expected, ...(effect as Partial<typeof expected>), updated_at: moment(clock) };
      const { data } = await client.getSnippet({ id: before.id });
      remainingRequests -= 1;
      expect({ ...data, tag_ids: [...data.tag_ids].sort() }).toEqual(expected);
    }
    expect(expected.created_at).toBe(createdAt);
  });

  test("isArchived archives and un-archives: every transition is allowed", async () => {
    const { client, given } = await startService();
    const { id } = await given.snippet();
    for (const isArchived of [false, true, true, false]) {
      const answer = await client.putSnippet({ id, isArchived });
      expect(answer.metadata).toEqual({ fieldsUpdated: { isArchived: true }, tagsAttached: 0 });
      expect((await client.getSnippet({ id })).data.is_archived).toBe(isArchived);
    }
  });

  test("content changes the first variation, and only that", async () => {
    const { client, given } = await startService();
    const snippet = await given.snippetWithVariations();
    const [first, second] = snippet.variations.map((variation) => variation.id);

    await client.putSnippet({ id: snippet.id, content: text("Changed", "code") });

    const read = async (variationId = "") =>
      (await client.getSnippetVariation({ snippetId: snippet.id, variationId })).data.content;
    expect(await read(first)).toEqual(text("Changed", "code"));
    expect(await read(second)).toEqual(text("Second text"));
  });

  test("null where it can not clear, a team, an unknown field or no field at all: 400 and nothing changed", async () => {
    const { call, given, key, otherTeam, content, balance } = await startService();
    const { id } = await given.snippet();
    const [unchanged, before] = [await content(), await balance()];
    const none =
      "at least one of these fields is required: title, content, note, shortcut, folderId, tagIds, isArchived";
    const bodies = [
      [{ tagIds: null }, "tagIds must be an array"],
      [{ title: null }, "title must be a string"],
      [{ content: null }, "content must be an object with type and content"],
      [{ isArchived: null }, "isArchived must be true or false"],
      [{ title: "New", teamId: otherTeam.id }, "teamId is not a known field"],
      [{ title: "New", folder_id: null }, "folder_id is not a known field. Did you mean folderId?"],
      [{ title: "New", is_archived: true }, "is_archived is not a known field. Did you mean isArchived?"],
      [{ title: "New", additionalVariations: [] }, "additionalVariations is not a known field"],
      [{}, none],
    ] as const;
    for (const [body, message] of bodies) {
      const answer = await call("PUT", "/snippet", { key: key.secret, query: { id }, body });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - bodies.length);
  });
});

describe("DELETE /snippet", () => {
  test("deletes the snippet, its variations and its places in folder and tag, and leaves those", async () => {
    const { client, given, rows, workspace, balance } = await startService();
    const [folder, tag] = [await given.folder(), await given.tag()];
    const changed = async () => {
      const second = { variationName: "Second", content: text("Second text") };
      const { id } = await given.snippet({ folderId: folder.id, tagIds: [tag.id], additionalVariations: [second] });
      await client.putSnippet({ id, content: text("Changed") });
      return (await client.getSnippet({ id })).data;
    };
    const gone = await changed();
    const stays = await changed();
    const before = await balance();

    expect(await client.deleteSnippet({ id: gone.id })).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 1 },
      metadata: {},
    });

    const notFound = { status: 404, code: "snippet_not_found", message: "Snippet not found" };
    expect(await refusalOf(client.getSnippet({ id: gone.id }))).toEqual(notFound);
    expect(await refusalOf(client.putSnippet({ id: gone.id, title: "New" }))).toEqual(notFound);
    expect(await refusalOf(client.deleteSnippet({ id: gone.id }))).toEqual(notFound);
    const variationId = gone.variations[0]?.id ?? "";
    expect(await refusalOf(client.getSnippetVariation({ snippetId: gone.id, variationId }))).toEqual({
      status: 404,
      code: "variation_not_found",
      message: "Variation not found",
    });
    expect((await client.getFolder({ folderId: folder.id })).data).toEqual({ folder, snippets: [listed(stays)] });
    expect((await client.getTag({ tagId: tag.id })).data).toEqual({ tag, snippets: [listed(stays)] });
    for (const table of ["snippets", "variations", "former_versions", "snippet_tags"])
      expect(await rows(`select 1 from ${table} where workspace_id = ?`, workspace.id)).toHaveLength(1);
  });
});
