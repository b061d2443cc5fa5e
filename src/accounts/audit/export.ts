// Audit entries as JSON Lines: one entry in each line, with its number and everything that its hash covers.
import type { Database } from "../../platform/database/database.ts";
import { fromJson } from "../../platform/database/sql.ts";
import type { AuditFilters } from "./audit.store.ts";
import { type ChainedEntry, listChainedEntries, listChains } from "./chain.store.ts";

export const lineOf = (entry: ChainedEntry): string =>
  `${JSON.stringify({ ...entry, before: parsed(entry.before), after: parsed(entry.after) })}\n`;

const parsed = (json: string | null): unknown => (json === null ? null : fromJson<unknown>(json));

const entriesAtOnce = 500;

/** The entries of a workspace in the order of their numbers, in portions. Each is a read of its own, so that no call waits for all of them. */
export async function* exportEntries(
  database: Pick<Database, "read">,
  workspaceId: string,
  filters: AuditFilters,
): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const page = await database.read((transaction) =>
      listChainedEntries(transaction, workspaceId, after, entriesAtOnce, filters),
    );
    if (page.length > 0) yield page.map(lineOf).join("");
    after = page.at(-1)?.number ?? after;
    if (page.length < entriesAtOnce) return;
  }
}

/** The entries of all workspaces, one after the other. */
export async function* exportAllEntries(
  database: Pick<Database, "read">,
  filters: AuditFilters,
): AsyncGenerator<string> {
  for (const { workspace_id } of await database.read(listChains)) yield* exportEntries(database, workspace_id, filters);
}
