// The reference model: what a key can access, shortcuts, texts, and the trash.
import type { Call, Operation } from "./call.ts";
import { find, folder, groupRecord, inside, type Kind, tag } from "./groups.ts";
import { idIsRequired, invalid, Refused, sameId } from "./input.ts";
import { contentOf, detail, listed } from "./snippets.ts";
import type { Snippet, Trashed } from "./state.ts";

const day = 86_400_000;
const trashDays = 30;
const toIso = (now: number): string => new Date(now).toISOString();
const oldestFirst = (one: { id: string }, two: { id: string }): number => (one.id < two.id ? -1 : 1);

export const listOperations: Readonly<Record<string, Operation>> = {
  getMe: (call) => () => {
    const { id, name, workspace } = call.key;
    const teams = workspace.teams.filter((each) => call.reaches(each.id));
    const key = { id, name, scopes: null, expires_at: null };
    const limits = { requests_per_minute: call.perMinute, monthly_requests: workspace.allowance };
    return { data: { key, workspace: { id: workspace.id, name: workspace.name }, teams, ...limits } };
  },
  getTeams: (call) => () => {
    const { snippets, folders, tags } = call.library;
    const count = (all: readonly { team: string }[], team: string) => all.filter((each) => each.team === team).length;
    const teams = call.key.workspace.teams
      .filter(({ id }) => call.reaches(id))
      .map(({ id, name }) => ({
        id,
        name,
        snippet_count: count(snippets, id),
        folder_count: count(folders, id),
        tag_count: count(tags, id),
      }));
    return { data: { teams } };
  },
  getTree: (call) => {
    const teamId = call.sent.id("teamId");
    return () => {
      const teams = call.teams(teamId);
      const counted = (kind: Kind) =>
        kind
          .all(call)
          .filter(({ team }) => teams.includes(team))
          .sort(oldestFirst)
          .map((each) => ({ ...groupRecord(call, kind, each), snippet_count: inside(call, kind, each.id).length }));
      return { data: { folders: counted(folder), tags: counted(tag) }, metadata: { isTruncated: false } };
    };
  },
  getShortcut: (call) => {
    const shortcut = call.sent.text("shortcut", 100);
    if (shortcut === undefined) throw invalid("shortcut is required");
    const teamId = call.sent.id("teamId");
    return () => ({ data: detail(call, byShortcut(call, shortcut, call.teams(teamId))) });
  },
  getText: (call) => {
    const [id, shortcut] = [call.sent.id("id", "snippetId"), call.sent.text("shortcut", 100)];
    const [teamId, wanted] = [call.sent.id("teamId"), call.sent.text("variation", 100)];
    return () => {
      if (id !== undefined && shortcut !== undefined) throw invalid("send either id or shortcut, not both");
      if (id === undefined && shortcut === undefined) throw idIsRequired("Snippet");
      const teams = call.teams(teamId);
      const snippet = id === undefined ? byShortcut(call, shortcut ?? "", teams) : call.snippet(id);
      const { variations } = snippet;
      const chosen =
        wanted === undefined
          ? variations[0]
          : (variations.find((each) => each.id === sameId(wanted)) ?? variations.find(({ name }) => name === wanted));
      if (!chosen) throw new Refused(404, "variation_not_found", "Variation not found");
      if (teamId !== undefined && snippet.team !== teamId) call.required("Snippet", undefined);
      return { data: contentOf(chosen).content, version: chosen.versions.at(-1)?.id ?? "" };
    };
  },
  getTrash: (call) => {
    const teamId = call.sent.id("teamId");
    call.sent.integer("limit", 1, 100, 50);
    call.sent.cursor();
    return () => {
      call.cursor(JSON.stringify(["getTrash", teamId]));
      const teams = call.teams(teamId);
      const placeIn = ({ at, snippet }: Trashed) => `${at} ${snippet.id}`;
      const rows = trashOf(call)
        .filter(({ snippet }) => teams.includes(snippet.team))
        .sort((one, two) => (placeIn(one) < placeIn(two) ? 1 : -1));
      const { page, pagination } = call.page(
        "getTrash",
        teamId,
        rows,
        (row, after) => placeIn(row) < String(after),
        placeIn,
      );
      const snippets = page.map(({ snippet, at, by }) => ({
        ...listed(call, snippet),
        deleted_at: at,
        deleted_by: by,
      }));
      return { data: { snippets }, pagination, items: snippets.length };
    };
  },
  postSnippetsRestore: (call) => (body) => {
    const items = (body as { snippetIds: string[] }).snippetIds.map((id, index) => ({
      index,
      sentId: id,
      value: { id },
    }));
    const restored = call.each(items, ({ id }) => restore(call, String(id)), "restoredCount");
    const { done: restoredSnippets, errors, metadata } = restored;
    return { data: { restoredSnippets, errors }, metadata, items: restored.items };
  },
};

function byShortcut(call: Call, shortcut: string, teams: readonly string[]): Snippet {
  const found = teams.flatMap((team) => {
    const own = call.library.snippets.filter(
      (each) => each.team === team && each.shortcut === shortcut && !each.isArchived,
    );
    return own
      .sort((one, two) => (one.updated === two.updated ? oldestFirst(two, one) : one.updated < two.updated ? 1 : -1))
      .slice(0, 1);
  });
  if (found.length > 1)
    throw new Refused(409, "shortcut_ambiguous", "Several teams have a snippet with this shortcut: add a teamId", {
      teamIds: found.map(({ team }) => team),
    });
  return call.required("Snippet", found[0]);
}

const trashOf = ({ library, now }: Call): Trashed[] =>
  library.trash.filter(({ at }) => at > toIso(Date.parse(now) - trashDays * day));
function restore(call: Call, id: string) {
  const trashed = trashOf(call).find(({ snippet }) => snippet.id === id);
  const snippet = call.required("Snippet", trashed?.snippet);
  call.library.trash = call.library.trash.filter((each) => each !== trashed);
  snippet.folder = find(call, folder, snippet.folder)?.id ?? null;
  snippet.tags = snippet.tags.filter((each) => find(call, tag, each));
  call.library.snippets.push(snippet);
  return { snippetId: id };
}
