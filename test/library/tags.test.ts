// The sentences about tags alone (decisions, Records; decisions, Bodies); groups.test.ts has what they share with folders.
import { describe, expect, test } from "bun:test";
import { refusalOf, startService } from "../support/service.ts";

const notFound = { status: 404, code: "tag_not_found", message: "Tag not found" };

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
});
