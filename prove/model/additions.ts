// The reference model: the operations beyond the interface, except search and import.
import { type Call, type Operations, operation } from "./call.ts";
import { importFile } from "./imports.ts";
import { invalid, missing, ofSameRequest, refuse, sameId } from "./input.ts";
import { addVariation, contentOf, detail, inside, listed, newestFirst, placeOf, touch, whole } from "./nouns.ts";
import { search } from "./search.ts";
import type { Fields, Noun } from "./state.ts";

function byShortcut(call: Call, shortcut: string, teams: readonly string[]): Fields {
  const all = call.library.snippet.filter((each) => each.shortcut === shortcut && !each.is_archived);
  all.sort(newestFirst("updated_at"));
  const found = teams.flatMap((team) => all.find(({ team_id }) => team_id === team) ?? []);
  if (found.length <= 1) return call.reachable("snippet", found[0]);
  const message = "Several teams have a snippet with this shortcut: add a teamId";
  throw refuse(409, "shortcut_ambiguous", message, { teamIds: found.map(({ team_id }) => team_id) });
}
/** How long snippets are in the trash, and cursors of the feed work. */
const month = 30 * 86_400_000;
const expired = "The changes since this cursor are no longer available: get a new cursor, then list everything again";
const inTrash = (call: Call) => call.library.trash.filter(({ deleted_at }) => call.age(deleted_at) < month);

export const additions: Operations = {
  getSearch: search,
  postImport: importFile,
  getSnippetVariations: operation("snippetId/id!", (call, { id }) => {
    const variations = call.find("snippet", id).variations.map(whole);
    return { data: { variations }, cost: variations.length };
  }),
  postSnippetVariations: operation("snippetId/id! | variations:items!", (call, { id }, { variations }) => {
    const each = (add: (item: Fields) => unknown) =>
      call.each(variations, "content! variationName!", "created", "variations", add);
    // Fails if all are malformed, even if there is no such snippet.
    each(() => undefined);
    const snippet = call.find("snippet", id);
    return each((item) => {
      if (snippet.variations.length >= 101)
        throw refuse(400, "too_many_variations", "A snippet can have at most 101 variations");
      const variation = addVariation(call, snippet, item);
      touch(call, variation, "created");
      return whole(variation);
    });
  }),
  putSnippetVariationsOrder: operation("snippetId/id! | variationIds:order!", (call, { id }, { variationIds }) => {
    const snippet = call.find("snippet", id);
    const ordered = variationIds.map((each: string) => snippet.variations.find(({ id }: Fields) => id === each));
    if (ordered.includes(undefined) || ordered.length < snippet.variations.length)
      throw invalid("variationIds must contain all variations of the snippet");
    for (const [variant_order_index, each] of ordered.entries()) Object.assign(each, { variant_order_index });
    Object.assign(snippet, { variations: ordered, updated_at: call.now });
    call.note("snippet", "changed", snippet);
    return { data: { variations: ordered.map(placeOf) } };
  }),
  getMe: operation("", ({ key, library, perMinute, reaches }) => {
    const { id, name, workspace } = key;
    const limits = { requests_per_minute: perMinute, monthly_requests: workspace.allowance };
    const shown = { id, name, scopes: null, expires_at: null };
    const teams = library.team.filter((team) => reaches(team.id));
    return { data: { key: shown, workspace: { id: workspace.id, name: workspace.name }, teams, ...limits } };
  }),
  getTeams: operation("", ({ library, reaches }) => {
    const counted = (team: Fields) => {
      const count = (noun: Noun) => library[noun].filter(({ team_id }) => team_id === team.id).length;
      return { ...team, snippet_count: count("snippet"), folder_count: count("folder"), tag_count: count("tag") };
    };
    return { data: { teams: library.team.filter(({ id }) => reaches(id)).map(counted) } };
  }),
  getTree: operation("teamId", (call, { teamId }) => {
    const { has } = call.start({ teamId });
    const counted = (row: Fields) => ({ ...row, snippet_count: inside(call, row.id).length });
    const [folders, tags] = [call.library.folder, call.library.tag].map((rows) => rows.filter(has).map(counted));
    return { data: { folders, tags }, metadata: { isTruncated: false } };
  }),
  getShortcut: operation("shortcut:1..100! teamId", (call, { shortcut, teamId }) => {
    return { data: detail(byShortcut(call, shortcut, call.teams(teamId))) };
  }),
  getText: operation("id/snippetId shortcut:1..100 teamId variation:1..100", (call, query) => {
    const { id, shortcut, teamId, variation } = query;
    if (id !== undefined && shortcut !== undefined) throw invalid("send either id or shortcut, not both");
    if (id === undefined && shortcut === undefined) throw missing("snippetId");
    const teams = call.teams(teamId);
    const snippet = id === undefined ? byShortcut(call, shortcut, teams) : call.find("snippet", id);
    const by = (field: string, value: string) => snippet.variations.find((each: Fields) => each[field] === value);
    const named = by("id", sameId(variation)) ?? by("name", variation);
    const chosen = variation === undefined ? snippet.variations[0] : named;
    call.reachable("variation", chosen);
    call.reachable("snippet", teams.includes(snippet.team_id) ? snippet : undefined);
    return { data: contentOf(chosen).content, version: chosen.versions.at(-1).id };
  }),
  getTrash: operation("teamId limit=50 cursor", (call, query) => {
    const start = call.start({ list: "trash", ...query });
    const { rows, pagination } = call.page(start, inTrash(call).filter(start.has), newestFirst("deleted_at"));
    return { data: { snippets: rows.map(listed) }, pagination, cost: 1 + rows.length };
  }),
  postSnippetsRestore: operation("| snippetIds:ids1..100!", (call, _, { snippetIds }) => {
    const items = snippetIds.map((id: string) => ({ id }));
    return call.each(items, "id!", "restored", "restoredSnippets", ({ id }) => {
      const found = inTrash(call).find((each) => each.id === id);
      const { deleted_at, deleted_by, ...snippet } = call.reachable("snippet", found);
      snippet.folder_id = call.peek("folder", snippet.folder_id)?.id ?? null;
      snippet.tag_ids = snippet.tag_ids.filter((tag: string) => call.peek("tag", tag));
      call.library.trash = call.library.trash.filter((each) => each !== found);
      call.library.snippet.push(snippet);
      call.note("snippet", "restored", snippet);
      return { snippetId: id };
    });
  }),
  getChanges: operation("cursor:feedCursor teamId limit=50", (call, { cursor: given, teamId, limit }) => {
    const parameters = { workspace: call.key.workspace.id, teamId, cursor: given };
    const { list, after, has } = call.start(parameters, `cursor must ${ofSameRequest("cursor")}`);
    const all = call.library.changes;
    const { place = all.length, at = call.now } = after ?? {};
    if (call.age(at) > month) throw refuse(400, "cursor_expired", expired);
    const left = all.slice(place).filter(has);
    const [changes, next] = [left.slice(0, limit), left[limit]];
    // Until the next page, it counts from the change that comes next.
    const cursor = call.newCursor({ list, place: next ? all.indexOf(next) : all.length, at: next?.at ?? call.now });
    return { data: { changes, cursor, hasMore: next !== undefined }, cost: 1 + changes.length };
  }),
};
