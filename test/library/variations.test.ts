// The sentences about variations (decisions, Records; decisions, Bodies).
import { describe, expect, test } from "bun:test";
import { moment } from "../support/expect.ts";
import { refusalOf, type Started, startService, text } from "../support/service.ts";

const notFound = { status: 404, code: "variation_not_found", message: "Variation not found" };

const forbidden = { status: 403, code: "team_forbidden", message: "API key does not have access to this team" };

const lastVariation = { status: 400, code: "last_variation", message: "A snippet must keep at least one variation" };

/** A snippet with the variations Default, Second and Third, and their ids. */
async function threeVariations({ given }: Pick<Started, "given">) {
  const snippet = await given.snippetWithVariations();
  const [first = "", second = "", third = ""] = snippet.variations.map((variation) => variation.id);
  return { snippet, first, second, third };
}

describe("GET /snippet/variation", () => {
  test("answers the variation with all fields of the interface", async () => {
    const started = await startService();
    const { snippet, second } = await threeVariations(started);
    const before = await started.balance();

    expect(await started.client.getSnippetVariation({ snippetId: snippet.id, variationId: second })).toEqual({
      success: true,
      data: {
        id: second,
        name: "Second",
        content: { type: "plaintext", content: "Second text" },
        snippet_id: snippet.id,
        variant_order_index: 1,
        created_at: moment(started.clock),
        updated_at: moment(started.clock),
      },
      usage: { remainingRequests: before - 1 },
    });
  });

  test("needs both ids, and the variation must be of that snippet", async () => {
    const started = await startService();
    const { call, key, client, given } = started;
    const { snippet, first } = await threeVariations(started);
    const another = await given.snippet();
    const ask = async (query: Record<string, string>) =>
      (await call("GET", "/snippet/variation", { key: key.secret, query })).body.message;

    expect(await ask({ variationId: first })).toBe("Snippet ID is required");
    expect(await ask({ snippetId: snippet.id })).toBe("Variation ID is required");
    expect(await refusalOf(client.getSnippetVariation({ snippetId: another.id, variationId: first }))).toEqual(
      notFound,
    );
    expect(await refusalOf(client.getSnippetVariation({ snippetId: Bun.randomUUIDv7(), variationId: first }))).toEqual(
      notFound,
    );
  });
});

describe("PUT /snippet/variation", () => {
  test("renames and changes the content; the variation and its snippet were updated now", async () => {
    const { client, given, clock, balance } = await startService({});
    const made = moment(clock);
    const snippet = await given.snippetWithVariations();
    const variationId = snippet.variations[1]?.id ?? "";
    const steps = [
      [{ name: "Renamed" }, { name: "Renamed", content: text("Second text") }],
      [{ variationName: "By its alias" }, { name: "By its alias", content: text("Second text") }],
      [{ content: text("New", "code") }, { name: "By its alias", content: text("New", "code") }],
      [
        { name: "Both", variationName: "Both", content: text("") },
        { name: "Both", content: text("") },
      ],
    ] as const;
    for (const [body, effect] of steps) {
      clock.advance(1);
      const before = await balance();
      expect(await client.putSnippetVariation({ variationId, ...body })).toEqual({
        success: true,
        data: { variationId },
        usage: { remainingRequests: before - 1 },
        metadata: { fieldsUpdated: Object.fromEntries(Object.keys(body).map((name) => [name, true])) },
      });
      expect((await client.getSnippetVariation({ snippetId: snippet.id, variationId })).data).toEqual({
        id: variationId,
        ...effect,
        snippet_id: snippet.id,
        variant_order_index: 1,
        created_at: made,
        updated_at: moment(clock),
      });
      expect((await client.getSnippet({ id: snippet.id })).data).toMatchObject({
        content: snippet.content,
        updated_at: moment(clock),
      });
    }
  });

  test("of the first variation changes the snippet's content", async () => {
    const started = await startService();
    const { snippet, first } = await threeVariations(started);
    await started.client.putSnippetVariation({ variationId: first, content: text("Changed", "code") });
    expect((await started.client.getSnippet({ id: snippet.id })).data.content).toEqual(text("Changed", "code"));
    expect((await started.client.getSnippets({ ids: [snippet.id] })).data[0]?.content).toEqual(text("Changed", "code"));
  });

  test("without a known field, with an unknown one or with names that differ: 400 and nothing changed", async () => {
    const started = await startService();
    const { call, key, content } = started;
    const { second } = await threeVariations(started);
    const unchanged = await content();
    const bodies = [
      [{}, "at least one of these fields is required: name, variationName, content"],
      [{ name: "One", variationName: "Another" }, "name and variationName must be the same"],
      [{ name: "One", variant_order_index: 0 }, "variant_order_index is not a known field"],
      [{ name: null }, "name must be a string"],
      [{ content: null }, "content must be an object with type and content"],
    ] as const;
    for (const [body, message] of bodies) {
      const answer = await call("PUT", "/snippet/variation", {
        key: key.secret,
        query: { variationId: second },
        body,
      });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);
  });
});

describe("DELETE /snippet/variation", () => {
  test("by the query deletes one, at 1 unit", async () => {
    const started = await startService();
    const { client, balance } = started;
    const { snippet, second } = await threeVariations(started);
    const before = await balance();

    expect(await client.deleteSnippetVariation({ variationId: second })).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 1, usageDeducted: 1 },
      metadata: { deletedVariationIds: [second], deletedCount: 1, affectedSnippets: 1 },
    });
    expect(await refusalOf(client.getSnippetVariation({ snippetId: snippet.id, variationId: second }))).toEqual(
      notFound,
    );
    expect(await refusalOf(client.deleteSnippetVariation({ variationId: second }))).toEqual(notFound);
  });

  test("by the body deletes several, of several snippets, at 1 unit each; repeated ids count once", async () => {
    const started = await startService();
    const { client, balance } = started;
    const [one, two] = [await threeVariations(started), await threeVariations(started)];
    const before = await balance();

    expect(
      await client.deleteSnippetVariation({
        variationIds: [two.third, one.second, two.first, two.third.toUpperCase(), one.second],
      }),
    ).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 3, usageDeducted: 3 },
      metadata: { deletedVariationIds: [two.third, one.second, two.first], deletedCount: 3, affectedSnippets: 2 },
    });
    expect(await balance()).toBe(before - 3);
  });

  test("order indexes are not renumbered, and the next variation becomes the snippet's content", async () => {
    const started = await startService();
    const { client, given, clock } = await startService({});
    const { snippet, first, second, third } = await threeVariations({ given });
    clock.advance(5);

    await client.deleteSnippetVariation({ variationId: first });

    const { data } = await client.getSnippet({ id: snippet.id });
    expect(data).toEqual({
      ...snippet,
      content: text("Second text"),
      updated_at: moment(clock),
      variations: [
        { id: second, name: "Second", variant_order_index: 1 },
        { id: third, name: "Third", variant_order_index: 2 },
      ],
    });
    expect((await client.getSnippets({ ids: [snippet.id] })).data[0]?.content).toEqual(text("Second text"));

    await client.putSnippet({ id: snippet.id, content: text("Changed") });
    expect((await client.getSnippetVariation({ snippetId: snippet.id, variationId: second })).data.content).toEqual(
      text("Changed"),
    );
    expect((await client.getSnippetVariation({ snippetId: snippet.id, variationId: third })).data.content).toEqual(
      text("Third text"),
    );
    expect((await started.content()).flat()).toEqual([]);
  });

  test("the first variation in folder and tag pages is the one that is left", async () => {
    const { client, given } = await startService();
    const [folder, tag] = [await given.folder(), await given.tag()];
    const snippet = await given.snippet({
      folderId: folder.id,
      tagIds: [tag.id],
      additionalVariations: [{ variationName: "Second", content: text("Second text") }],
    });
    await client.deleteSnippetVariation({ variationId: snippet.variations[0]?.id ?? "" });
    const content = text("Second text");
    expect((await client.getFolder({ folderId: folder.id })).data.snippets[0]?.content).toEqual(content);
    expect((await client.getFolders({ folderIds: [folder.id] })).data.folders[0]?.snippets[0]?.content).toEqual(
      content,
    );
    expect((await client.getTag({ tagId: tag.id })).data.snippets[0]?.content).toEqual(content);
  });

  test("a snippet must keep at least one: 400, and nothing of the call is deleted", async () => {
    const started = await startService();
    const { client, content, given, balance } = started;
    const [one, two] = [await threeVariations(started), await threeVariations(started)];
    const single = (await given.snippet()).variations[0]?.id ?? "";
    const [before, unchanged] = [await balance(), await content()];

    expect(await refusalOf(client.deleteSnippetVariation({ variationId: single }))).toEqual(lastVariation);
    expect(
      await refusalOf(client.deleteSnippetVariation({ variationIds: [one.first, one.second, one.third] })),
    ).toEqual(lastVariation);
    expect(
      await refusalOf(client.deleteSnippetVariation({ variationIds: [two.first, one.first, one.third, one.second] })),
    ).toEqual(lastVariation);
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - 3);
  });

  test("unknown ids and ids out of reach are left out of the result; none left: 404, or 403 if some exist", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const { limitedClient, given, otherTeam, balance, content } = started;
    const own = await threeVariations(started);
    const foreign = await threeVariations(stranger);
    const other = await given.snippet({
      teamId: otherTeam.id,
      additionalVariations: [{ variationName: "Second", content: text("x") }],
    });
    const unreached = other.variations[1]?.id ?? "";
    const [unchanged, before] = [await content(), await balance()];

    expect(
      await refusalOf(limitedClient.deleteSnippetVariation({ variationIds: [foreign.second, Bun.randomUUIDv7()] })),
    ).toEqual(notFound);
    expect(
      await refusalOf(limitedClient.deleteSnippetVariation({ variationIds: [foreign.second, unreached] })),
    ).toEqual(forbidden);
    expect(await refusalOf(limitedClient.deleteSnippetVariation({ variationId: unreached }))).toEqual(forbidden);
    expect(await refusalOf(limitedClient.deleteSnippetVariation({ variationId: foreign.second }))).toEqual(notFound);
    expect(await content()).toEqual(unchanged);
    expect(await balance()).toBe(before - 4);

    expect(
      await limitedClient.deleteSnippetVariation({ variationIds: [foreign.second, unreached, own.second] }),
    ).toEqual({
      success: true,
      data: { message: expect.any(String) },
      usage: { remainingRequests: before - 5, usageDeducted: 1 },
      metadata: { deletedVariationIds: [own.second], deletedCount: 1, affectedSnippets: 1 },
    });
    expect((await started.client.getSnippet({ id: other.id })).data).toEqual(other);
    expect((await stranger.client.getSnippet({ id: foreign.snippet.id })).data).toEqual(foreign.snippet);
  });

  test("takes an id in the query or ids in the body: exactly one of the two", async () => {
    const started = await startService();
    const { call, key, content } = started;
    const { second, third } = await threeVariations(started);
    const unchanged = await content();
    const ask = async (query: Record<string, string>, body?: unknown) => {
      const answer = await call("DELETE", "/snippet/variation", { key: key.secret, query, body });
      return [answer.status, answer.body.message];
    };
    expect(await ask({})).toEqual([400, "Variation ID is required"]);
    expect(await ask({ variationId: second }, { variationIds: [third] })).toEqual([
      400,
      "send either variationId in the query or variationIds in the body, not both",
    ]);
    expect(await ask({ variationId: second }, { variationIds: [second] })).toEqual([
      400,
      "send either variationId in the query or variationIds in the body, not both",
    ]);
    expect(await content()).toEqual(unchanged);
  });

  test("takes 1 to 100 variationIds", async () => {
    const { call, key, client, given, content } = await startService();
    const { variations } = await given.snippet({
      additionalVariations: Array.from({ length: 100 }, () => ({ variationName: "More", content: text("x") })),
    });
    const ids = variations.map((variation) => variation.id);
    const unchanged = await content();
    for (const [variationIds, message] of [
      [[], "variationIds must have 1 to 100 items"],
      [[...ids.slice(1), Bun.randomUUIDv7()], "variationIds must have 1 to 100 items"],
      [ids[0], "variationIds must be an array"],
      [undefined, "variationIds is required"],
    ] as const) {
      const answer = await call("DELETE", "/snippet/variation", { key: key.secret, body: { variationIds } });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect(await content()).toEqual(unchanged);

    const answer = await client.deleteSnippetVariation({ variationIds: ids.slice(1) });
    expect(answer.metadata).toEqual({ deletedVariationIds: ids.slice(1), deletedCount: 100, affectedSnippets: 1 });
    expect(answer.usage.usageDeducted).toBe(100);
  });
});
