// The sentences about the history of a variation (decisions, Records).
import { describe, expect, test } from "bun:test";
import { moment, newId } from "../support/expect.ts";
import { type Started, startService, text } from "../support/service.ts";

/** A snippet with the variations Default, Second and Third, and their ids. */
async function threeVariations({ given }: Pick<Started, "given">) {
  const snippet = await given.snippetWithVariations();
  const [first = "", second = "", third = ""] = snippet.variations.map((variation) => variation.id);
  return { snippet, first, second, third };
}

describe("GET /snippet/variation/history", () => {
  test("a variation that never changed has its first version as the one record", async () => {
    const started = await startService();
    const { second } = await threeVariations(started);
    const before = await started.balance();
    expect(await started.client.getSnippetVariationHistory({ variationId: second })).toEqual({
      success: true,
      data: [{ id: newId, changed_at: moment(started.clock), content: text("Second text") }],
      usage: { remainingRequests: before - 1, usageDeducted: 1 },
      metadata: { hasMore: false, totalRecords: 1 },
    });
  });

  test("each version is a record, newest first; a rename or the same content writes none", async () => {
    const { client, given, clock, balance } = await startService({});
    const snippet = await given.snippet({ content: text("one") });
    const variationId = snippet.variations[0]?.id ?? "";
    const times = [moment(clock)];
    const step = async (change: () => Promise<unknown>) => {
      clock.advance(10);
      times.push(moment(clock));
      await change();
    };
    await step(() => client.putSnippetVariation({ variationId, content: text("two") }));
    await step(() => client.putSnippetVariation({ variationId, name: "Renamed" }));
    await step(() => client.putSnippetVariation({ variationId, content: text("two"), name: "Again" }));
    await step(() => client.putSnippet({ id: snippet.id, content: text("two") }));
    await step(() => client.putSnippet({ id: snippet.id, title: "New title" }));
    await step(() => client.putSnippet({ id: snippet.id, content: text("two", "code") }));
    await step(() => client.putSnippetVariation({ variationId, content: text("one") }));
    const before = await balance();

    const answer = await client.getSnippetVariationHistory({ variationId });

    expect(answer).toEqual({
      success: true,
      data: [
        { id: newId, changed_at: times[7] ?? "", content: text("one") },
        { id: newId, changed_at: times[6] ?? "", content: text("two", "code") },
        { id: newId, changed_at: times[1] ?? "", content: text("two") },
        { id: newId, changed_at: times[0] ?? "", content: text("one") },
      ],
      usage: { remainingRequests: before - 4, usageDeducted: 4 },
      metadata: { hasMore: false, totalRecords: 4 },
    });
    expect(new Set(answer.data.map((record) => record.id)).size).toBe(4);
  });

  test("versions of the same moment come newest first: the first record is the current content", async () => {
    const { client, given } = await startService();
    const snippet = await given.snippet({ content: text("0") });
    const variationId = snippet.variations[0]?.id ?? "";
    for (let version = 1; version <= 12; version += 1)
      await client.putSnippetVariation({ variationId, content: text(`${version}`) });

    const { data } = await client.getSnippetVariationHistory({ variationId });

    expect(new Set(data.map((record) => record.changed_at)).size).toBe(1);
    expect(data.map((record) => record.content.content)).toEqual(
      Array.from({ length: 13 }, (_, index) => `${12 - index}`),
    );
  });

  test("limit takes the newest, default 50; hasMore and totalRecords tell of the rest; 1 unit per record", async () => {
    const { client, given, balance } = await startService();
    const snippet = await given.snippet({ content: text("0") });
    const variationId = snippet.variations[0]?.id ?? "";
    for (let version = 1; version <= 50; version += 1)
      await client.putSnippetVariation({ variationId, content: text(`${version}`) });
    const before = await balance();

    const byDefault = await client.getSnippetVariationHistory({ variationId });
    expect(byDefault.data).toHaveLength(50);
    expect(byDefault.metadata).toEqual({ hasMore: true, totalRecords: 51 });
    expect(byDefault.usage).toEqual({ remainingRequests: before - 50, usageDeducted: 50 });

    const two = await client.getSnippetVariationHistory({ variationId, limit: 2 });
    expect(two.data).toEqual(byDefault.data.slice(0, 2));
    expect(two.metadata).toEqual({ hasMore: true, totalRecords: 51 });
    expect(two.usage).toEqual({ remainingRequests: before - 52, usageDeducted: 2 });

    for (const limit of [51, 100]) {
      const all = await client.getSnippetVariationHistory({ variationId, limit });
      expect(all.data).toHaveLength(51);
      expect(all.metadata).toEqual({ hasMore: false, totalRecords: 51 });
    }
  });

  test("fromDate and toDate are inclusive and may carry any UTC offset; totals are of the range", async () => {
    const { client, given, clock, balance } = await startService({ at: "2026-03-10T12:00:00.000Z" });
    const snippet = await given.snippet({ content: text("12:00:00") });
    const variationId = snippet.variations[0]?.id ?? "";
    for (const content of ["12:00:10", "12:00:20", "12:00:30"]) {
      clock.advance(10);
      await client.putSnippetVariation({ variationId, content: text(content) });
    }
    const ask = async (range: { fromDate?: string | Date; toDate?: string | Date; limit?: number }) => {
      const before = await balance();
      const answer = await client.getSnippetVariationHistory({ variationId, ...range });
      expect(answer.usage).toEqual({
        remainingRequests: before - answer.data.length,
        usageDeducted: answer.data.length,
      });
      return { seconds: answer.data.map((record) => record.content.content.slice(6)).join(" "), ...answer.metadata };
    };
    const all = { seconds: "30 20 10 00", hasMore: false, totalRecords: 4 };
    const none = { seconds: "", hasMore: false, totalRecords: 0 };

    expect(await ask({ fromDate: "2026-03-10T12:00:10.000Z" })).toEqual({
      seconds: "30 20 10",
      hasMore: false,
      totalRecords: 3,
    });
    expect(await ask({ fromDate: "2026-03-10T12:00:10.001Z" })).toMatchObject({ seconds: "30 20", totalRecords: 2 });
    expect(await ask({ fromDate: "2026-03-10T12:00:10.0001Z" })).toMatchObject({ seconds: "30 20", totalRecords: 2 });
    expect(await ask({ toDate: "2026-03-10T12:00:10Z" })).toMatchObject({ seconds: "10 00", totalRecords: 2 });
    expect(await ask({ toDate: "2026-03-10T12:00:10.0009Z" })).toMatchObject({ seconds: "10 00", totalRecords: 2 });
    expect(await ask({ toDate: "2026-03-10T12:00:09.999Z" })).toMatchObject({ seconds: "00", totalRecords: 1 });
    expect(await ask({ fromDate: new Date("2026-03-10T12:00:10Z"), toDate: "2026-03-10T12:00:20Z" })).toMatchObject({
      seconds: "20 10",
      totalRecords: 2,
    });
    expect(await ask({ fromDate: "2026-03-10T14:00:10+02:00", toDate: "2026-03-10T06:30:20-05:30" })).toMatchObject({
      seconds: "20 10",
      totalRecords: 2,
    });
    expect(await ask({ fromDate: "2026-03-10T12:00:10Z", limit: 2 })).toEqual({
      seconds: "30 20",
      hasMore: true,
      totalRecords: 3,
    });
    expect(await ask({ fromDate: "2026-03-10T12:00:20Z", toDate: "2026-03-10T12:00:10Z" })).toEqual(none);
    expect(await ask({ toDate: "0000-01-01T00:00:00+23:59" })).toEqual(none);
    expect(await ask({ fromDate: "0000-01-01T00:00:00+23:59" })).toEqual(all);
    expect(await ask({ toDate: "9999-12-31T23:59:59-23:59" })).toEqual(all);
    expect(await ask({ fromDate: "9999-12-31T23:59:59-23:59" })).toEqual(none);
  });

  test("reads a fraction of any number of digits", async () => {
    const { client, given } = await startService({ at: "2026-03-10T12:00:00.500Z" });
    const variationId = (await given.snippet()).variations[0]?.id ?? "";
    const count = async (range: { fromDate?: string; toDate?: string }) =>
      (await client.getSnippetVariationHistory({ variationId, ...range })).metadata.totalRecords;
    for (const fraction of ["0", "09", "099999", "099999999", "0999999999", "09999999999999999999", "4999999999"])
      expect([
        fraction,
        await count({ fromDate: `2026-03-10T12:00:00.${fraction}Z` }),
        await count({ toDate: `2026-03-10T12:00:00.${fraction}Z` }),
      ]).toEqual([fraction, 1, 0]);
    for (const fraction of ["5", "500", "500000", "5000000000", "50000000000000000000"])
      expect([
        fraction,
        await count({ fromDate: `2026-03-10T12:00:00.${fraction}Z` }),
        await count({ toDate: `2026-03-10T12:00:00.${fraction}Z` }),
      ]).toEqual([fraction, 1, 1]);
    for (const fraction of ["5001", "5000000001", "51", "999999999999"])
      expect([
        fraction,
        await count({ fromDate: `2026-03-10T12:00:00.${fraction}Z` }),
        await count({ toDate: `2026-03-10T12:00:00.${fraction}Z` }),
      ]).toEqual([fraction, 0, 1]);
  });
});
