// Keeps the search index in line with the snippets.
import type { Transaction } from "../../platform/database/database.ts";
import { insertPending } from "./index.store.ts";
import { inPortions } from "./segment-reads.ts";

/** Snippets in one row: they are read at once. */
const snippetsOfChange = 128;

/**
 * Brings the index of these snippets in line with what is stored now, in this transaction. Every rule that writes snippets, their variations
 * or their tags calls it once, after its writes. Call it for whatever was written: duplicates, deleted and unknown IDs do no harm.
 *
 * A search looks into the texts of these snippets from now on; a job moves them to the index (indexing.ts).
 */
export async function indexSnippets(
  transaction: Transaction,
  workspaceId: string,
  snippetIds: readonly string[],
): Promise<void> {
  insertPending(
    transaction,
    workspaceId,
    inPortions(snippetIds, snippetsOfChange).map((some) => ({ id: transaction.newId(), snippetIds: some })),
  );
}
