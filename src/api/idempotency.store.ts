// The outcomes that are kept for repeats of their requests.
import type { Transaction } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";

/** An outcome, found by the workspace, the API key, and the digest of the `Idempotency-Key`. */
export interface KeptRow {
  readonly workspace_id: string;
  readonly key_id: string;
  readonly idempotency_hash: string;
  readonly request_hash: string;
  readonly request_id: string;
  readonly outcome: string;
  readonly admitted_at: string;
}

/** Also from the request's ledger row, which is written at the end of its transaction: null before that. */
export interface FoundRow extends Pick<KeptRow, "request_hash" | "request_id" | "outcome"> {
  readonly units: number | null;
  readonly balance_after: number | null;
}

/** Finds an outcome that was kept after a time. */
export const findKept = (
  transaction: Transaction,
  { workspace_id, key_id, idempotency_hash }: Pick<KeptRow, "workspace_id" | "key_id" | "idempotency_hash">,
  after: string,
): Promise<FoundRow | undefined> =>
  transaction.first(
    sql`select o.request_hash, o.request_id, o.outcome, l.units, l.balance_after
        from kept_outcomes o left join ledger l
          on l.workspace_id = o.workspace_id and l.admitted_at = o.admitted_at and l.id = o.request_id
        where o.workspace_id = ${workspace_id} and o.key_id = ${key_id} and o.idempotency_hash = ${idempotency_hash}
          and o.admitted_at > ${after}`,
  );

/** Keeps an outcome. It replaces one that is too old to be found. */
export const keepOutcome = (transaction: Transaction, row: KeptRow): void =>
  transaction.send(
    sql`insert into kept_outcomes
          (workspace_id, key_id, idempotency_hash, request_hash, request_id, outcome, admitted_at)
        values (${row.workspace_id}, ${row.key_id}, ${row.idempotency_hash}, ${row.request_hash}, ${row.request_id},
          ${row.outcome}, ${row.admitted_at})
        on conflict (workspace_id, key_id, idempotency_hash) do update set request_hash = excluded.request_hash,
          request_id = excluded.request_id, outcome = excluded.outcome, admitted_at = excluded.admitted_at`,
  );

/** Deletes the oldest rows of all workspaces. @returns how many */
export const deleteKeptBefore = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  transaction.run(
    sql`delete from kept_outcomes where (workspace_id, key_id, idempotency_hash) in (
          select workspace_id, key_id, idempotency_hash from kept_outcomes where admitted_at <= ${before}
          order by admitted_at limit ${limit})`,
  );
