// GET /search: finds snippets by what is in them, and lists them.
import { commonTeam } from "../access.ts";
import type { Call, Handler } from "../call.ts";
import { listedTextBytesMax, readTexts } from "../read-snippets.ts";
import { fittingTexts } from "../response-size.ts";
import { findSnippets, measureTexts } from "../snippets.store.ts";
import { findPage } from "./page.ts";
import { findTagIds } from "./search.store.ts";

export const getSearch: Handler<"getSearch"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const { rows, pagination, metadata, matchesOf } = await findPage(call, query, (ids) => countFitting(call, ids));
  const ids = rows.map(({ id }) => id);
  const listed = await findSnippets(transaction, caller.workspaceId, ids, listedTextBytesMax(ids.length));
  const byId = new Map(listed.map((snippet) => [snippet.id, snippet]));
  const snippets = await readTexts(
    call,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
  const [tagIds, matches] = [await findTagIds(transaction, caller.workspaceId, ids), await matchesOf()];
  return {
    data: {
      snippets: snippets.map((snippet) => ({
        ...snippet,
        tag_ids: tagIds.get(snippet.id) ?? [],
        matches: matches.get(snippet.id) ?? [],
      })),
    },
    metadata,
    pagination,
    items: snippets.length,
    teamId: commonTeam(snippets),
  };
};

/** How many of the first of these snippets fit into one response with their texts. */
async function countFitting(call: Call, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const sizes = await measureTexts(call.transaction, call.caller.workspaceId, ids);
  return fittingTexts(ids.map((id) => sizes.get(id) ?? 0));
}
