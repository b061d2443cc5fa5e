// Handlers of the library: what people read, and what they do to many things at once.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { libraryOperations } from "../../contract/console/operations/library.ts";
import { limits } from "../../contract/limits.ts";
import { listActs } from "../../library/activity.store.ts";
import { findAuthors } from "../../library/authors.store.ts";
import { updatedCounts } from "../../library/batch.ts";
import { changeSnippets } from "../../library/change-snippets.ts";
import { addExamples, removeExamples } from "../../library/examples/examples.ts";
import { mergeTags } from "../../library/merge-tags.ts";
import { findVariationOwners } from "../../library/variations.store.ts";
import { getSnippetVariation } from "../../library/variations.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { HandlersOf } from "../handler.ts";
import { readChanges } from "../library/ask-changes.ts";
import { libraryCall, libraryCaller, libraryWriteHandlers, teamIdsOf } from "../library/door.ts";
import { libraryImportHandlers } from "../library/imports.ts";
import { readHistory, readSnippet } from "../library/read.ts";
import { librarySearch } from "../library/search.ts";
import { emptyPart, readTrash, readTrashedSnippet } from "../library/trash.ts";
import { readTree } from "../library/tree.ts";
import { pageOf, parseTimeCursor } from "../paging.ts";
import { rolesOf } from "../roles.ts";

export const libraryHandlers: HandlersOf<typeof libraryOperations> = {
  getLibrarySearch: async (call, { query }) => {
    const { actor, context } = call;
    if (!actor) throw consoleErrors.signInRequired();
    const caller = libraryCaller({ ...call, actor });
    const owner = { workspace: caller.workspaceId, key: actor.personId };
    return context.database.readLong(
      librarySearch,
      { caller, query, trashDays: context.config.trashDays },
      { milliseconds: limits.searchMilliseconds, owner, reserve: () => undefined },
    );
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

  getLibraryTree: async (call, { query }) => readTree(libraryCall(call), await rolesOf(call), query.teamId),

  getLibraryEvents: async (call, { query }) => {
    const { context, request, workspaceId, actor, authorizeAgain } = call;
    const isStream = (request.header("accept") ?? "").includes("text/event-stream");
    const authorize = async (transaction: Transaction) => libraryCaller(await authorizeAgain(transaction));
    if (!isStream || !actor)
      return context.database.read(async (transaction) => ({
        data: await readChanges(transaction, await authorize(transaction), context.feedCursors, query.since),
      }));
    return { stream: await context.live.open({ workspaceId, personId: actor.personId, authorize }) };
  },

  getLibraryActivity: async (call, { query }) => {
    const { transaction, workspaceId } = call;
    const rows = await listActs(transaction, workspaceId, {
      teamIds: await teamIdsOf(libraryCall(call), query.teamId),
      snippetId: query.snippetId,
      authorId: query.authorId,
      after: parseTimeCursor(query.cursor),
      limit: query.limit,
    });
    const { page, nextCursor } = pageOf(rows, query.limit, ({ at, id }) => [at, id]);
    const writers = page.map((row) => row.author_id);
    const authorOf = await findAuthors(transaction, workspaceId, writers);
    return { data: page.map(({ author_id, ...row }) => ({ ...row, author: authorOf(author_id) })), nextCursor };
  },

  getLibraryTrash: (call, { query }) => readTrash(libraryCall(call), query),

  getLibraryTrashedSnippet: async (call, { query }) => ({
    data: await readTrashedSnippet(libraryCall(call), query.id),
  }),

  deleteLibraryTrash: async (call, { query: { teamId } }) => {
    const door = libraryCall(call);
    const data = await emptyPart(door, teamId);
    const { deletedCount } = data;
    if (deletedCount > 0) door.recordActs([{ action: "trash.empty", teamId, details: { deletedCount } }]);
    return { data };
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
    const { snippetCount } = await mergeTags(libraryCall(call), body.tagId, body.intoTagId);
    return { data: { tagId: body.tagId, snippetCount } };
  },

  postLibraryExamples: async (call, { query: { teamId } }) => ({
    data: { snippetIds: await addExamples(libraryCall(call), teamId) },
  }),

  deleteLibraryExamples: async (call, { query: { teamId } }) => ({
    data: await removeExamples(libraryCall(call), teamId),
  }),

  ...libraryWriteHandlers,
  ...libraryImportHandlers,
};
