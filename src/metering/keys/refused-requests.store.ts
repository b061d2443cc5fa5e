// The rows of requests that were refused before admission: one per key, minute and reason.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface RefusedRow {
  readonly workspace_id: string;
  readonly key_id: string;
  /** Its first moment. */
  readonly minute: string;
  readonly reason: string;
  readonly requests: number;
  /** Null when they came from several clients. */
  readonly client_address: string | null;
}

/** Adds to a row, which another node may have begun. The order of the additions does not matter. */
export const addRefused = (transaction: Transaction, row: RefusedRow): void =>
  transaction.send(
    sql`insert into refused_requests (workspace_id, key_id, minute, reason, requests, client_address)
        values (${row.workspace_id}, ${row.key_id}, ${row.minute}, ${row.reason}, ${row.requests}, ${row.client_address})
        on conflict (workspace_id, key_id, minute, reason) do update set
          requests = refused_requests.requests + excluded.requests,
          client_address = case when refused_requests.client_address = excluded.client_address
            then refused_requests.client_address end`,
  );

/** Deletes the oldest rows of all workspaces. @returns how many */
export const deleteRefusedBefore = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  transaction.run(
    sql`delete from refused_requests where (workspace_id, key_id, minute, reason) in (
          select workspace_id, key_id, minute, reason from refused_requests where minute < ${before}
          order by minute limit ${limit})`,
  );
