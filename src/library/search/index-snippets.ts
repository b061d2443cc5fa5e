// Keeps the search index in line with the snippets.
import type { Transaction } from "../../platform/database/database.ts";

/**
 * Brings the index of these snippets in line with what is stored now, in this transaction. Every rule that writes snippets, their variations
 * or their tags calls it once, after its writes; for a snippet that is gone it removes what the index has. Call it for whatever was written:
 * duplicates and unknown IDs do no harm.
 */
export async function indexSnippets(
  _transaction: Transaction,
  _workspaceId: string,
  _snippetIds: readonly string[],
): Promise<void> {
  // A search reads the texts themselves, so there is nothing to bring in line.
}
