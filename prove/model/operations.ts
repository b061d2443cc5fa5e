// The reference model: the operations of the interface. What snippets, folders, and tags share is in nouns.ts.
import { type Operations, operation } from "./call.ts";
import { invalid, missing, refuse } from "./input.ts";
import { detail, fieldsUpdated, getFolders, operationsOf, setContent, touch, whole } from "./nouns.ts";
import type { Fields } from "./state.ts";

/** There is no `PUT /snippets`. */
const { putSnippets: _, ...ofSnippets } = operationsOf("snippet");

export const operations: Operations = {
  ...ofSnippets,
  ...operationsOf("folder"),
  ...operationsOf("tag"),
  getFolders,
  getSnippet: operation("id/snippetId!", (call, { id }) => ({ data: detail(call.find("snippet", id)) })),
  getSnippetVariation: operation("snippetId! variationId!", (call, { snippetId, variationId }) => {
    const found = call.peek("variation", variationId);
    return { data: whole(call.reachable("variation", found?.snippet_id === snippetId ? found : undefined)) };
  }),
  putSnippetVariation: operation("variationId! | name variationName content", (call, { variationId }, body) => {
    const { name = body.variationName, variationName = name, content } = body;
    if (name !== variationName) throw invalid("name and variationName must be the same");
    const variation = call.find("variation", variationId);
    variation.name = name ?? variation.name;
    setContent(call, variation, content);
    touch(call, variation, "changed");
    return { data: { variationId }, metadata: { fieldsUpdated: fieldsUpdated(body) } };
  }),
  deleteSnippetVariation: operation("variationId | ?variationIds:ids1..100!", (call, query, body) => {
    const { variationId, variationIds } = { ...query, ...body };
    if (variationId === undefined && variationIds === undefined) throw missing("variationId");
    if (variationId !== undefined && variationIds !== undefined)
      throw invalid("send either variationId in the query or variationIds in the body, not both");
    const { found, rows } = call.among("variation", variationIds ?? [variationId]);
    if (rows.length === 0) call.reachable("variation", found[0]);
    const affected = new Set(rows.map((variation) => touch(call, variation, "deleted")));
    for (const snippet of affected)
      snippet.variations = snippet.variations.filter((each: Fields) => !rows.includes(each));
    if ([...affected].some(({ variations }) => variations.length === 0))
      throw refuse(400, "last_variation", "A snippet must keep at least one variation");
    const [deletedVariationIds, deletedCount] = [rows.map(({ id }) => id), rows.length];
    const message = deletedCount === 1 ? "Variation deleted" : `${deletedCount} variations deleted`;
    const metadata = { deletedVariationIds, deletedCount, affectedSnippets: affected.size };
    return { data: { message }, metadata, cost: deletedCount };
  }),
  getSnippetVariationHistory: operation("variationId! limit=50 fromDate toDate", (call, query) => {
    const { variationId, limit, fromDate = "0", toDate = "9" } = query;
    const isAsked = ({ changed_at }: Fields) => changed_at >= fromDate && changed_at <= toDate;
    const all = call.find("variation", variationId).versions.filter(isAsked).reverse();
    const data = all.slice(0, limit);
    return { data, metadata: { hasMore: data.length < all.length, totalRecords: all.length }, cost: data.length };
  }),
};
