// The reference model: what each operation does and returns. Those of folders and tags are in groups.ts.
import { type Call, contentOf, listed, named, newestFirst, type Operations, updatedFields } from "./call.ts";
import { deletions, groupOperations, inside } from "./groups.ts";
import { importFile } from "./imports.ts";
import { type Item, idRequired, invalid, Refused, sameId, sinceInvalid } from "./input.ts";
import { search } from "./search.ts";
import type { Fields, Group, Noun, Row } from "./state.ts";

const placeOf = ({ id, name, variant_order_index }: Fields) => ({ id, name, variant_order_index });
const detail = (snippet: Row) => {
  const { created_by, tag_ids, variations } = snippet;
  return { ...listed(snippet), created_by, tag_ids: tag_ids.toSorted(), variations: variations.map(placeOf) };
};
const whole = ({ versions, ...shown }: Fields) => ({ ...shown, content: versions.at(-1).content });
/** How long snippets are in the trash, and cursors of the feed work. */
const month = 30 * 86_400_000;

function addVariation(call: Call, { id, variations }: Row, { variationName = "Default", content }: Fields): Fields {
  const last = Math.max(-1, ...variations.map((each: Fields) => each.variant_order_index));
  const versions = [{ id: call.newId(), changed_at: call.now, content }];
  variations.push({ ...call.newRow(), snippet_id: id, variant_order_index: last + 1, name: variationName, versions });
  return variations.at(-1);
}
function requireReferences(call: Call, team: string, { folderId, tagIds }: Fields): void {
  const isOfTeam = (noun: Noun, id: string) => call.peek(noun, id)?.team_id === team;
  if (folderId && !isOfTeam("folder", folderId)) throw invalid("folderId must be a folder of the same team");
  if (!(tagIds ?? []).every((id: string) => isOfTeam("tag", id))) throw invalid("tagIds must be tags of the same team");
}
function createSnippet(call: Call, { teamId, content, additionalVariations, tagIds, ...fields }: Fields): Row {
  call.team(teamId);
  requireReferences(call, teamId, { ...fields, tagIds });
  const usual = { snippet_note: null, shortcut: null, folder_id: null, is_archived: false, created_by: call.key.id };
  const snippet: Row = { ...call.newOwned(teamId), ...usual, ...named(fields), tag_ids: tagIds ?? [], variations: [] };
  for (const each of [{ content }, ...(additionalVariations ?? [])]) addVariation(call, snippet, each);
  call.library.snippet.push(snippet);
  call.note("snippet", "created", snippet);
  return snippet;
}
function noteVariation(call: Call, action: string, { id, team_id }: Row, variation: Fields): void {
  call.note("variation", action, { id: variation.id, team_id }, id);
}
function setContent(call: Call, variation: Fields, content: unknown): void {
  if (content && !Bun.deepEquals(content, contentOf(variation)))
    variation.versions.push({ id: call.newId(), changed_at: call.now, content });
  variation.updated_at = call.now;
}
function byShortcut(call: Call, shortcut: string, teams: readonly string[]): Row {
  const all = call.library.snippet.filter((each) => each.shortcut === shortcut && !each.is_archived);
  all.sort(newestFirst("updated_at"));
  const found = teams.flatMap((team) => all.find(({ team_id }) => team_id === team) ?? []);
  if (found.length <= 1) return call.reachable("snippet", found[0]);
  const message = "Several teams have a snippet with this shortcut: add a teamId";
  throw new Refused(409, "shortcut_ambiguous", message, { teamIds: found.map(({ team_id }) => team_id) });
}
const inTrash = ({ library, now }: Call): Row[] =>
  library.trash.filter(({ deleted_at }) => Date.parse(deleted_at) > Date.parse(now) - month);

export const operations: Operations = {
  ...deletions("snippet"),
  ...groupOperations,
  getSearch: search,
  getSnippets: (call, { ids }) => call.rows("snippet", ids, (snippets) => snippets.map(listed)),
  getSnippet: (call, { id }) => ({ data: detail(call.find("snippet", id)) }),
  postSnippet: (call, _, body) => {
    const { id, variations, tag_ids } = createSnippet(call, body);
    return { data: { snippetId: id }, metadata: { totalVariations: variations.length, tagsAttached: tag_ids.length } };
  },
  postSnippets: (call, _, { snippets }) => {
    const create = (item: Fields) => ({ snippetId: createSnippet(call, item).id });
    const { data, ...result } = call.each(snippets, "createdCount", "createdSnippets", create);
    return { data: { message: `${result.cost} of ${snippets.length} snippets created`, ...data }, ...result };
  },
  putSnippet: (call, { id }, body) => {
    const snippet = call.find("snippet", id);
    requireReferences(call, snippet.team_id, body);
    const { content, ...changes } = body;
    if (content) setContent(call, snippet.variations[0], content);
    Object.assign(snippet, named(changes), { updated_at: call.now });
    call.note("snippet", Object.keys(body).join() === "folderId" ? "moved" : "changed", snippet);
    return { data: { snippetId: id }, metadata: { ...updatedFields(body), tagsAttached: snippet.tag_ids.length } };
  },
  getSnippetVariation: (call, { id, variationId }) => {
    const found = call.variation(variationId);
    return { data: whole(call.reachable("variation", found?.snippet.id === id ? found : undefined).variation) };
  },
  putSnippetVariation: (call, { variationId }, body) => {
    const { snippet, variation } = call.reachable("variation", call.variation(variationId));
    variation.name = body.variationName ?? body.name ?? variation.name;
    setContent(call, variation, body.content);
    noteVariation(call, "changed", snippet, variation);
    snippet.updated_at = call.now;
    return { data: { variationId }, metadata: updatedFields(body) };
  },
  deleteSnippetVariation: (call, { variationId }, { variationIds }) => {
    if (variationId === undefined && variationIds === undefined) throw idRequired("Variation");
    if (variationId !== undefined && variationIds !== undefined)
      throw invalid("send either variationId in the query or variationIds in the body, not both");
    const found: Row[] = (variationIds ?? [variationId]).flatMap((id: string) => call.variation(id) ?? []);
    const rows = found.filter(({ team_id }) => call.reaches(team_id));
    if (rows.length === 0) call.reachable("variation", found[0]);
    const ids = rows.map(({ variation }) => variation.id);
    const affected = new Set(rows.map(({ snippet }) => snippet));
    for (const snippet of affected) {
      snippet.variations = snippet.variations.filter(({ id }: Fields) => !ids.includes(id));
      snippet.updated_at = call.now;
      if (snippet.variations.length === 0)
        throw new Refused(400, "last_variation", "A snippet must keep at least one variation");
    }
    for (const { snippet, variation } of rows) noteVariation(call, "deleted", snippet as Row, variation);
    const message = ids.length === 1 ? "Variation deleted" : `${ids.length} variations deleted`;
    const metadata = { deletedVariationIds: ids, deletedCount: ids.length, affectedSnippets: affected.size };
    return { data: { message }, metadata, cost: ids.length };
  },
  getSnippetVariationHistory: (call, { variationId, limit, fromDate, toDate }) => {
    const { versions } = call.reachable("variation", call.variation(variationId)).variation;
    const isAsked = ({ changed_at }: Fields) => changed_at >= fromDate && changed_at <= toDate;
    const all = versions.filter(isAsked).reverse();
    const data = all.slice(0, limit);
    return { data, metadata: { hasMore: data.length < all.length, totalRecords: all.length }, cost: data.length };
  },
  getSnippetVariations: (call, { id }) => {
    const variations = call.find("snippet", id).variations.map(whole);
    return { data: { variations }, cost: variations.length };
  },
  postSnippetVariations: (call, { id }, { variations }) => {
    if (variations.every((item: Item) => item.refused)) throw variations[0].refused;
    const snippet = call.find("snippet", id);
    snippet.updated_at = call.now;
    return call.each(variations, "createdCount", "variations", (item) => {
      if (snippet.variations.length >= 101)
        throw new Refused(400, "too_many_variations", "A snippet can have at most 101 variations");
      const variation = addVariation(call, snippet, item);
      noteVariation(call, "created", snippet, variation);
      return whole(variation);
    });
  },
  putSnippetVariationsOrder: (call, { id }, { variationIds }) => {
    const snippet = call.find("snippet", id);
    const isSame = Bun.deepEquals(snippet.variations.map((each: Fields) => each.id).sort(), variationIds.toSorted());
    if (!isSame) throw invalid("variationIds must contain all variations of the snippet");
    for (const each of snippet.variations) each.variant_order_index = variationIds.indexOf(each.id);
    snippet.variations.sort((one: Fields, two: Fields) => one.variant_order_index - two.variant_order_index);
    snippet.updated_at = call.now;
    call.note("snippet", "changed", snippet);
    return { data: { variations: snippet.variations.map(placeOf) } };
  },
  getMe: (call) => {
    const { id, name, workspace } = call.key;
    const teams = workspace.teams.filter((team) => call.reaches(team.id));
    const limits = { requests_per_minute: workspace.perMinute, monthly_requests: workspace.allowance };
    const key = { id, name, scopes: null, expires_at: null };
    return { data: { key, workspace: { id: workspace.id, name: workspace.name }, teams, ...limits } };
  },
  getTeams: (call) => {
    const teams = call.key.workspace.teams.filter(({ id }) => call.reaches(id));
    const count = (team: string) => (noun: Noun) => {
      return [`${noun}_count`, call.library[noun].filter(({ team_id }) => team_id === team).length];
    };
    const counts = (team: string) => Object.fromEntries((["snippet", "folder", "tag"] as const).map(count(team)));
    return { data: { teams: teams.map((team) => ({ ...team, ...counts(team.id) })) } };
  },
  getTree: (call, { teamId }) => {
    const teams = call.teams(teamId);
    const counted = (noun: Group) =>
      call.library[noun]
        .filter(({ team_id }) => teams.includes(team_id))
        .sort((one, two) => (one.id < two.id ? -1 : 1))
        .map((group) => ({ ...group, snippet_count: inside(call, noun, group.id).length }));
    return { data: { folders: counted("folder"), tags: counted("tag") }, metadata: { isTruncated: false } };
  },
  getShortcut: (call, { shortcut, teamId }) => ({ data: detail(byShortcut(call, shortcut, call.teams(teamId))) }),
  getText: (call, { id, shortcut, teamId, variation }) => {
    if (id !== undefined && shortcut !== undefined) throw invalid("send either id or shortcut, not both");
    if (id === undefined && shortcut === undefined) throw idRequired("Snippet");
    const teams = call.teams(teamId);
    const snippet = id === undefined ? byShortcut(call, shortcut, teams) : call.find("snippet", id);
    const by = (field: string, value: string) => snippet.variations.find((each: Fields) => each[field] === value);
    const called = (name: string) => by("id", sameId(name)) ?? by("name", name);
    const chosen = variation === undefined ? snippet.variations[0] : called(variation);
    if (!chosen) throw new Refused(404, "variation_not_found", "Variation not found");
    if (teamId !== undefined && snippet.team_id !== teamId) call.reachable("snippet", undefined);
    return { data: contentOf(chosen).content, version: chosen.versions.at(-1).id };
  },
  getTrash: (call, { teamId }) => {
    const start = call.start(teamId);
    const teams = call.teams(teamId);
    const all = inTrash(call).filter(({ team_id }) => teams.includes(team_id));
    const { rows, pagination } = call.page(start, all, newestFirst("deleted_at"));
    return { data: { snippets: rows.map(listed) }, pagination, cost: 1 + rows.length };
  },
  getChanges: (call, { since, teamId, limit }) => {
    const list = JSON.stringify([call.key.workspace.id, teamId]);
    const after = call.cursors.get(since);
    if (since !== undefined && after?.list !== list) throw sinceInvalid();
    const teams = call.teams(teamId);
    const { place: first = 0, at: from = call.now } = (after?.last ?? {}) as Fields;
    const expired =
      "The changes since this cursor are no longer available: get a new cursor, then list everything again";
    if (Date.parse(from) < Date.parse(call.now) - month) throw new Refused(400, "cursor_expired", expired);
    const all = call.library.changes.map((each, place) => ({ each, place }));
    const left = after ? all.slice(first).filter(({ each }) => teams.includes(each.team_id)) : [];
    const cursor = `~cursor${call.cursors.size}`;
    // Until the next page, it counts from the change that comes next.
    const { place, each: { at } = { at: call.now } } = left[limit] ?? { place: all.length };
    call.cursors.set(cursor, { list, last: { place, at }, total: 0 });
    const changes = left.slice(0, limit).map(({ each }) => each);
    return { data: { changes, cursor, hasMore: left.length > limit }, cost: 1 + changes.length };
  },
  postImport: (call, query, file) => importFile(call, query, file, operations),
  postSnippetsRestore: (call, _, { snippetIds }) => {
    const items = snippetIds.map((id: string, index: number): Item => ({ index, id, value: { id } }));
    return call.each(items, "restoredCount", "restoredSnippets", ({ id }) => {
      const trashed = inTrash(call).find((each) => each.id === id);
      const { deleted_at: _at, deleted_by: _by, ...snippet } = call.reachable("snippet", trashed);
      const folder_id = call.peek("folder", snippet.folder_id)?.id ?? null;
      const tag_ids = snippet.tag_ids.filter((tag: string) => call.peek("tag", tag));
      call.library.trash = call.library.trash.filter((each) => each !== trashed);
      call.library.snippet.push({ ...snippet, folder_id, tag_ids } as Row);
      call.note("snippet", "restored", snippet as Row);
      return { snippetId: id };
    });
  },
};
