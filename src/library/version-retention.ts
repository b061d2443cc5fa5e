// Deletes former versions whose time is over, a portion at a time. The current version of a variation always stays.

import { listWorkspacesAfter } from "../metering/quota/folding.store.ts";
import { freeBytes } from "../metering/storage/storage.ts";
import type { Database } from "../platform/database/database.ts";
import type { YieldToCalls } from "../platform/jobs.ts";
import { addDays, beginningOfTime } from "../platform/time.ts";
import { lockSnippets } from "./snippets.store.ts";
import { deleteEnded, type EndedVersions, findWithEnded, listVersioned } from "./version-retention.store.ts";

/** How long former versions are kept. Undefined is forever. */
export interface VersionRetention {
  /** Former versions of each variation. */
  readonly keep: number | undefined;
  readonly days: number | undefined;
}

const workspacesAtOnce = 256;
const snippetsAtOnce = 100;
/** What one transaction deletes. */
const versionsAtOnce = 200;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** @returns how many versions were deleted. What a crash leaves is deleted the next time. */
export async function deleteEndedVersions(
  database: Database,
  { keep, days }: VersionRetention,
  yieldToCalls: YieldToCalls,
): Promise<number> {
  if (keep === undefined && days === undefined) return 0;
  const which = {
    beyond: keep ?? Number.MAX_SAFE_INTEGER,
    before: days === undefined ? beginningOfTime : await database.read(async ({ now }) => addDays(now, -days)),
  };
  let deleted = 0;
  let lastId: string | undefined = beforeAllIds;
  while (lastId !== undefined && (await yieldToCalls())) {
    const afterId: string = lastId;
    const workspaces = await database.read((transaction) =>
      listWorkspacesAfter(transaction, afterId, workspacesAtOnce),
    );
    for (const { id } of workspaces) deleted += await deleteInWorkspace(database, id, which, yieldToCalls);
    lastId = workspaces.at(-1)?.id;
  }
  return deleted;
}

async function deleteInWorkspace(
  database: Database,
  workspaceId: string,
  which: EndedVersions,
  yieldToCalls: YieldToCalls,
): Promise<number> {
  let deleted = 0;
  let lastId: string | undefined = beforeAllIds;
  while (lastId !== undefined && (await yieldToCalls())) {
    const afterId: string = lastId;
    const { last, ids } = await database.read(async (transaction) => {
      const listed = await listVersioned(transaction, workspaceId, afterId, snippetsAtOnce);
      const ids = listed.length === 0 ? [] : await findWithEnded(transaction, workspaceId, listed, which);
      return { last: listed.at(-1), ids };
    });
    let isMore = ids.length > 0;
    while (isMore && (await yieldToCalls())) {
      const versions = await database.transaction(async (transaction) => {
        // Every change of a version locks the snippet.
        await lockSnippets(transaction, "change", workspaceId, ids);
        const portion = await deleteEnded(transaction, workspaceId, ids, which, versionsAtOnce);
        freeBytes(transaction, workspaceId, portion.bytes);
        return portion.versions;
      });
      deleted += versions;
      isMore = versions === versionsAtOnce;
    }
    lastId = last;
  }
  return deleted;
}
