// All variations of a snippet: GET and POST /snippet/variations, PUT /snippet/variations/order.
import { describe, expect, test } from "bun:test";
import { expectRefusal, moment, newId } from "../support/expect.ts";
import { refusalOf, type Started, startService, text } from "../support/service.ts";

const input = (variationName: string) => ({ variationName, content: text(`Text of ${variationName}`) });

const put = ({ call, key }: Started, snippetId: string, variationIds: unknown) =>
  call("PUT", "/snippet/variations/order", { key: key.secret, query: { snippetId }, body: { variationIds } });

describe("GET /snippet/variations", () => {
  test("returns all variations with their texts in order, for 1 unit each", async () => {
    const { client, given } = await startService();
    const { id: snippetId, variations } = await given.snippetWithVariations();
    const single = await Promise.all(
      variations.map(async ({ id }) => (await client.getSnippetVariation({ snippetId, variationId: id })).data),
    );
    const { data, usage } = await client.getSnippetVariations({ snippetId });
    expect(data.variations).toEqual(single);
    expect(data.variations.map(({ content }) => content.content)).toEqual(["Hello", "Second text", "Third text"]);
    expect(usage.usageDeducted).toBe(3);
    await client.deleteSnippetVariation({ variationId: variations[0]?.id ?? "" });
    expect((await client.getSnippetVariations({ snippetId })).data.variations).toEqual(single.slice(1));
  });

  test("with more text than one response may have is refused", async () => {
    const { client, given } = await startService();
    const large = Array.from({ length: 7 }, () => ({ variationName: "L", content: text("€".repeat(350_000)) }));
    const { id: snippetId } = await given.snippet({ additionalVariations: large });
    for (let round = 0; round < 2; round += 1) {
      expect((await client.getSnippetVariations({ snippetId })).data.variations.length).toBe(8 + 7 * round);
      await client.postSnippetVariations({ snippetId, variations: large });
    }
    expect(await refusalOf(client.getSnippetVariations({ snippetId }))).toMatchObject({
      status: 400,
      code: "response_too_large",
    });
  });
});

describe("POST /snippet/variations", () => {
  test("adds variations after the last, for 1 unit each, and moves the snippet's updated_at", async () => {
    const { client, limitedClient, given, clock, rows, limitedKey } = await startService();
    const snippet = await given.snippetWithVariations();
    await client.deleteSnippetVariation({ variationId: snippet.variations[1]?.id ?? "" });
    clock.advance(10);

    const added = await limitedClient.postSnippetVariations({
      snippetId: snippet.id,
      variations: [input("A"), input("A")],
    });

    const record = (index: number) => ({
      id: newId,
      name: "A",
      content: text("Text of A"),
      snippet_id: snippet.id,
      variant_order_index: index,
      created_at: moment(clock),
      updated_at: moment(clock),
    });
    expect(added.data).toEqual({ variations: [record(3), record(4)], errors: [] });
    expect(added.metadata).toEqual({ requestedCount: 2, createdCount: 2, failedCount: 0 });
    expect(added.usage.usageDeducted).toBe(2);
    const { data } = await client.getSnippet({ id: snippet.id });
    expect(data).toMatchObject({ updated_at: moment(clock), content: snippet.content });
    expect(data.variations.map((variation) => variation.variant_order_index)).toEqual([0, 2, 3, 4]);
    const [, , ...listed] = (await client.getSnippetVariations({ snippetId: snippet.id })).data.variations;
    expect(listed).toEqual(added.data.variations);
    const variationId = listed[0]?.id ?? "";
    expect((await client.getSnippetVariation({ snippetId: snippet.id, variationId })).data).toEqual(listed[0] as never);
    expect((await client.getSnippetVariationHistory({ variationId })).data).toEqual([
      { id: newId, changed_at: moment(clock), content: text("Text of A") },
    ]);
    expect(await rows("select changed_by from variations where id = ?", variationId)).toEqual([
      { changed_by: limitedKey.id },
    ]);
  });

  test("each item stands alone, and a snippet has at most 101", async () => {
    const started = await startService();
    const { client, given } = started;
    const many = (count: number) => Array.from({ length: count }, (_, index) => input(`${index}`));
    const { id: snippetId } = await given.snippet({ additionalVariations: many(98) });
    const wrong = { variationName: "", content: text("x") };
    const { data, metadata, usage } = await client.postSnippetVariations({
      snippetId,
      variations: [wrong, input("99"), input("100"), input("101")],
    });
    expect(data.variations.map((variation) => [variation.name, variation.variant_order_index])).toEqual([
      ["99", 99],
      ["100", 100],
    ]);
    expect(data.errors).toEqual([
      { index: 0, message: "variationName must be 1 to 100 characters", error: "invalid_request" },
      { index: 3, message: "A snippet can have at most 101 variations", error: "too_many_variations" },
    ]);
    expect([metadata, usage.usageDeducted]).toEqual([{ requestedCount: 4, createdCount: 2, failedCount: 2 }, 2]);
    const unchanged = await started.content();
    expect(await refusalOf(client.postSnippetVariations({ snippetId, variations: [input("x")] }))).toEqual({
      status: 400,
      code: "too_many_variations",
      message: "A snippet can have at most 101 variations",
    });
    expect(await started.content()).toEqual(unchanged);
    const order = (await client.getSnippet({ id: snippetId })).data.variations.map(({ id }) => id).reverse();
    expect((await client.putSnippetVariationsOrder({ snippetId, variationIds: order })).data.variations).toHaveLength(
      101,
    );
  });

  test("a batch without a well-formed item is malformed, whatever the snippet is", async () => {
    const { client } = await startService();
    const variations = [{ variationName: "", content: text("x") }];
    const refusal = { status: 400, message: "variationName must be 1 to 100 characters" };
    const snippetId = crypto.randomUUID();
    expect(await refusalOf(client.postSnippetVariations({ snippetId, variations }))).toMatchObject(refusal);
    expect(
      await refusalOf(client.postSnippetVariations({ snippetId, variations: [input("x"), ...variations] })),
    ).toMatchObject({ status: 404, code: "snippet_not_found" });
  });
});

describe("PUT /snippet/variations/order", () => {
  test("gives indexes from 0 in the new order, and the first one supplies the snippet's content", async () => {
    const { client, given, clock } = await startService();
    const { id: snippetId } = await given.snippetWithVariations();
    clock.advance(10);
    await client.postSnippetVariations({ snippetId, variations: [input("Fourth")] });
    const before = (await client.getSnippetVariations({ snippetId })).data.variations;
    const byId = new Map(before.map((variation) => [variation.id, variation]));
    const [first = "", second = "", third = "", fourth = ""] = before.map(({ id }) => id);
    await client.deleteSnippetVariation({ variationId: third });
    for (const order of [
      [second, first, fourth],
      [fourth, second, first],
      [fourth, first, second],
      [first, second, fourth],
      [first, fourth, second],
    ]) {
      clock.advance(10);
      const answer = await client.putSnippetVariationsOrder({
        snippetId,
        variationIds: order.map((id) => id.toUpperCase()),
      });
      const summaries = order.map((id, index) => ({ id, name: byId.get(id)?.name ?? "", variant_order_index: index }));
      expect(answer.data).toEqual({ variations: summaries });
      expect(answer.response?.cost).toBe(1);
      const { data } = await client.getSnippet({ id: snippetId });
      expect(data.variations).toEqual(summaries);
      expect(data.content).toEqual(byId.get(order[0] ?? "")?.content ?? text(""));
      expect(data.updated_at).toBe(moment(clock));
      // Nothing but the index of a variation changes.
      const after = (await client.getSnippetVariations({ snippetId })).data.variations;
      expect(after).toEqual(
        order.map((id, index) => ({ ...byId.get(id), variant_order_index: index })) as typeof after,
      );
    }
  });

  test("each variation keeps its history, also of changes that follow, and loses it when it is deleted", async () => {
    const started = await startService();
    const { client, given, rows, workspace, clock } = started;
    const { id: snippetId, variations } = await given.snippetWithVariations();
    const [first = "", second = "", third = ""] = variations.map(({ id }) => id);
    const change = async (round: number) => {
      clock.advance(10);
      for (const variationId of [first, second, third])
        await client.putSnippetVariation({ variationId, content: text(`${variationId} ${round}`) });
    };
    const records = async (variationId: string) => (await client.getSnippetVariationHistory({ variationId })).data;
    const history = async (variationId: string) => (await records(variationId)).map(({ content }) => content.content);
    await change(1);
    const before = [await records(first), await records(second), await records(third)];
    clock.advance(10);
    await client.putSnippetVariationsOrder({ snippetId, variationIds: [third, first, second] });
    expect([await records(first), await records(second), await records(third)]).toEqual(before);
    await change(2);
    await client.postSnippetVariations({ snippetId, variations: [input("Fourth")] });
    await client.putSnippetVariationsOrder({
      snippetId,
      variationIds: [first, ...(await client.getSnippet({ id: snippetId })).data.variations.map(({ id }) => id)].filter(
        (id, index, all) => all.indexOf(id) === index,
      ),
    });
    await change(3);
    for (const [variationId, oldest] of [
      [first, "Hello"],
      [second, "Second text"],
      [third, "Third text"],
    ] as const)
      expect(await history(variationId)).toEqual([3, 2, 1].map((round) => `${variationId} ${round}`).concat(oldest));

    await client.deleteSnippetVariation({ variationIds: [first, third] });
    expect(await history(second)).toHaveLength(4);
    expect(await rows("select 1 from former_versions where workspace_id = ?", workspace.id)).toHaveLength(3);
  });

  test("a variation that takes a free index does not share another's history", async () => {
    const { client, given } = await startService();
    const { id: snippetId, variations } = await given.snippetWithVariations();
    const [first = "", second = "", third = ""] = variations.map(({ id }) => id);
    await client.putSnippetVariation({ variationId: third, content: text("Changed") });
    await client.putSnippetVariationsOrder({ snippetId, variationIds: [third, first, second] });
    await client.deleteSnippetVariation({ variationId: second });
    const added = await client.postSnippetVariations({ snippetId, variations: [input("Fourth")] });
    const [fourth] = added.data.variations;
    expect(fourth?.variant_order_index).toBe(2);
    const historyOf = async (variationId = "") =>
      (await client.getSnippetVariationHistory({ variationId })).data.map(({ content }) => content.content);
    expect(await historyOf(fourth?.id)).toEqual(["Text of Fourth"]);
    expect(await historyOf(third)).toEqual(["Changed", "Third text"]);
  });

  test("anything but all variations, each once, is refused, and nothing changes", async () => {
    const started = await startService();
    const { given, content } = started;
    const { id: snippetId, variations } = await given.snippetWithVariations();
    const [first = "", second = "", third = ""] = variations.map(({ id }) => id);
    const other = (await given.snippet()).variations[0]?.id ?? "";
    const unchanged = await content();
    const all = "variationIds must contain all variations of the snippet";
    for (const ids of [[first], [first, second], [first, second, other], [first, second, third, other]])
      expectRefusal(await put(started, snippetId, ids), 400, all);
    const once = "variationIds must contain each ID only once";
    for (const ids of [
      [first, first, second, third],
      [first, second, second],
      [first, first.toUpperCase(), second],
    ])
      expectRefusal(await put(started, snippetId, ids), 400, once);
    expectRefusal(await put(started, snippetId, []), 400, "variationIds must have 1 to 101 items");
    expectRefusal(await put(started, crypto.randomUUID(), [first]), 404, "Snippet not found");
    expect(await content()).toEqual(unchanged);
  });
});
