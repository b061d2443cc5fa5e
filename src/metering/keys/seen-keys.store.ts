// Which keys a person has seen the secret of. The audit log knows it: a secret is shown once, to whoever creates or rotates the key.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface SeenKey {
  readonly id: string;
  readonly name: string;
  readonly secret_start: string;
}

/** The keys, neither deleted nor deactivated, that a person created or rotated, oldest first. */
export const listKeysSeenBy = (transaction: Transaction, workspaceId: string, personId: string): Promise<SeenKey[]> =>
  transaction.all<SeenKey>(
    sql`select k.id, k.name, k.secret_start from api_keys k
        where k.workspace_id = ${workspaceId} and k.deleted_at is null and k.is_active = ${true}
          and exists (select 1 from audit_log a
            where a.workspace_id = k.workspace_id and a.target_id = cast(k.id as text) and a.actor_id = ${personId}
              and a.action in ('key.create', 'key.rotate'))
        order by k.id`,
  );
