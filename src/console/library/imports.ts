// Imports and exports of people.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { libraryImports } from "../../contract/console/operations/library-imports.ts";
import { Refusal } from "../../contract/errors.ts";
import { exportHeaders } from "../../contract/export-warnings.ts";
import { limits } from "../../contract/limits.ts";
import { canAccess } from "../../library/access.ts";
import { findAuthors } from "../../library/authors.store.ts";
import type { Call } from "../../library/call.ts";
import { exportWaitSeconds } from "../../library/export/export-files.ts";
import { makeExport } from "../../library/export/make-export.ts";
import { getExport, type TeamToExport } from "../../library/exports.ts";
import type { ImportRow } from "../../library/import/imports.store.ts";
import { listPastImports, lockPastImport, statusOf } from "../../library/import/past-imports.ts";
import { readSource } from "../../library/import/read-source.ts";
import { undoPart } from "../../library/import/undo.ts";
import { postImport } from "../../library/imports.ts";
import type { Owner } from "../../platform/fair-queue.ts";
import type { OwnTransactionCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { libraryCall, teamIdsOf } from "./door.ts";

/** In the console's list. */
const listedMax = 50;

const ownerOf = ({ workspaceId, actor }: OwnTransactionCall): Owner => {
  if (!actor) throw consoleErrors.signInRequired();
  return { workspace: workspaceId, key: actor.personId };
};

export const libraryImportHandlers: HandlersOf<typeof libraryImports> = {
  postLibraryImport: async (call, { query, body }) => {
    const { context, authorizeAgain, requestId } = call;
    const source = await readSource(context.formats, ownerOf(call), body, query);
    if (source instanceof Refusal) throw source;
    return context.database.transaction(async (transaction) => {
      const authorized = await authorizeAgain(transaction);
      const door = { ...libraryCall({ ...authorized, context, transaction, requestId }), file: source };
      const { data, metadata } = await postImport(door, { query, body });
      return { data, metadata };
    });
  },

  getLibraryImports: async (call, { query: { teamId } }) => {
    const { transaction, workspaceId } = call;
    const teamIds = (await teamIdsOf(libraryCall(call), teamId)) ?? [];
    const rows = await listPastImports(transaction, workspaceId, teamIds, listedMax);
    const authorOf = await findAuthors(
      transaction,
      workspaceId,
      rows.map(({ created_by }) => created_by),
    );
    return {
      data: rows.map((row) => ({
        ...{ id: row.id, file_name: row.source_name, format: row.format, created_at: row.created_at },
        created_by: authorOf(row.created_by),
        status: statusOf(row),
      })),
    };
  },

  postLibraryImportUndo: async (call, { query: { importId } }) => {
    const door = libraryCall(call);
    const row = await requireImport(door, importId);
    const { deleted, restored, kept, remaining } = await undoPart(door, row.workspace_id, importId);
    return { data: { deletedCount: deleted, restoredCount: restored, keptCount: kept, isMore: remaining > 0 } };
  },

  getLibraryExport: async (call, { query }) => {
    const { context, authorizeAgain, requestId } = call;
    const owner = ownerOf(call);
    call.request.keepWaiting?.(exportWaitSeconds);
    const { data } = await context.database.aside(
      async (transaction) => {
        const authorized = await authorizeAgain(transaction);
        return getExport(libraryCall({ ...authorized, context, transaction, requestId }), { query, body: undefined });
      },
      limits.searchMilliseconds,
      owner,
    );
    const { teamId, format = "commonplace" } = query;
    const { workspaceId } = call;
    // The rule's data is what the file is made of.
    const file = await makeExport(context.exports, owner, data as TeamToExport, { workspaceId, teamId, format });
    const headers = exportHeaders(file);
    return { body: "bytes" in file ? file.bytes : file, fileName: file.name, headers };
  },
};

/** @throws Refusal 404 for one that is unknown or too old, or in a team that the person cannot access */
async function requireImport({ transaction, caller }: Call, importId: string): Promise<ImportRow> {
  const row = await lockPastImport(transaction, caller.workspaceId, importId);
  if (!row || !canAccess(caller, row.team_id)) throw consoleErrors.notFound("import", importId);
  return row;
}
