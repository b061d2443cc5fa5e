// GET /search: finds snippets by what is in them, and lists them.
import { errors } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Input } from "../../contract/operations.ts";
import { canAccess, commonTeam, prepareTeamCheck } from "../access.ts";
import type { Call, Handler } from "../call.ts";
import { type CursorList, cursorPage, cursorPart, readCursor } from "../cursor.ts";
import { folderStore } from "../folders.store.ts";
import { countFittingSnippets, listedTextBytesMax, readTexts } from "../read-snippets.ts";
import { findSnippets } from "../snippets.store.ts";
import { tagStore } from "../tags.store.ts";
import { fold } from "./folding.ts";
import { Matcher, type Tier } from "./matching.ts";
import { parseQuery, type SearchQuery } from "./query.ts";
import { type Candidate, findTagIds, listCandidates, listFolderIdsInside, type SearchFilter } from "./search.store.ts";

type Query = Input<"getSearch">["query"];
type Sort = NonNullable<Query["sort"]>;

interface Found extends Candidate {
  readonly tier: Tier;
}

export const getSearch: Handler<"getSearch"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const parsed = query.query === undefined ? undefined : parseQuery(query.query);
  const sort = sortOf(query, parsed);
  const list = listOf(query, parsed, sort);
  const order = orders[sort];
  const after = readCursor(list, query.cursor, ...order.parts);
  const filter = await prepareFilter(call, query);
  const matcher = parsed && new Matcher(parsed, query.in);

  const found: Found[] = [];
  for (let lastId = beforeAllIds; ; ) {
    const candidates = await listCandidates(transaction, caller.workspaceId, filter, lastId, candidatesAtOnce);
    for (const candidate of candidates) {
      const tier = matcher ? matcher.tierOf(candidate) : 4;
      if (tier) found.push({ ...candidate, tier });
    }
    const last = candidates.at(-1);
    if (!last || candidates.length < candidatesAtOnce) break;
    lastId = last.id;
  }
  const positioned = found
    .map((candidate) => ({ candidate, position: order.positionOf(candidate) }))
    .sort((left, right) => order.compare(left.position, right.position));
  const rest = after ? positioned.filter(({ position }) => order.compare(position, after) > 0) : positioned;
  const rows = rest.slice(0, query.limit + 1);

  const ids = rows.slice(0, query.limit).map(({ candidate }) => candidate.id);
  const listed = await findSnippets(transaction, caller.workspaceId, ids, listedTextBytesMax(ids.length));
  const byId = new Map(listed.map((snippet) => [snippet.id, snippet]));
  const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
  const itemsMax = await countFittingSnippets(call, inOrder);
  const { page, pagination } = cursorPage(list, rows, { limit: query.limit, itemsMax }, ({ position }) => position);
  const snippets = await readTexts(call, inOrder.slice(0, page.length));
  const tagIds = await findTagIds(transaction, caller.workspaceId, ids);
  const textsById = new Map(page.map(({ candidate }) => [candidate.id, candidate]));
  return {
    data: {
      snippets: snippets.map((snippet) => {
        const texts = textsById.get(snippet.id);
        return {
          ...snippet,
          tag_ids: tagIds.get(snippet.id) ?? [],
          matches: matcher && texts ? matcher.matchesOf(texts) : [],
        };
      }),
    },
    metadata:
      found.length > limits.searchTotalMax ? { totalIsAtLeast: limits.searchTotalMax } : { totalCount: found.length },
    pagination,
    items: snippets.length,
    teamId: commonTeam(snippets),
  };
};

const candidatesAtOnce = 200;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

function sortOf({ sort }: Query, query: SearchQuery | undefined): Sort {
  if (sort === "relevance" && !query) throw errors.invalid("sort can be relevance only with a query");
  return sort ?? (query ? "relevance" : "updated");
}

/** What a cursor belongs to. Two queries with the same pieces are the same. */
const listOf = (
  { limit: _, cursor: __, query: ___, ...rest }: Query,
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

/** @throws Refusal 404 and 403 for the team, 400 for a folder or tag that is not in the teams searched */
async function prepareFilter(call: Call, query: Query): Promise<SearchFilter> {
  const { transaction, caller } = call;
  const { teamId, folderId, tagIds } = query;
  if (teamId !== undefined) {
    const refusal = (await prepareTeamCheck(call, [teamId]))(teamId);
    if (refusal) throw refusal;
  }
  const isSearched = (team: string): boolean => (teamId === undefined ? canAccess(caller, team) : team === teamId);
  const folders = await folderStore.find(transaction, caller.workspaceId, folderId === undefined ? [] : [folderId]);
  if (folderId !== undefined && !folders.some((folder) => isSearched(folder.team_id)))
    throw errors.invalid("folderId must be a folder of the teams searched");
  const tags = await tagStore.find(transaction, caller.workspaceId, tagIds);
  if (tags.filter((tag) => isSearched(tag.team_id)).length < tagIds.length)
    throw errors.invalid("tagIds must be tags of the teams searched");
  const ownTeams = caller.isAllTeams ? undefined : [...caller.teamIds];
  return {
    teamIds: teamId === undefined ? ownTeams : [teamId],
    folderIds: await listFolderIds(call, query),
    tagIds,
    contentType: query.contentType,
    createdBy: query.createdBy,
    isArchived: query.isArchived,
    updatedSince: query.updatedSince && toBound(query.updatedSince),
    createdSince: query.createdSince && toBound(query.createdSince),
  };
}

async function listFolderIds({ transaction, caller }: Call, { folderId, inside }: Query) {
  if (folderId === undefined) return undefined;
  return inside ? listFolderIdsInside(transaction, caller.workspaceId, folderId) : [folderId];
}

/** The time as text, like stored times. UTC offsets can lead beyond four-digit years, where texts do not sort by time. */
const toBound = (date: Date): string =>
  new Date(
    Math.max(Date.parse("0001-01-01T00:00:00.000Z"), Math.min(date.getTime(), Date.parse("9999-12-31T23:59:59.999Z"))),
  ).toISOString();

type Position = readonly (string | number)[];

const newestFirst = ([leftTime = "", leftId = ""]: Position, [rightTime = "", rightId = ""]: Position): number =>
  compareTexts(String(rightTime), String(leftTime)) || compareTexts(String(rightId), String(leftId));

const orders = {
  relevance: {
    parts: [cursorPart.integer, cursorPart.moment, cursorPart.id],
    positionOf: ({ tier, updated_at, id }: Found): Position => [tier, updated_at, id],
    compare: ([leftTier, ...left]: Position, [rightTier, ...right]: Position): number =>
      Number(leftTier) - Number(rightTier) || newestFirst(left, right),
  },
  updated: {
    parts: [cursorPart.moment, cursorPart.id],
    positionOf: ({ updated_at, id }: Found): Position => [updated_at, id],
    compare: newestFirst,
  },
  created: {
    parts: [cursorPart.moment, cursorPart.id],
    positionOf: ({ created_at, id }: Found): Position => [created_at, id],
    compare: newestFirst,
  },
  title: {
    parts: [cursorPart.text, cursorPart.id],
    positionOf: ({ title, id }: Found): Position => [fold(title).folded, id],
    compare: ([leftTitle = "", leftId = ""]: Position, [rightTitle = "", rightId = ""]: Position): number =>
      compareTexts(String(leftTitle), String(rightTitle)) || compareTexts(String(leftId), String(rightId)),
  },
};

/** By code point, as both engines compare UTF-8. UTF-16 sorts some characters differently. */
function compareTexts(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}
