// Takes snippets out of the library.
import type { Call } from "./call.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import { removeSnippets } from "./snippets.store.ts";
import { sumSnippetBytes } from "./stored-bytes.store.ts";
import { copySnippetsToTrash } from "./trash.store.ts";

/** Moves snippets into the trash with all that belongs to them, or deletes them where there is no trash. They are locked for deletion. */
export async function discardSnippets(call: Call, ids: readonly string[]): Promise<void> {
  const { transaction, caller, trashDays } = call;
  if (trashDays > 0) copySnippetsToTrash(transaction, caller.workspaceId, caller.id, ids);
  else await call.storeBytes(-(await sumSnippetBytes(transaction, "library", caller.workspaceId, ids)));
  removeSnippets(transaction, caller.workspaceId, ids);
  await indexSnippets(transaction, caller.workspaceId, ids);
}
