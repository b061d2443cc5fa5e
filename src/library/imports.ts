// Imports: a file that somebody sent comes into a team (decisions, Import and export).
import { errors } from "../contract/errors.ts";
import { commonTeam, requireAccess, requireTeams } from "./access.ts";
import type { Call, Handler } from "./call.ts";
import { cursorPage, cursorPart, readCursor } from "./cursor.ts";
import { folderStore } from "./folders.store.ts";
import { countWarnings } from "./formats/tree.ts";
import { toIssues } from "./import/all-or-nothing.ts";
import { countMade, noneMade } from "./import/outcome.ts";
import { listPastImports, lockPastImport, statusOf } from "./import/past-imports.ts";
import { countPlan } from "./import/plan.ts";
import { nothingShown, shownOf } from "./import/preview.ts";
import { type ImportTarget, importPart, previewImport } from "./import/run.ts";
import { undoPart } from "./import/undo.ts";

export const postImport: Handler<"postImport"> = async (call, { query }) => {
  const { transaction, caller, file: source } = call;
  const { teamId, folderId = null, onDuplicate = "skip", allOrNothing, dryRun } = query;
  await requireTeams(call, teamId);
  if (folderId !== null) await requireFolder(call, teamId, folderId);
  // The caller has read the file.
  if (!source) throw errors.internal();
  const target: ImportTarget = {
    ...{ workspaceId: caller.workspaceId, teamId, folderId, onDuplicate },
    isAllOrNothing: allOrNothing,
    continuedId: query.importId,
  };
  const { id, plan, made, remaining } = dryRun
    ? {
        id: null,
        plan: await previewImport((work) => work(transaction), target, source),
        made: noneMade(),
        remaining: 0,
      }
    : await importPart(call, target, source, query.maxItems);
  const problems = [...plan.problems, ...made.failures];
  const planned = countPlan(plan);
  return {
    data: {
      importId: id,
      format: source.format,
      isFinished: !dryRun && remaining === 0,
      createdSnippets: made.snippetIds.map((snippetId) => ({ snippetId })),
      ...(dryRun ? shownOf(plan, source) : nothingShown),
      problems: toIssues(problems),
      warnings: toIssues(plan.warnings),
    },
    metadata: {
      createdCount: dryRun ? planned.created : made.snippetIds.length,
      replacedCount: dryRun ? planned.replaced : made.replaced,
      skippedCount: planned.skipped,
      folderCount: dryRun ? planned.folders : made.folders,
      tagCount: dryRun ? planned.tags : made.tags,
      remainingCount: remaining,
      problemCount: countWarnings(problems),
      warningCount: countWarnings(plan.warnings),
    },
    items: countMade(made),
    teamId,
  };
};

export const getImports: Handler<"getImports"> = async (call, { query: { teamId, limit, cursor } }) => {
  const { transaction, caller } = call;
  const list = { name: "getImports", parameters: { teamId } };
  const [beforeId] = readCursor(list, cursor, cursorPart.id) ?? [];
  const teamIds = await requireTeams(call, teamId);
  const rows = await listPastImports(transaction, caller.workspaceId, teamIds, limit + 1, beforeId);
  const { page, pagination } = cursorPage(list, rows, { limit }, ({ id }) => [id]);
  const imports = page.map((row) => ({
    ...{ id: row.id, team_id: row.team_id, file_name: row.source_name, format: row.format },
    ...{ created_at: row.created_at, created_by: row.created_by, status: statusOf(row) },
  }));
  return { data: { imports }, pagination, items: imports.length, teamId: teamId ?? commonTeam(imports) };
};

export const postImportUndo: Handler<"postImportUndo"> = async (call, { query: { importId } }) => {
  const { transaction, caller } = call;
  const row = requireAccess(caller, "Import", await lockPastImport(transaction, caller.workspaceId, importId));
  const { deleted, restored, kept, folders, tags, remaining } = await undoPart(call, caller.workspaceId, importId);
  return {
    data: { importId, isFinished: remaining === 0 },
    metadata: {
      ...{ deletedCount: deleted, restoredCount: restored, keptCount: kept },
      ...{ folderCount: folders, tagCount: tags, remainingCount: remaining },
    },
    items: deleted + restored + folders + tags,
    teamId: row.team_id,
  };
};

async function requireFolder({ transaction, caller }: Call, teamId: string, folderId: string): Promise<void> {
  const [folder] = await folderStore.find(transaction, caller.workspaceId, [folderId]);
  if (folder?.team_id !== teamId) throw errors.invalid("folderId must be a folder in the team");
}
