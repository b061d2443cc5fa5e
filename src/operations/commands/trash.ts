// ./commonplace trash …: the deleted snippets of a workspace.
import { listDeletedTeams } from "../../accounts/workspaces/teams.store.ts";
import { requireTeams } from "../../accounts/workspaces/teams.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import type { Config } from "../../config.ts";
import { exitStatus } from "../../contract/exit-status.ts";
import { limits } from "../../contract/limits.ts";
import { isUuid } from "../../contract/uuid.ts";
import { accessibleTeams } from "../../library/access.ts";
import { recordActsIn } from "../../library/acts.ts";
import { operatorId } from "../../library/authors.store.ts";
import type { Call, Caller } from "../../library/call.ts";
import { emptyTrash } from "../../library/empty-trash.ts";
import { noteChangesIn } from "../../library/feed/write.ts";
import { goneUntil, restoreSnippets } from "../../library/restore-snippets.ts";
import { listTrashed } from "../../library/trash.store.ts";
import { requireBytesIn, storeBytesIn } from "../../metering/storage/storage.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { formatNumber } from "../format.ts";
import type { Command, CommandContext, ParsedOptions } from "./command.ts";
import { inPortions, inTransaction, readDatabase } from "./database-access.ts";
import { readId, refuseId, workspaceOption } from "./options.ts";
import { formatDay, formatTable, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

const teamOption = { value: "ID", meaning: "Only this team" } as const;

/** Rows that are read at once. */
const portionRows = 1_000;

interface TrashedSnippet {
  readonly id: string;
  readonly title: string;
  readonly team_id: string;
  readonly deleted_at: string;
  readonly deleted_by: string;
}

/** The workspace and the teams that the options name, without deleted teams. @throws Refusal `not_found` */
async function readTarget(transaction: Transaction, options: ParsedOptions) {
  const { id, name } = await requireWorkspace(transaction, readId(options, "workspace"));
  const teamIds = options.isSet("team")
    ? await requireTeams(transaction, id, [readId(options, "team")])
    : await accessibleTeams({ transaction, caller: await operatorIn(transaction, id) });
  return { id, name, teamIds };
}

const listAll =
  ({ config, options }: CommandContext) =>
  async (transaction: Transaction): Promise<TrashedSnippet[]> => {
    const { id: workspaceId, teamIds } = await readTarget(transaction, options);
    const scope = { teamIds, after: goneUntil({ transaction, trashDays: config.trashDays }) };
    const listed: TrashedSnippet[] = [];
    for (;;) {
      const last = listed.at(-1);
      const position = last && ([last.deleted_at, last.id] as const);
      const rows = await listTrashed(transaction, workspaceId, scope, position, portionRows, 0);
      for (const { snippet, deletedAt, deletedBy } of rows)
        listed.push({
          id: snippet.id,
          title: snippet.title,
          team_id: snippet.team_id,
          deleted_at: deletedAt,
          deleted_by: deletedBy,
        });
      if (rows.length < portionRows) return listed;
    }
  };

/** A title can contain characters that would move the cursor or reverse the line. */
const printable = (title: string): string => title.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");

/** The operator. Nobody's name is stored. */
const operatorIn = async (transaction: Transaction, workspaceId: string): Promise<Caller> => ({
  id: operatorId,
  workspaceId,
  isAllTeams: true,
  teamIds: new Set(),
  deletedTeamIds: new Set((await listDeletedTeams(transaction, workspaceId)).map(({ id }) => id)),
});

/** The operator at the rules of the library. @param author who creates what the operator creates; nobody without it */
export const operatorCall = async (
  transaction: Transaction,
  workspaceId: string,
  { trashDays, storageBytesMax }: Pick<Config, "trashDays" | "storageBytesMax">,
  author?: string,
): Promise<Call> => {
  const caller = { ...(await operatorIn(transaction, workspaceId)), ...(author !== undefined && { id: author }) };
  return {
    ...{ transaction, caller, trashDays },
    noteChanges: noteChangesIn(transaction, workspaceId),
    recordActs: recordActsIn(transaction, caller),
    storeBytes: storeBytesIn(transaction, workspaceId, storageBytesMax),
    requireLeft: requireBytesIn(transaction, workspaceId, storageBytesMax),
  };
};

export const trashCommands: readonly Command[] = [
  {
    name: "trash list",
    summary: "List the deleted snippets of a workspace",
    options: { workspace: workspaceOption, team: teamOption },
    run: async (context) => {
      const snippets = await readDatabase(context, listAll(context));
      const rows = snippets.map(({ id, deleted_at, title }) => [id, formatDay(deleted_at), printable(title)]);
      printResult(context, snippets, formatTable(["ID", "DELETED", "TITLE"], rows, "The trash is empty."));
    },
  },
  {
    name: "trash restore",
    summary: "Restore deleted snippets",
    options: {
      workspace: workspaceOption,
      snippet: {
        value: "ID",
        meaning: `Snippet ID; repeat for up to ${limits.batchItemsMax} snippets`,
        isRequired: true,
        isRepeatable: true,
      },
    },
    run: async (context) => {
      const { config, options } = context;
      const ids = readSnippetIds(options);
      const outcome = await inTransaction(context, async (transaction) => {
        const { id: workspaceId } = await requireWorkspace(transaction, readId(options, "workspace"));
        const { done, errors } = await restoreSnippets(await operatorCall(transaction, workspaceId, config), ids);
        for (const { id } of done)
          recordCommand(transaction, workspaceId, {
            action: "trash.restore",
            target: { kind: "snippet", id, name: null },
          });
        return { restored: done.map(({ id }) => id), errors };
      });
      printResult(context, outcome, [
        ...outcome.restored.map((id) => `Restored ${id}.`),
        ...outcome.errors.map(({ id, message }) => `Not restored: ${id}. ${message}.`),
      ]);
      if (outcome.errors.length > 0) process.exitCode = exitStatus.attention;
    },
  },
  {
    name: "trash empty",
    summary: "Permanently delete the snippets in a workspace's trash",
    options: { workspace: workspaceOption, team: teamOption },
    notes: ["This cannot be undone. Backups made earlier still contain these snippets."],
    run: async (context) => {
      const deleted = await inPortions(context, (database) => emptyAll(database, context.options));
      printResult(context, { deleted }, [
        `Deleted ${formatNumber(deleted)} ${deleted === 1 ? "snippet" : "snippets"}.`,
      ]);
    },
  },
];

/** Returns how many snippets were deleted. What is deleted from the library meanwhile stays in the trash. */
async function emptyAll(database: Database, options: ParsedOptions): Promise<number> {
  let deleted = 0;
  let until: string | undefined;
  for (;;) {
    const isFirst = until === undefined;
    const portion = await database.transaction(async (transaction) => {
      const { id, name, teamIds } = await readTarget(transaction, options);
      const scope = { teamIds, until: until ?? transaction.now };
      const emptied = await emptyTrash(transaction, id, scope);
      if (isFirst && emptied.deletedCount > 0)
        recordCommand(transaction, id, {
          action: "trash.empty",
          target: { kind: "workspace", id, name },
          after: { teams: teamIds ?? "all" },
        });
      return { ...emptied, until: scope.until };
    });
    deleted += portion.deletedCount;
    if (!portion.isMore) return deleted;
    until = portion.until;
  }
}

/** Different IDs, as they are stored. */
function readSnippetIds(options: ParsedOptions): string[] {
  const ids = [...new Set(options.texts("snippet").map((id) => id.toLowerCase()))];
  if (!ids.every(isUuid)) return refuseId(options, "snippet", "trash");
  return ids.length <= limits.batchItemsMax
    ? ids
    : options.refuse(`--snippet can be given at most ${limits.batchItemsMax} times`);
}
