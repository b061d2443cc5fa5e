// The reference model: search. What matches, and in which order, says the test oracle, which has no index.
import {
  compareByOracle,
  type OracleQuery,
  type OracleRank,
  type OracleSnippet,
  piecesOf,
  ranksByOracle,
} from "../../test/support/search-oracle.ts";
import type { Call, Result } from "./call.ts";
import { find, folder, tag } from "./groups.ts";
import { invalid } from "./input.ts";
import { contentOf, listed } from "./snippets.ts";
import type { Open, Snippet } from "./state.ts";

const sorts = ["relevance", "updated", "created", "title"];
const searchedFields = ["title", "shortcut", "tags", "note", "content"];
export function search(call: Call): (body: unknown) => Result {
  const { sent, library } = call;
  const query = sent.text("query", 500);
  const [teamId, folderId, isInside, tagIds] = [
    sent.id("teamId"),
    sent.id("folderId"),
    sent.flag("inside"),
    sent.ids("tagIds") ?? [],
  ];
  const [contentType, createdBy, isArchived] = [
    sent.text("contentType", 50),
    sent.id("createdBy"),
    sent.flag("isArchived"),
  ];
  const [updatedSince = "0", createdSince = "0"] = [sent.time("updatedSince"), sent.time("createdSince")];
  const [sort, fields] = [sent.word("sort", sorts), sent.words("in", searchedFields) ?? searchedFields];
  sent.integer("limit", 1, 100, 50);
  sent.cursor();
  return () => {
    if (query !== undefined && piecesOf(query).length === 0) throw invalid("query must have something to search for");
    if (sort === "relevance" && query === undefined) throw invalid("sort can be relevance only with a query");
    const order = sort ?? (query === undefined ? "updated" : "relevance");
    const parameters = [
      query,
      teamId,
      folderId,
      isInside && folderId !== undefined,
      tagIds.toSorted(),
      contentType,
      createdBy,
      isArchived,
      updatedSince,
      createdSince,
      order,
      fields.toSorted(),
    ];
    const after = call.cursor(JSON.stringify(["getSearch", parameters]))?.after as { total: number } | undefined;
    if (teamId !== undefined) call.team(teamId);
    const isSearched = (team: string | undefined) =>
      team !== undefined && (teamId === undefined ? call.reaches(team) : team === teamId);
    if (folderId !== undefined && !isSearched(find(call, folder, folderId)?.team))
      throw invalid("folderId must be a folder of the teams searched");
    if (!tagIds.every((id) => isSearched(find(call, tag, id)?.team)))
      throw invalid("tagIds must be tags of the teams searched");
    const isIn = (id: string | null): boolean =>
      id === folderId || (isInside && id !== null && isIn(find(call, folder, id)?.parent ?? null));
    const passes = (each: Snippet) =>
      isSearched(each.team) &&
      (folderId === undefined || (each.folder !== null && isIn(each.folder))) &&
      tagIds.every((id) => each.tags.includes(id)) &&
      (contentType === undefined || contentOf(each.variations[0]).type === contentType) &&
      (createdBy === undefined || each.by === createdBy) &&
      each.isArchived === isArchived &&
      each.updated >= updatedSince &&
      each.created >= createdSince;
    const asked: OracleQuery = {
      ...(query !== undefined && { query }),
      sort: order as NonNullable<OracleQuery["sort"]>,
      in: fields,
      passes: () => true,
    };
    const ranks = ranksByOracle(
      library.snippets.filter(passes).map((each) => forOracle(call, each)),
      asked,
    );
    const total = after?.total ?? ranks.length;
    const isAfter = (rank: OracleRank, last: unknown) =>
      compareByOracle(asked, (last as { rank: OracleRank }).rank, rank) < 0;
    const { page, pagination } = call.page("getSearch", parameters, ranks, isAfter, (rank) => ({ total, rank }));
    const snippets = page.map(({ id }) => {
      const snippet = call.snippet(id);
      return {
        ...listed(call, snippet),
        tag_ids: snippet.tags.toSorted(),
        matches: matchesIn(call, snippet, fields, query),
      };
    });
    return { data: { snippets }, metadata: { totalCount: total }, pagination, items: snippets.length };
  };
}
const textsOf = (call: Call, one: Snippet): Record<string, string[]> => ({
  ...{ title: [one.title], shortcut: [one.shortcut ?? ""], note: [one.note ?? ""] },
  ...{
    tags: one.tags.map((id) => find(call, tag, id)?.name ?? ""),
    content: one.variations.map((each) => contentOf(each).content),
  },
});
function forOracle(call: Call, one: Snippet): OracleSnippet {
  const { tags = [], content = [] } = textsOf(call, one);
  const places = {
    teamId: one.team,
    folderId: one.folder,
    type: contentOf(one.variations[0]).type,
    isArchived: one.isArchived,
  };
  const { id, title, shortcut, note, created: createdAt, updated: updatedAt } = one;
  return {
    id,
    title,
    shortcut,
    note,
    contents: content,
    tagNames: tags,
    tagIds: one.tags,
    ...places,
    createdAt,
    updatedAt,
  };
}
/** Which matches are shown is open; each is a piece of the text of a searched field. */
function matchesIn(call: Call, snippet: Snippet, fields: readonly string[], query: string | undefined): Open | [] {
  const texts = textsOf(call, snippet);
  const isShown = (match: { field: string; before: string; match: string; after: string }) =>
    fields.includes(match.field) &&
    match.match !== "" &&
    texts[match.field]?.some((text) => text.includes(match.before + match.match + match.after));
  const isWanted = query !== undefined && piecesOf(query).some((piece) => !piece.isExcluded);
  return isWanted
    ? (value) => Array.isArray(value) && value.length >= 1 && value.length <= 3 && value.every(isShown)
    : [];
}
