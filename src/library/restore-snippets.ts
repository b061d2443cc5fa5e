// Brings deleted snippets back.
import { errors } from "../contract/errors.ts";
import { addDays, beginningOfTime } from "../platform/time.ts";
import { requireAccess } from "./access.ts";
import { actOn } from "./acts.ts";
import { decideEach } from "./batch.ts";
import type { Call } from "./call.ts";
import { onlyLockedSnippets } from "./locked.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import {
  copySnippetsFromTrash,
  findTrashedOwners,
  lockReferencesOfTrashed,
  lockTrashed,
  removeTrashed,
} from "./trash.store.ts";

/** What was deleted at this time or before it is gone, although it may still take space. */
export const goneUntil = ({ transaction, trashDays }: Pick<Call, "transaction" | "trashDays">): string =>
  trashDays === undefined ? beginningOfTime : addDays(transaction.now, -trashDays);

/** Restores each of these snippets with its history, and with the folder and the tags that still exist. Nothing else of it changes. */
export async function restoreSnippets(call: Call, ids: readonly string[]) {
  const { transaction, caller } = call;
  const locked = lockTrashed(transaction, caller.workspaceId, ids);
  lockReferencesOfTrashed(transaction, caller.workspaceId, ids);
  const owners = findTrashedOwners(transaction, caller.workspaceId, { after: goneUntil(call) }, ids);
  const found = await onlyLockedSnippets(locked, owners);
  const outcome = await decideEach(
    ids.map((id, index) => ({ index, id, value: id })),
    (id) => {
      const snippet = found.find((row) => row.id === id);
      if (!snippet) throw errors.notFound("Snippet", id);
      return requireAccess(caller, "Snippet", snippet);
    },
  );
  const restoredIds = outcome.done.map((snippet) => snippet.id);
  copySnippetsFromTrash(transaction, caller.workspaceId, restoredIds);
  removeTrashed(transaction, caller.workspaceId, restoredIds);
  call.noteChanges(
    outcome.done.map(({ id, team_id }) => ({ kind: "snippet", action: "restored", id, teamId: team_id })),
  );
  call.recordActs(outcome.done.map((snippet) => actOn("snippet.restore", snippet)));
  await indexSnippets(transaction, caller.workspaceId, restoredIds);
  return outcome;
}
