// Speed is worth nothing if calls are miscounted: the books of a database are added up after its load.
import type { Database } from "../src/platform/database/database.ts";
import { sql } from "../src/platform/database/sql.ts";

/** @throws when a balance is not the grants minus the ledger, or a ledger row is missing or duplicated */
export async function checkBalances(database: Database): Promise<void> {
  const wrong = await database.read((transaction) =>
    transaction.all<{ workspace_id: string }>(
      sql`select m.workspace_id from quota_months m where m.balance <>
            (select sum(g.units) from quota_grants g where g.workspace_id = m.workspace_id and g.month = m.month)
            - (select coalesce(sum(l.units), 0) from ledger l where l.workspace_id = m.workspace_id)
          union all
          select k.workspace_id from api_keys k where k.call_count <>
            (select count(distinct l.key_call) from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id)`,
    ),
  );
  if (wrong.length > 0) throw new Error(`the books of ${wrong.length} workspaces do not balance after the load`);
}
