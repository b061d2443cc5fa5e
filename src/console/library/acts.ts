// What a shared operation did, for the library activity: derived from its input and its result.
import type { SnippetMove } from "../../contract/console/operations/library-moves.ts";
import type { SharedName } from "../../contract/console/operations/library-writes.ts";
import type { Folder } from "../../contract/folders.ts";
import type { Input, Result } from "../../contract/operations.ts";
import type { Tag } from "../../contract/tags.ts";
import { canAccess } from "../../library/access.ts";
import type { Act } from "../../library/activity.store.ts";
import type { Call } from "../../library/call.ts";
import { folderStore } from "../../library/folders.store.ts";
import type { SnippetPlace } from "../../library/snippet-places.store.ts";
import { findSnippetOwners, lockSnippets } from "../../library/snippets.store.ts";
import { tagStore } from "../../library/tags.store.ts";
import { findVariationOwners, lockSnippetsOfVariations } from "../../library/variations.store.ts";

/** Called before the rule. The returned function is called after it. */
type Observer<Name extends SharedName> = (
  call: Call,
  input: Input<Name>,
) => Promise<(result: Result<Name>) => Promise<readonly Act[]> | readonly Act[]>;

/** An act on each of these snippets. */
export async function actsOnSnippets(
  { transaction, caller }: Call,
  action: string,
  ids: readonly string[],
  details?: Act["details"],
): Promise<Act[]> {
  const owners = ids.length === 0 ? [] : await findSnippetOwners(transaction, caller.workspaceId, ids);
  return owners.map(({ id, team_id }) => ({ action, teamId: team_id, snippetId: id, ...(details && { details }) }));
}

/** What is deleted can no longer be read afterwards. It is locked, so that nobody else deletes it meanwhile. */
async function deletedSnippets(call: Call, ids: readonly string[]): Promise<() => readonly Act[]> {
  const locked = await lockSnippets(call.transaction, "delete", call.caller.workspaceId, ids);
  const acts = await actsOnSnippets(call, "snippet.delete", locked ? ids.filter((id) => locked.has(id)) : ids);
  return () => acts.filter(({ teamId }) => canAccess(call.caller, teamId));
}

const folderActs = (action: string, folders: readonly Pick<Folder, "team_id" | "folder_name">[]): Act[] =>
  folders.map(({ team_id, folder_name }) => ({ action, teamId: team_id, name: folder_name }));
const tagActs = (action: string, tags: readonly Pick<Tag, "team_id" | "tag_name">[]): Act[] =>
  tags.map(({ team_id, tag_name }) => ({ action, teamId: team_id, name: tag_name }));

async function deletedFolders({ transaction, caller }: Call, ids: readonly string[]): Promise<() => readonly Act[]> {
  folderStore.lockForDeletion(transaction, caller.workspaceId, ids);
  const rows = await folderStore.find(transaction, caller.workspaceId, ids);
  return () =>
    folderActs(
      "folder.delete",
      rows.filter((row) => canAccess(caller, row.team_id)),
    );
}

async function deletedTags({ transaction, caller }: Call, ids: readonly string[]): Promise<() => readonly Act[]> {
  tagStore.lockForDeletion(transaction, caller.workspaceId, ids);
  const rows = await tagStore.find(transaction, caller.workspaceId, ids);
  return () =>
    tagActs(
      "tag.delete",
      rows.filter((row) => canAccess(caller, row.team_id)),
    );
}

/** What an update is called: by its field where it has one that people know by a verb. */
function actionOfUpdate(body: Input<"putSnippet">["body"]): string {
  const [field, ...more] = Object.keys(body);
  if (more.length > 0) return "snippet.change";
  if (field === "folderId") return "snippet.move";
  if (field === "tagIds") return "snippet.tag";
  if (field === "isArchived") return body.isArchived ? "snippet.archive" : "snippet.unarchive";
  return "snippet.change";
}

/** The acts of one item of a bulk change: what it takes to undo it says what was changed. */
export function actsOfMove({ place, undo }: { readonly place: SnippetPlace; readonly undo: SnippetMove }): Act[] {
  const { id: _, ...changed } = undo;
  const actions = new Set(
    Object.keys(changed).map((field) => {
      if (field === "folderId") return "snippet.move";
      if (field === "isArchived") return undo.isArchived ? "snippet.unarchive" : "snippet.archive";
      return "snippet.tag";
    }),
  );
  return [...actions].map((action) => ({ action, teamId: place.team_id, snippetId: place.id }));
}

const idsOf = (references: readonly { readonly snippetId: string }[]) => references.map(({ snippetId }) => snippetId);

export const observers: { readonly [Name in SharedName]: Observer<Name> } = {
  postSnippet: async (call) => (result) => actsOnSnippets(call, "snippet.create", [result.data.snippetId]),
  postSnippets: async (call) => (result) => actsOnSnippets(call, "snippet.create", idsOf(result.data.createdSnippets)),
  putSnippet:
    async (call, { body }) =>
    (result) =>
      actsOnSnippets(call, actionOfUpdate(body), [result.data.snippetId], { fields: Object.keys(body) }),
  deleteSnippet: (call, { query }) => deletedSnippets(call, [query.id]),
  deleteSnippets: (call, { query }) => deletedSnippets(call, query.ids),

  putSnippetVariation:
    async (call, { query, body }) =>
    async () => {
      const [owner] = await findVariationOwners(call.transaction, call.caller.workspaceId, [query.variationId]);
      const action = body.content === undefined ? "variation.rename" : "variation.change";
      return actsOnSnippets(call, action, owner ? [owner.snippet_id] : []);
    },
  deleteSnippetVariation: async (call, { query, body }) => {
    const { transaction, caller } = call;
    const ids = query.variationId === undefined ? (body?.variationIds ?? []) : [query.variationId];
    if (ids.length === 0) return () => [];
    lockSnippetsOfVariations(transaction, caller.workspaceId, ids);
    const owners = await findVariationOwners(transaction, caller.workspaceId, ids);
    return ({ metadata }) => {
      const deleted = new Set(metadata.deletedVariationIds);
      const bySnippet = Map.groupBy(
        owners.filter(({ id }) => deleted.has(id)),
        (owner) => owner.snippet_id,
      );
      return [...bySnippet].map(([snippetId, variations]) => ({
        action: "variation.delete",
        teamId: variations[0]?.team_id ?? "",
        snippetId,
        details: { variations: variations.length },
      }));
    };
  },

  postSnippetVariations:
    async (call, { query }) =>
    ({ metadata }) =>
      actsOnSnippets(call, "variation.create", [query.snippetId], { variations: metadata.createdCount }),
  putSnippetVariationsOrder:
    async (call, { query }) =>
    () =>
      actsOnSnippets(call, "variation.reorder", [query.snippetId]),
  postSnippetsRestore: async (call) => (result) =>
    actsOnSnippets(call, "snippet.restore", idsOf(result.data.restoredSnippets)),

  postFolder: async () => (result) => folderActs("folder.create", [result.data.folder]),
  postFolders: async () => (result) => folderActs("folder.create", result.data.createdFolders),
  putFolder: async () => (result) => folderActs("folder.change", [result.data.folder]),
  putFolders: async () => (result) => folderActs("folder.change", result.data.updatedFolders),
  deleteFolder: (call, { query }) => deletedFolders(call, [query.folderId]),
  deleteFolders: (call, { query }) => deletedFolders(call, query.folderIds),

  postTag: async () => (result) => tagActs("tag.create", [result.data.tag]),
  postTags: async () => (result) => tagActs("tag.create", result.data.createdTags),
  putTag: async () => (result) => tagActs("tag.change", [result.data.tag]),
  putTags: async () => (result) => tagActs("tag.change", result.data.updatedTags),
  deleteTag: (call, { query }) => deletedTags(call, [query.tagId]),
  deleteTags: (call, { query }) => deletedTags(call, query.tagIds),
};
