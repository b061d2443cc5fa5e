// Who created, changed and wrote what is stored with it, and no operation of the interface shows more of it than `created_by`.
import { describe, expect, test } from "bun:test";
import { findAuthors, operatorId } from "../../src/library/authors.store.ts";
import { startService, text } from "../support/service.ts";

describe("authors", () => {
  test("each change names who made it, and each text who wrote it", async () => {
    const { client, limitedClient, given, rows, key, limitedKey, workspace } = await startService();
    const snippet = await given.snippetWithVariations();
    const [first = "", second = ""] = snippet.variations.map(({ id }) => id);
    /** Nulls stand for who created the snippet. */
    const authors = async () => ({
      snippet: await rows("select created_by, updated_by, changed_by from snippets where id = ?", snippet.id),
      variations: (
        await rows<{ changed_by: string | null }>(
          "select changed_by from variations where workspace_id = ? order by variant_order_index",
          workspace.id,
        )
      ).map(({ changed_by }) => changed_by),
      former: await rows(
        "select variation_number as place, changed_by from former_versions where workspace_id = ? order by changed_at, id",
        workspace.id,
      ),
    });
    expect(await authors()).toEqual({
      snippet: [{ created_by: key.id, updated_by: null, changed_by: null }],
      variations: [null, null],
      former: [],
    });

    await limitedClient.putSnippet({ id: snippet.id, title: "Renamed", content: snippet.content });
    expect((await authors()).snippet).toEqual([{ created_by: key.id, updated_by: limitedKey.id, changed_by: null }]);

    await limitedClient.putSnippet({ id: snippet.id, content: text("Changed") });
    await limitedClient.putSnippetVariation({ variationId: second, content: text("Changed") });
    await client.putSnippetVariation({ variationId: second, content: text("Changed again") });
    await client.putSnippetVariation({ variationId: second, name: "Renamed" });
    expect(await authors()).toEqual({
      snippet: [{ created_by: key.id, updated_by: key.id, changed_by: limitedKey.id }],
      variations: [key.id, null],
      former: [
        { place: 0, changed_by: null },
        { place: 1, changed_by: null },
        { place: 1, changed_by: limitedKey.id },
      ],
    });

    await limitedClient.deleteSnippetVariation({ variationId: first });
    expect(await authors()).toEqual({
      snippet: [{ created_by: key.id, updated_by: limitedKey.id, changed_by: key.id }],
      variations: [null],
      former: [
        { place: 1, changed_by: null },
        { place: 1, changed_by: limitedKey.id },
      ],
    });
  });
});

test("what the operator's commands write is by the operator, and what a deleted key wrote has no name", async () => {
  const { service, workspace } = await startService();
  const unknown = Bun.randomUUIDv7();
  const authorOf = await service.database.read((transaction) =>
    findAuthors(transaction, workspace.id, [operatorId, unknown]),
  );
  expect([operatorId, unknown].map((id) => authorOf(id).name)).toEqual(["Operator", null]);
});
