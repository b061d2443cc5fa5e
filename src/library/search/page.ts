// A page of a search: what it asks for, the snippets on it, and where the next one begins.
import { errors } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Input } from "../../contract/operations.ts";
import { accessibleTeams, canAccess, prepareTeamCheck } from "../access.ts";
import type { Call } from "../call.ts";
import { type CursorList, cursorPage, cursorPart, readCursor } from "../cursor.ts";
import { folderStore } from "../folders.store.ts";
import { tagStore } from "../tags.store.ts";
import { Search } from "./find.ts";
import type { Judge } from "./judge.ts";
import { orders } from "./orders.ts";
import type { SearchQuery } from "./pieces.ts";
import { parseQuery } from "./query.ts";
import { listFolderIdsInside, type SearchFilter } from "./search.store.ts";

export interface SearchParameters extends PublicParameters {
  /** Archived snippets too, whatever `isArchived` says. */
  readonly includeArchived?: boolean;
}
type PublicParameters = Input<"getSearch">["query"];
type Sort = NonNullable<SearchParameters["sort"]>;

/**
 * Finds the snippets on a page, in its order.
 * @param countFitting how many of the first of these snippets fit into one response
 * @throws Refusal 400, 404 and 403 in the order of checks
 */
export async function findPage(
  call: Call,
  parameters: SearchParameters,
  countFitting: (ids: readonly string[], judge: Judge) => Promise<number>,
) {
  const { transaction, caller } = call;
  const query = parameters.query === undefined ? undefined : parseQuery(parameters.query);
  const sort = sortOf(parameters, query);
  const order = orders[sort];
  const list = listOf(parameters, query, sort);
  // The total is that of the first page, so it is the same on all of them.
  const [knownTotal, ...after] = readCursor(list, parameters.cursor, cursorPart.integer, ...order.parts) ?? [];
  const search = await Search.open(transaction, {
    workspaceId: caller.workspaceId,
    filter: await prepareFilter(call, parameters),
    query,
    fields: parameters.in,
    order,
    after: knownTotal === undefined ? undefined : after,
    count: parameters.limit + 1,
  });
  const found = await search.list();
  const total = knownTotal ?? (await search.count());
  const itemsMax = await countFitting(
    found.slice(0, parameters.limit).map(({ id }) => id),
    search.judge,
  );
  const { page, pagination } = cursorPage(list, found, { limit: parameters.limit, itemsMax }, (each) => [
    total,
    ...order.positionOf(each),
  ]);
  return {
    rows: page,
    pagination,
    metadata: total > limits.searchTotalMax ? { totalIsAtLeast: limits.searchTotalMax } : { totalCount: total },
    /** Where the query occurs in each snippet of the page, by its ID. */
    matchesOf: () => search.judge.matchesOf(page.map(({ id }) => id)),
  };
}

function sortOf({ sort }: SearchParameters, query: SearchQuery | undefined): Sort {
  if (sort === "relevance" && !query) throw errors.invalid("sort=relevance requires a query");
  return sort ?? (query ? "relevance" : "updated");
}

/** What a cursor belongs to. Two queries with the same pieces are the same. */
const listOf = (
  { limit: _, cursor: __, query: ___, ...rest }: SearchParameters,
  query: SearchQuery | undefined,
  sort: Sort,
): CursorList => ({
  name: "getSearch",
  parameters: {
    ...rest,
    sort,
    inside: rest.folderId !== undefined && rest.inside,
    query: query && JSON.stringify(query),
  },
});

/** @throws Refusal 404 and 403 for the team, 400 for a folder or tag that is not in the searched teams */
export async function prepareFilter(call: Call, query: SearchParameters): Promise<SearchFilter> {
  const { transaction, caller } = call;
  const { teamId, folderId, tagIds } = query;
  if (teamId !== undefined) {
    const refusal = (await prepareTeamCheck(call, [teamId]))(teamId);
    if (refusal) throw refusal;
  }
  const isSearched = (team: string): boolean => (teamId === undefined ? canAccess(caller, team) : team === teamId);
  const folders = await folderStore.find(transaction, caller.workspaceId, folderId === undefined ? [] : [folderId]);
  if (folderId !== undefined && !folders.some((folder) => isSearched(folder.team_id)))
    throw errors.invalid("folderId must be a folder in one of the searched teams");
  const tags = await tagStore.find(transaction, caller.workspaceId, tagIds);
  if (tags.filter((tag) => isSearched(tag.team_id)).length < tagIds.length)
    throw errors.invalid("tagIds must be tags in the searched teams");
  return {
    teamIds: teamId === undefined ? await accessibleTeams(call) : [teamId],
    folderIds: await listFolderIds(call, query),
    tagIds,
    contentType: query.contentType,
    createdBy: query.createdBy,
    isArchived: query.includeArchived ? undefined : query.isArchived,
    updatedSince: query.updatedSince && toBound(query.updatedSince),
    createdSince: query.createdSince && toBound(query.createdSince),
  };
}

async function listFolderIds({ transaction, caller }: Call, { folderId, inside }: SearchParameters) {
  if (folderId === undefined) return undefined;
  return inside ? listFolderIdsInside(transaction, caller.workspaceId, folderId) : [folderId];
}

/** The time as text, like stored times. UTC offsets can lead beyond four-digit years, where texts do not sort by time. */
const toBound = (date: Date): string =>
  new Date(
    Math.max(Date.parse("0001-01-01T00:00:00.000Z"), Math.min(date.getTime(), Date.parse("9999-12-31T23:59:59.999Z"))),
  ).toISOString();
