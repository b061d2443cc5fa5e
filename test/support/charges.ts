// Units used without as many calls.
import { openMonth } from "../../src/metering/quota/quota.ts";
import type { Transaction } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { monthOf } from "../../src/platform/time.ts";
import type { Started } from "./service.ts";

/** Draws units from this month's balance, without a ledger row. @returns the new balance */
export async function drawUnits(transaction: Transaction, workspaceId: string, units: number): Promise<number> {
  await openMonth(transaction, workspaceId);
  const row = await transaction.first<{ balance: number }>(
    sql`update quota_months set balance = balance - ${units}
        where workspace_id = ${workspaceId} and month = ${monthOf(transaction.now)} and balance >= ${units}
        returning balance`,
  );
  if (!row) throw new Error(`the workspace does not have ${units} units`);
  return row.balance;
}

/** Records a charged call that costs this much: more units than a test could use up by making calls. */
export const useUnits = (
  { admin, workspace, emptyKey }: Pick<Started, "admin" | "workspace" | "emptyKey">,
  units: number,
): Promise<void> =>
  admin(async (transaction) => {
    const balance = await drawUnits(transaction, workspace.id, units);
    const key = await transaction.first<{ call_count: number }>(
      sql`update api_keys set call_count = call_count + 1 where workspace_id = ${workspace.id} and id = ${emptyKey.id}
          returning call_count`,
    );
    if (!key) throw new Error("the key was deleted");
    transaction.insert("ledger", [
      {
        id: transaction.newId(),
        workspace_id: workspace.id,
        key_id: emptyKey.id,
        key_call: key.call_count,
        operation: "getSnippets",
        status: 200,
        units,
        balance_after: balance,
        team_id: null,
        admitted_at: transaction.now,
        error_code: null,
        error_message: null,
        duration_microseconds: 0,
        client_address: "127.0.0.1",
      },
    ]);
  });
