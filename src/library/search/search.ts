// GET /search: finds snippets by what is in them, and lists them.
import { commonTeam } from "../access.ts";
import type { Handler } from "../call.ts";
import { countFittingSnippets, listedTextBytesMax, readTexts } from "../read-snippets.ts";
import { findSnippets, type ListedSnippet } from "../snippets.store.ts";
import { findPage } from "./page.ts";
import { findTagIds } from "./search.store.ts";

export const getSearch: Handler<"getSearch"> = async (call, { query }) => {
  const { transaction, caller } = call;
  let listed: readonly ListedSnippet[] = [];
  let tagIds: ReadonlyMap<string, string[]> = new Map();
  const { rows, pagination, metadata, matchesOf } = await findPage(call, query, async (ids, judge) => {
    const known = ids.flatMap((id) => judge.snippetOf(id) ?? []);
    const byId = new Map<string, ListedSnippet>(known.map(({ snippet }) => [snippet.id, snippet]));
    const untagged = new Set(known.flatMap(({ snippet, hasTags }) => (hasTags ? [] : [snippet.id])));
    const [read, tags] = await Promise.all([
      findSnippets(
        transaction,
        caller.workspaceId,
        ids.filter((id) => !byId.has(id)),
        listedTextBytesMax(ids.length),
      ),
      findTagIds(
        transaction,
        caller.workspaceId,
        ids.filter((id) => !untagged.has(id)),
      ),
    ]);
    for (const snippet of read) byId.set(snippet.id, snippet);
    tagIds = tags;
    listed = ids.flatMap((id) => byId.get(id) ?? []);
    return countFittingSnippets(listed);
  });
  const [snippets, matches] = await Promise.all([readTexts(call, listed.slice(0, rows.length)), matchesOf()]);
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
