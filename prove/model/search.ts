// The reference model: search. What matches, and in which order, says the test oracle, which has no index.
import * as oracle from "../../test/support/search-oracle.ts";
import { type Call, contentOf, listed, type Result } from "./call.ts";
import { invalid } from "./input.ts";
import type { Fields, Noun, Open, Row } from "./state.ts";

export function search(call: Call, query: Fields): Result {
  const { query: words, teamId, folderId, inside, tagIds, contentType, createdBy, isArchived, in: fields } = query;
  const pieces = oracle.piecesOf(words ?? "");
  if (words !== undefined && pieces.length === 0) throw invalid("query must contain at least one search term");
  if (query.sort === "relevance" && words === undefined) throw invalid("sort=relevance requires a query");
  const { sort = words === undefined ? "updated" : "relevance", updatedSince, createdSince } = query;
  const isInside = inside && folderId !== undefined;
  const filters = [contentType, createdBy, isArchived, updatedSince, createdSince];
  const start = call.start(words, teamId, folderId, isInside, tagIds.toSorted(), filters, sort, fields.toSorted());
  if (teamId !== undefined) call.team(teamId);
  const isSearched = (team: string) => (teamId === undefined ? call.reaches(team) : team === teamId);
  const isNamed = (noun: Noun, id: string) => [call.peek(noun, id)].some((found) => found && isSearched(found.team_id));
  if (folderId !== undefined && !isNamed("folder", folderId))
    throw invalid("folderId must be a folder in one of the searched teams");
  if (!tagIds.every((id: string) => isNamed("tag", id))) throw invalid("tagIds must be tags in the searched teams");
  const isIn = (id: string | null | undefined): boolean =>
    id === folderId || (isInside && id != null && isIn(call.peek("folder", id)?.parent_folder_id));
  const passes = (each: Row) =>
    isSearched(each.team_id) &&
    (folderId === undefined || isIn(each.folder_id)) &&
    tagIds.every((id: string) => each.tag_ids.includes(id)) &&
    (contentType === undefined || contentOf(each.variations[0]).type === contentType) &&
    (createdBy === undefined || each.created_by === createdBy) &&
    each.is_archived === isArchived &&
    each.updated_at >= updatedSince &&
    each.created_at >= createdSince;
  const asked: oracle.OracleQuery = {
    ...(words !== undefined && { query: words }),
    sort,
    in: fields,
    passes: () => true,
  };
  const searched = call.library.snippet.filter(passes).map((each) => forOracle(call, each));
  const found = oracle.ranksByOracle(searched, asked);
  const { rows, pagination, total } = call.page(start, found, (one, two) => oracle.compareByOracle(asked, one, two));
  const isShown = pieces.some((piece) => !piece.isExcluded);
  const snippets = rows.map(({ id }) => {
    const snippet = call.find("snippet", id);
    const matches = isShown ? matchesIn(textsOf(call, snippet), fields) : [];
    return { ...listed(snippet), tag_ids: snippet.tag_ids.toSorted(), matches };
  });
  return { data: { snippets }, metadata: { totalCount: total }, pagination, cost: 1 + rows.length };
}
const textsOf = (call: Call, one: Row): Record<string, string[]> => ({
  ...{ title: [one.title], shortcut: [one.shortcut ?? ""], note: [one.snippet_note ?? ""] },
  tags: one.tag_ids.map((id: string) => call.peek("tag", id)?.tag_name ?? ""),
  content: one.variations.map((each: Fields) => contentOf(each).content),
});
function forOracle(call: Call, snippet: Row): oracle.OracleSnippet {
  const { id, title, shortcut, snippet_note: note, tag_ids: tagIds, team_id: teamId, folder_id: folderId } = snippet;
  const { is_archived: isArchived, created_at: createdAt, updated_at: updatedAt, variations } = snippet;
  const { tags: tagNames = [], content: contents = [] } = textsOf(call, snippet);
  const texts = { title, shortcut, note, tagNames, contents, type: contentOf(variations[0]).type };
  return { id, ...texts, tagIds, teamId, folderId, isArchived, createdAt, updatedAt };
}
/** Which matches are shown is open; each is a piece of the text of a searched field. */
function matchesIn(texts: Readonly<Record<string, readonly string[]>>, fields: readonly string[]): Open {
  const isPiece = ({ field, before, match, after }: Fields) =>
    fields.includes(field) && match !== "" && texts[field]?.some((text) => text.includes(before + match + after));
  return (value) => Array.isArray(value) && value.length >= 1 && value.length <= 3 && value.every(isPiece);
}
