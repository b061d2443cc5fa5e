// What the demo instance has for the pages about security: sessions and access tokens of its administrator, and a webhook with deliveries.
import { type AuditActor, recordAccountEntry, recordAuditEntry } from "../src/accounts/audit/audit.ts";
import { insertSession } from "../src/accounts/people/sessions.store.ts";
import { createToken } from "../src/accounts/people/tokens.ts";
import { recordSignIn } from "../src/accounts/sign-in/evidence.ts";
import { deleteTeam } from "../src/accounts/workspaces/team-deletion.ts";
import { createTeam } from "../src/accounts/workspaces/workspaces.ts";
import { updateSettings } from "../src/metering/alerts/settings.store.ts";
import type { Transaction } from "../src/platform/database/database.ts";
import { sql } from "../src/platform/database/sql.ts";
import { addDays, addHours, hourMilliseconds } from "../src/platform/time.ts";
import type { At } from "./demo.ts";

interface DemoSession {
  readonly hoursAgo: number;
  readonly address: string;
  readonly userAgent: string;
}

/** The browser in which the pictures are taken. */
export const pictureAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

const sessions: readonly DemoSession[] = [
  {
    ...{ hoursAgo: 75, address: "198.51.100.24" },
    userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0",
  },
  {
    ...{ hoursAgo: 3, address: "203.0.113.7" },
    userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Version/19.1 Mobile/15E148 Safari/604.1",
  },
];
const current: DemoSession = { hoursAgo: 0.6, address: "203.0.113.7", userAgent: pictureAgent };

/** Hours ago, type, state, attempts, status, failure. */
const deliveries = [
  [60, "key.refused", "failed", 12, null, "timeout"],
  [52, "key.expiring", "delivered", 3, 204, null],
  [26, "key.refused", "delivered", 1, 204, null],
  [1, "test", "delivered", 1, 204, null],
] as const;

interface Owner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Goes on from where the demo is until now. */
export async function fillSecurity(at: At, now: number, workspaceId: string): Promise<void> {
  const hoursAgo = (hours: number): number => now - hours * hourMilliseconds;
  const account = await at(hoursAgo(41 * 24), async (transaction) => {
    const owner = await transaction.first<Owner>(
      sql`select p.id, p.name, p.email from memberships m join people p on p.id = m.person_id
          where m.workspace_id = ${workspaceId} and m.role = 'owner'`,
    );
    if (!owner) throw new Error("the workspace has no owner yet");
    return owner;
  });
  const actor = { kind: "person", id: account.id, name: account.name, clientAddress: current.address } as const;
  await at(hoursAgo(40 * 24), (transaction) => addTokens(transaction, workspaceId, actor, account, now));
  await at(hoursAgo(35 * 24), async (transaction) =>
    recordAuditEntry(transaction, workspaceId, actor, {
      action: "alerts.change",
      target: { kind: "workspace", id: workspaceId, name: "Harbor Works" },
      after: { webhook_host: "hooks.harbor.example" },
    }),
  );
  const target = await at(hoursAgo(30 * 24), async (transaction) => {
    const { id, name } = await createTeam(transaction, workspaceId, "Trade fair");
    const target = { kind: "team", id, name };
    recordAuditEntry(transaction, workspaceId, actor, { action: "team.create", target, after: { name } });
    return target;
  });
  const signIn = ({ hoursAgo: hours, address, userAgent }: DemoSession) =>
    at(hoursAgo(hours), async (transaction) => {
      const [tokenHash, expiresAt] = [crypto.randomUUID(), addDays(transaction.now, 14)];
      if (userAgent !== current.userAgent)
        insertSession(transaction, { personId: account.id, tokenHash, clientAddress: address, userAgent, expiresAt });
      // The one that began with the account is used again.
      else
        transaction.send(
          sql`update person_sessions set ip_address = ${address}, created_at = ${transaction.now}, updated_at = ${new Date(now).toISOString()},
                confirmed_at = ${transaction.now}, expires_at = ${expiresAt}
              where person_id = ${account.id} and user_agent = ${userAgent}`,
        );
      await recordSignIn(transaction, account, { address, userAgent }, { method: "password" });
    });
  const [earlier, later] = sessions;
  if (earlier) await signIn(earlier);
  await at(hoursAgo(49), async (transaction) => {
    await deleteTeam(transaction, workspaceId, target.id);
    recordAuditEntry(transaction, workspaceId, actor, { action: "team.delete", target });
  });
  if (later) await signIn(later);
  await at(hoursAgo(1), async (transaction) =>
    recordAuditEntry(transaction, workspaceId, actor, {
      action: "alerts.test",
      target: { kind: "workspace", id: workspaceId, name: "Harbor Works" },
    }),
  );
  await signIn(current);
  await at(now, (transaction) => addWebhook(transaction, workspaceId));
}

async function addTokens(
  transaction: Transaction,
  workspaceId: string,
  actor: AuditActor,
  account: Owner,
  now: number,
) {
  const today = new Date(now).toISOString();
  const tokens = [
    { name: "Nightly report", scopes: { usage: "read", billing: "read" }, expiresAt: addDays(today, 90) },
    { name: "Onboarding script", scopes: { members: "read", invitations: "write" }, expiresAt: addDays(today, 20) },
  ] as const;
  for (const token of tokens) {
    const { id } = await createToken(transaction, account.id, { workspaceId, ...token });
    transaction.send(sql`update access_tokens set last_used_at = ${addHours(today, -8)} where id = ${id}`);
    const { name, scopes, expiresAt } = token;
    recordAuditEntry(transaction, workspaceId, actor, { action: "token.create", target: { kind: "token", id, name } });
    const after = { name, workspace: "Harbor Works", scopes, expires_at: expiresAt };
    recordAccountEntry(transaction, actor, account, { action: "token.create", after });
  }
}

async function addWebhook(transaction: Transaction, workspaceId: string): Promise<void> {
  const { now } = transaction;
  updateSettings(transaction, workspaceId, {
    webhook_url: "https://hooks.harbor.example/commonplace",
    webhook_secret_start: "whsec_7Yq2",
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
}
