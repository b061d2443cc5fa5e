// The rows of how far the audit logs were exported.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface ExportRow {
  readonly workspace_id: string;
  /** Of the last entry that was exported. */
  readonly exported_number: number;
}

/** Chains with entries that were not exported and that nobody is exporting. */
export const listWaiting = (transaction: Transaction): Promise<ExportRow[]> =>
  transaction.all<ExportRow>(
    sql`select workspace_id, exported_number from audit_chains
        where exported_number < number and (export_claimed_until is null or export_claimed_until <= ${transaction.now})
        order by workspace_id`,
  );

/** @returns false where another node was first */
export const claimExport = async (
  transaction: Transaction,
  { workspace_id, exported_number }: ExportRow,
  until: string,
): Promise<boolean> =>
  (await transaction.run(
    sql`update audit_chains set export_claimed_until = ${until}
        where workspace_id = ${workspace_id} and exported_number = ${exported_number}
          and (export_claimed_until is null or export_claimed_until <= ${transaction.now})`,
  )) === 1;

export const finishExport = (transaction: Transaction, workspaceId: string, number: number): void =>
  transaction.send(
    sql`update audit_chains set exported_number = ${number}, export_claimed_until = null
        where workspace_id = ${workspaceId}`,
  );

/** When the oldest entry that was not exported was written; undefined where there is none. */
export const findOldestWaiting = async (transaction: Transaction): Promise<string | undefined> => {
  const row = await transaction.first<{ at: string | null }>(
    sql`select min(e.at) as at from audit_chains c
          join audit_log e on e.workspace_id = c.workspace_id and e.number = c.exported_number + 1`,
  );
  return row?.at ?? undefined;
};
