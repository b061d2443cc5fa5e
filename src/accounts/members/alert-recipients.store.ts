// The addresses that alerts go to, as far as the people behind them leave.
import type { Transaction } from "../../platform/database/database.ts";
import { type Sql, sql } from "../../platform/database/sql.ts";

/**
 * Removes an address from the recipients of alerts. If it was the only one, alerts go to the owners and admins.
 * @param inWorkspaces a condition on `workspace_id`
 */
export function dropAlertRecipient(transaction: Transaction, email: string, inWorkspaces: Sql): void {
  transaction.send(
    sql`update alert_settings set is_to_administrators = ${true}
        where ${inWorkspaces} and workspace_id in (select workspace_id from alert_recipients where email = ${email})
          and workspace_id not in (select workspace_id from alert_recipients where email <> ${email})`,
  );
  transaction.send(sql`delete from alert_recipients where email = ${email} and ${inWorkspaces}`);
}
