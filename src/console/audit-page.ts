// A page of the audit log as the console shows it.
import { type AuditFilters, listAuditEntries } from "../accounts/audit/audit.store.ts";
import type { Transaction } from "../platform/database/database.ts";
import { fromJson } from "../platform/database/sql.ts";
import { pageOf, parseTimeCursor } from "./paging.ts";

export async function readAuditPage(
  transaction: Transaction,
  workspaceId: string,
  filters: AuditFilters,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
) {
  const rows = await listAuditEntries(transaction, workspaceId, filters, parseTimeCursor(cursor), limit);
  const { page, nextCursor } = pageOf(rows, limit, ({ at, id }) => [at, id]);
  return {
    data: page.map((row) => ({ ...row, before: parseDetails(row.before), after: parseDetails(row.after) })),
    nextCursor,
  };
}

const parseDetails = (json: string | null) => (json === null ? null : fromJson<Record<string, unknown>>(json));
