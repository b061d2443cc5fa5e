// What the demo instance has for the pages about security: sessions and access tokens of its administrator, and a webhook with deliveries.
import { insertSession } from "../src/accounts/people/sessions.store.ts";
import { createToken } from "../src/accounts/people/tokens.ts";
import { deleteTeam } from "../src/accounts/workspaces/team-deletion.ts";
import { createTeam } from "../src/accounts/workspaces/workspaces.ts";
import { updateSettings } from "../src/metering/alerts/settings.store.ts";
import type { Transaction } from "../src/platform/database/database.ts";
import { sql } from "../src/platform/database/sql.ts";
import { addDays, addHours } from "../src/platform/time.ts";

/** Hours ago, address, user agent. */
const sessions = [
  [3, "203.0.113.7", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Version/19.1 Mobile/15E148 Safari/604.1"],
  [75, "198.51.100.24", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0"],
] as const;

/** Hours ago, type, state, attempts, status, failure. */
const deliveries = [
  [60, "quota.reached", "failed", 12, null, "timeout"],
  [52, "key.expiring", "delivered", 3, 204, null],
  [26, "key.refused", "delivered", 1, 204, null],
  [1, "test", "delivered", 1, 204, null],
] as const;

export async function fillSecurity(transaction: Transaction, workspaceId: string): Promise<void> {
  const { now } = transaction;
  const owner = await transaction.first<{ person_id: string }>(
    sql`select person_id from memberships where workspace_id = ${workspaceId} and role = 'owner'`,
  );
  if (!owner) throw new Error("the workspace has no owner yet");
  const { person_id: personId } = owner;
  for (const [hours, clientAddress, userAgent] of sessions) {
    const tokenHash = crypto.randomUUID();
    insertSession(transaction, { personId, tokenHash, clientAddress, userAgent, expiresAt: addDays(now, 14) });
    transaction.send(sql`update person_sessions set created_at = ${addHours(now, -hours)} where token = ${tokenHash}`);
  }
  const tokens = [
    { name: "Nightly report", scopes: { usage: "read", billing: "read" }, expiresAt: addDays(now, 90) },
    { name: "Onboarding script", scopes: { members: "read", invitations: "write" }, expiresAt: addDays(now, 20) },
  ] as const;
  for (const token of tokens) {
    const { id } = await createToken(transaction, personId, { workspaceId, ...token });
    transaction.send(
      sql`update access_tokens set created_at = ${addDays(now, -40)}, last_used_at = ${addHours(now, -8)} where id = ${id}`,
    );
  }
  updateSettings(transaction, workspaceId, {
    webhook_url: "https://hooks.harbor.example/commonplace",
    webhook_secret_start: "cpw_7Yq2",
    webhook_secret_sealed: "",
  });
  transaction.insert(
    "webhook_deliveries",
    deliveries.map(([hours, type, state, tries, last_status, last_failure]) => {
      const at = addHours(now, -hours);
      const times = { created_at: at, next_try_at: at, give_up_at: at, last_try_at: at };
      return {
        workspace_id: workspaceId,
        id: transaction.newId(),
        type,
        body: "{}",
        state,
        tries,
        last_status,
        last_failure,
        ...times,
      };
    }),
  );
  const former = await createTeam(transaction, workspaceId, "Trade fair 2025");
  await deleteTeam(transaction, workspaceId, former.id);
  transaction.send(sql`update teams set deleted_at = ${addDays(now, -2)} where id = ${former.id}`);
}
