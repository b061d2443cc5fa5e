// The reference model: search. What matches, and in which order, says the test oracle, which has no index.
import * as oracle from "../../test/support/search-oracle.ts";
import { type Call, operation } from "./call.ts";
import { invalid } from "./input.ts";
import { contentOf, listed } from "./nouns.ts";
import type { Fields } from "./state.ts";

const filters = "teamId folderId inside:flag=false tagIds contentType:1..50 createdBy:id isArchived:flag=false";
const times = "updatedSince:date createdSince:date";
const parameters = `query:1..500 ${filters} ${times} sort in=title,shortcut,tags,note,content limit=50 cursor`;

export const search = operation(parameters, (call, query) => {
  const { query: words, folderId, tagIds = [], contentType, createdBy, isArchived } = query;
  const { sort = words === undefined ? "updated" : "relevance", updatedSince = "0", createdSince = "0" } = query;
  const inside = query.inside && folderId !== undefined;
  const pieces = oracle.piecesOf(words ?? "");
  if (words !== undefined && pieces.length === 0) throw invalid("query must contain at least one search term");
  if (words === undefined && sort === "relevance") throw invalid("sort=relevance requires a query");
  const start = call.start({ list: "search", ...query, sort, inside });
  if (folderId !== undefined && !start.has(call.peek("folder", folderId)))
    throw invalid("folderId must be a folder in one of the searched teams");
  if (!tagIds.every((id: string) => start.has(call.peek("tag", id))))
    throw invalid("tagIds must be tags in the searched teams");
  const isIn = (id: unknown): boolean =>
    id === folderId || (inside && id !== null && isIn(call.peek("folder", id)?.parent_folder_id ?? null));
  const passes = (each: Fields) =>
    start.has(each) &&
    (folderId === undefined || isIn(each.folder_id)) &&
    tagIds.every((id: string) => each.tag_ids.includes(id)) &&
    [undefined, contentOf(each.variations[0]).type].includes(contentType) &&
    [undefined, each.created_by].includes(createdBy) &&
    each.is_archived === isArchived &&
    each.updated_at >= updatedSince &&
    each.created_at >= createdSince;
  const asked: oracle.OracleQuery = { query: words, sort, in: query.in, passes: () => true };
  const texts = call.library.snippet.filter(passes).map((each) => textsOf(call, each));
  const found = oracle.ranksByOracle(texts, asked);
  const { rows, pagination, total } = call.page(start, found, (one, two) => oracle.compareByOracle(asked, one, two));
  const snippets = rows.map(({ id }) => {
    const snippet = call.find("snippet", id);
    const isFound = pieces.some((piece) => !piece.isExcluded);
    const matches = isFound ? areFrom(oracle.fieldsOf(textsOf(call, snippet), query.in)) : [];
    return { ...listed(snippet), tag_ids: snippet.tag_ids.toSorted(), matches };
  });
  return { data: { snippets }, metadata: { totalCount: total }, pagination, cost: 1 + rows.length };
});
/** Without the fields that only filters need. */
function textsOf({ peek }: Call, snippet: Fields): oracle.OracleSnippet {
  const { snippet_note: note, created_at: createdAt, updated_at: updatedAt } = snippet;
  const contents = snippet.variations.map((each: Fields) => contentOf(each).content);
  const tagNames = snippet.tag_ids.map((id: string) => peek("tag", id)?.tag_name);
  return { ...snippet, note, contents, tagNames, createdAt, updatedAt } as oracle.OracleSnippet;
}
/** Which matches are shown is open; each is a piece of one of these texts. */
function areFrom(texts: readonly Fields[]) {
  const isPiece = ({ field, before, match, after }: Fields) =>
    match !== "" && texts.some((each) => each.field === field && each.text.includes(before + match + after));
  return (value: unknown) => Array.isArray(value) && value.length >= 1 && value.length <= 3 && value.every(isPiece);
}
