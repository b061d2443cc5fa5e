// Takes snippets out of the library.
import type { Call } from "./call.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import { removeSnippets, type SnippetOwner } from "./snippets.store.ts";
import { sumSnippetBytes } from "./stored-bytes.store.ts";
import { copySnippetsToTrash } from "./trash.store.ts";

/** Moves snippets into the trash with all that belongs to them, or deletes them where there is no trash. They are locked for deletion. */
export async function discardSnippets(call: Call, snippets: readonly SnippetOwner[]): Promise<void> {
  const { transaction, caller, trashDays } = call;
  const ids = snippets.map(({ id }) => id);
  if (trashDays !== 0) copySnippetsToTrash(transaction, caller.workspaceId, caller.id, ids);
  else await call.storeBytes(-(await sumSnippetBytes(transaction, "library", caller.workspaceId, ids)));
  removeSnippets(transaction, caller.workspaceId, ids);
  call.noteChanges(snippets.map(({ id, team_id }) => ({ kind: "snippet", action: "deleted", id, teamId: team_id })));
  await indexSnippets(transaction, caller.workspaceId, ids);
}
