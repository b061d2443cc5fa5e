// Handlers of the library's reads for people.
import { type Reach, reachOf } from "../../contract/console/actions.ts";
import type { libraryOperations } from "../../contract/console/operations/library.ts";
import { findAuthors } from "../../library/authors.store.ts";
import { createdCounts, updatedCounts } from "../../library/batch.ts";
import { changeSnippets } from "../../library/change-snippets.ts";
import { findListedSnippets } from "../../library/listed-snippets.store.ts";
import { mergeTags } from "../../library/merge-tags.ts";
import { restoreSnippets } from "../../library/restore-snippets.ts";
import { getSearch } from "../../library/search/search.ts";
import * as store from "../../library/tree-for-people.store.ts";
import { findVariationOwners } from "../../library/variations.store.ts";
import { getSnippetVariation } from "../../library/variations.ts";
import type { HandlersOf } from "../handler.ts";
import { libraryCall, libraryWriteHandlers } from "../library/door.ts";
import { readHistory, readSnippet } from "../library/read.ts";
import { emptyPart, readTrash } from "../library/trash.ts";
import { rolesOf } from "../roles.ts";

/** Folders, and tags, in one response. */
const treeRowsMax = 10_000;

const teamIdsOf = (reach: Reach, teamId: string | undefined): store.TeamIds => {
  if (teamId === undefined) return reach === "all" ? undefined : [...reach];
  return reach === "all" || reach.has(teamId) ? [teamId] : [];
};

export const libraryHandlers: HandlersOf<typeof libraryOperations> = {
  getLibrarySearch: async (call, { query }) => {
    const { transaction, workspaceId } = call;
    const { data, metadata, pagination } = await getSearch(libraryCall(call), { query, body: undefined });
    const matches = new Map(data.snippets.map((snippet) => [snippet.id, snippet.matches]));
    const rows = await findListedSnippets(transaction, workspaceId, [...matches.keys()]);
    const writers = rows.map((row) => row.updated_by);
    const authorOf = await findAuthors(transaction, workspaceId, writers);
    return {
      data: rows.map((row) => ({
        ...row,
        tag_ids: [...row.tag_ids],
        updated_by: authorOf(row.updated_by),
        matches: matches.get(row.id) ?? [],
      })),
      metadata,
      nextCursor: pagination.nextCursor,
    };
  },

  getLibrarySnippet: async (call, { query }) => ({ data: await readSnippet(libraryCall(call), query.id) }),

  getLibraryHistory: (call, { query }) => readHistory(libraryCall(call), query),

  getLibrarySnippetVariation: async (call, { query }) => {
    const { variationId } = query;
    const [owner] = await findVariationOwners(call.transaction, call.workspaceId, [variationId]);
    const snippetId = owner?.snippet_id ?? variationId;
    const { data } = await getSnippetVariation(libraryCall(call), {
      query: { snippetId, variationId },
      body: undefined,
    });
    return { data };
  },

  getLibraryTree: async (call, { query }) => {
    const { transaction, workspaceId, reach } = call;
    const roles = await rolesOf(call);
    const teamIds = teamIdsOf(reach, query.teamId);
    const teams = await store.listTeamsOfTree(transaction, workspaceId, teamIds);
    const folders = await store.listFoldersOfTree(transaction, workspaceId, teamIds, treeRowsMax + 1);
    const tags = await store.listTagsOfTree(transaction, workspaceId, teamIds, treeRowsMax + 1);
    const may = (action: "library.write" | "library.manage", teamId: string): boolean => {
      const where = reachOf(roles, action);
      return where === "all" || (where?.has(teamId) ?? false);
    };
    return {
      data: {
        teams: teams.map((team) => ({
          ...team,
          own_role: roles.teams.get(team.id) ?? null,
          may_write: may("library.write", team.id),
          may_manage: may("library.manage", team.id),
        })),
        folders: folders.slice(0, treeRowsMax),
        tags: tags.slice(0, treeRowsMax),
      },
      metadata: { isTruncated: folders.length > treeRowsMax || tags.length > treeRowsMax },
    };
  },

  getLibraryTrash: (call, { query }) => readTrash(libraryCall(call), query),

  deleteLibraryTrash: async (call, { query }) => ({ data: await emptyPart(libraryCall(call), query.teamId) }),

  postLibrarySnippetsRestore: async (call, { body }) => {
    const outcome = await restoreSnippets(libraryCall(call), body.snippetIds);
    const { requestedCount, createdCount: restoredCount, failedCount } = createdCounts(outcome);
    return {
      data: { restoredSnippets: outcome.done.map(({ id }) => ({ snippetId: id })), errors: outcome.errors },
      metadata: { requestedCount, restoredCount, failedCount },
    };
  },

  putLibrarySnippets: async (call, { body }) => {
    const outcome = await changeSnippets(libraryCall(call), body);
    return {
      data: {
        updatedSnippets: outcome.done.map(({ place, undo }) => ({ snippetId: place.id, undo })),
        errors: outcome.errors,
      },
      metadata: updatedCounts(outcome),
    };
  },

  postLibraryTagMerge: async (call, { body }) => {
    const { merged, snippetCount } = await mergeTags(libraryCall(call), body.tagId, body.intoTagId);
    return { data: { tagId: merged.id, snippetCount } };
  },

  ...libraryWriteHandlers,
};
