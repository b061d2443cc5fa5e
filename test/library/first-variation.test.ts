// A snippet's first variation lies in the snippet's row; when it is deleted, the next one takes its place. Nobody outside sees that.
import { describe, expect, test } from "bun:test";
import { moment, newId } from "../support/expect.ts";
import { refusalOf, startService, text } from "../support/service.ts";

describe("the variation that takes the place of the first one", () => {
  test("keeps its id, name, times, order index, text and history", async () => {
    const { client, given, clock } = await startService({});
    const snippet = await given.snippetWithVariations();
    const [first = "", second = "", third = ""] = snippet.variations.map(({ id }) => id);
    clock.advance(10);
    await client.putSnippetVariation({ variationId: first, content: text("First, changed") });
    await client.putSnippetVariation({ variationId: second, content: text("Second, changed"), name: "Renamed" });
    const before = (await client.getSnippetVariation({ snippetId: snippet.id, variationId: second })).data;
    const history = (await client.getSnippetVariationHistory({ variationId: second })).data;
    const untouched = (await client.getSnippetVariation({ snippetId: snippet.id, variationId: third })).data;
    clock.advance(10);

    await client.deleteSnippetVariation({ variationId: first });

    const { data } = await client.getSnippet({ id: snippet.id });
    expect(data).toEqual({
      ...snippet,
      content: text("Second, changed"),
      updated_at: moment(clock),
      variations: [
        { id: second, name: "Renamed", variant_order_index: 1 },
        { id: third, name: "Third", variant_order_index: 2 },
      ],
    });
    expect((await client.getSnippetVariation({ snippetId: snippet.id, variationId: second })).data).toEqual(before);
    expect((await client.getSnippetVariationHistory({ variationId: second })).data).toEqual(history);
    expect(history.map(({ content }) => content)).toEqual([text("Second, changed"), text("Second text")]);
    expect((await client.getSnippetVariation({ snippetId: snippet.id, variationId: third })).data).toEqual(untouched);
  });

  test("is changed, has further versions, and is deleted like any other", async () => {
    const { client, given, clock, rows, workspace } = await startService({});
    const snippet = await given.snippetWithVariations();
    const [first = "", second = "", third = ""] = snippet.variations.map(({ id }) => id);
    await client.deleteSnippetVariation({ variationId: first });
    clock.advance(10);
    await client.putSnippet({ id: snippet.id, content: text("By the snippet") });
    await client.putSnippetVariation({ variationId: second, content: text("By the variation", "code") });

    expect((await client.getSnippet({ id: snippet.id })).data.content).toEqual(text("By the variation", "code"));
    expect((await client.getSnippetVariationHistory({ variationId: second })).data).toEqual([
      { id: newId, changed_at: moment(clock), content: text("By the variation", "code") },
      { id: newId, changed_at: moment(clock), content: text("By the snippet") },
      { id: newId, changed_at: snippet.created_at, content: text("Second text") },
    ]);

    await client.deleteSnippetVariation({ variationId: second });
    expect((await client.getSnippet({ id: snippet.id })).data).toMatchObject({
      content: text("Third text"),
      variations: [{ id: third, name: "Third", variant_order_index: 2 }],
    });
    expect((await refusalOf(client.deleteSnippetVariation({ variationId: third }))).code).toBe("last_variation");
    for (const table of ["variations", "former_versions"])
      expect(await rows(`select 1 from ${table} where workspace_id = ?`, workspace.id)).toEqual([]);
  });

  test("is the next one that stays, when several are deleted at once, in several snippets", async () => {
    const { client, given } = await startService();
    const [one, other, whole] = [
      await given.snippetWithVariations(),
      await given.snippetWithVariations(),
      await given.snippetWithVariations(),
    ];
    const id = (snippet: typeof one, index: number) => snippet.variations[index]?.id ?? "";
    await client.deleteSnippetVariation({ variationIds: [id(other, 0), id(one, 1), id(whole, 2), id(one, 0)] });

    const left = async (snippet: typeof one) => {
      const { content, variations } = (await client.getSnippet({ id: snippet.id })).data;
      return [content.content, ...variations.map((variation) => variation.variant_order_index)];
    };
    expect(await Promise.all([one, other, whole].map(left))).toEqual([
      ["Third text", 2],
      ["Second text", 1, 2],
      ["Hello", 0, 1],
    ]);
  });
});

test("neither a snippet's id nor a version's is that of a variation", async () => {
  const { client, given } = await startService();
  const snippet = await given.snippetWithVariations();
  const [first = "", second = ""] = snippet.variations.map(({ id }) => id);
  const notFound = { status: 404, code: "variation_not_found" };
  const versions = [first, second].map(async (variationId) => client.getSnippetVariationHistory({ variationId }));
  const ids = (await Promise.all(versions)).flatMap(({ data }) => data.map((version) => version.id));
  expect(new Set([snippet.id, first, second, ...ids]).size).toBe(5);
  for (const variationId of [snippet.id, ...ids]) {
    expect(await refusalOf(client.getSnippetVariation({ snippetId: snippet.id, variationId }))).toMatchObject(notFound);
    expect(await refusalOf(client.getSnippetVariationHistory({ variationId }))).toMatchObject(notFound);
    expect(await refusalOf(client.deleteSnippetVariation({ variationId }))).toMatchObject(notFound);
  }
  await client.deleteSnippetVariation({ variationId: first });
  expect(await refusalOf(client.getSnippetVariation({ snippetId: snippet.id, variationId: first }))).toMatchObject(
    notFound,
  );
});

test("an id in capitals is the same id", async () => {
  const { client, given } = await startService();
  const snippet = await given.snippet();
  const variationId = snippet.variations[0]?.id ?? "";
  const { data } = await client.getSnippetVariation({
    snippetId: snippet.id.toUpperCase(),
    variationId: variationId.toUpperCase(),
  });
  expect(data.id).toBe(variationId);
});
