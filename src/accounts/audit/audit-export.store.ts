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

export interface WaitingEntries {
  readonly entries: number;
  /** When the oldest was written; null where none waits. */
  readonly oldest_at: string | null;
}

/** The entries that were not exported, and are still there. */
export const countWaiting = async (transaction: Transaction): Promise<WaitingEntries> =>
  (await transaction.first<WaitingEntries>(
    sql`select cast(coalesce(sum(c.number - c.done), 0) as bigint) as entries, min(e.at) as oldest_at
        from (select workspace_id, number,
                case when removed_number > exported_number then removed_number else exported_number end as done
              from audit_chains where exported_number < number) c
          join audit_log e on e.workspace_id = c.workspace_id and e.number = c.done + 1`,
  )) ?? { entries: 0, oldest_at: null };
