// A row in each table of the console, by plain inserts: for tests of what carries a whole instance somewhere else.
import type { Transaction } from "../../src/database/database.ts";

/** Long, hostile and in several writings: whatever carries it must not change it. */
const name = 'O\'Neill "quoted" \\ 夏目 漱石 \u202e\u{1f9d1}';

export function fillConsole(
  transaction: Transaction,
  { workspaceId, teamId, keyId }: { workspaceId: string; teamId: string; keyId: string },
): void {
  const { now } = transaction;
  const [person, operator] = [transaction.newId(), transaction.newId()];
  const times = { created_at: now, updated_at: now };
  const newRow = () => ({ id: transaction.newId() });
  const ofPerson = () => ({ ...newRow(), person_id: person });
  const inWorkspace = { workspace_id: workspaceId };
  const put = (table: string, row: Parameters<Transaction["insert"]>[1][number]) => transaction.insert(table, [row]);
  const human = { name, email_verified: true, image: null, two_factor_enabled: false, ...times };
  put("people", { id: person, email: "one@example.com", is_operator: false, ...human });
  put("people", { id: operator, email: "two@example.com", is_operator: true, ...human });
  put("person_credentials", {
    ...ofPerson(),
    provider_id: "credential",
    account_id: person,
    password: "hash",
    ...times,
  });
  put("person_sessions", {
    ...{ ...ofPerson(), token: "sha256:1", ip_address: "::1", user_agent: name, confirmed_at: null },
    ...{ expires_at: now, ...times },
  });
  put("person_passkeys", {
    ...{
      ...ofPerson(),
      name,
      public_key: "key",
      credential_id: "id",
      counter: 9_007_199_254_740_991,
      device_type: "d",
    },
    ...{ backed_up: true, transports: null, aaguid: null, created_at: now },
  });
  put("person_second_factors", {
    ...{
      ...ofPerson(),
      secret: "s",
      backup_codes: "[]",
      verified: true,
      failed_verification_count: 0,
      locked_until: null,
    },
  });
  put("person_verifications", { ...newRow(), identifier: "reset:1", value: name, expires_at: now, ...times });
  put("instance_secrets", { name: "a secret", value: "value", created_at: now });
  put("memberships", { ...inWorkspace, person_id: person, role: "owner", created_at: now });
  put("team_memberships", { ...inWorkspace, team_id: teamId, person_id: person, role: "editor", created_at: now });
  put("invitations", {
    ...{ ...newRow(), ...inWorkspace, email: "three@example.com", role: "member", teams: "[]", token_hash: "hash" },
    ...{
      invited_by: person,
      is_mailed: false,
      created_at: now,
      expires_at: now,
      accepted_at: null,
      withdrawn_at: null,
    },
  });
  put("access_tokens", {
    ...{ ...newRow(), ...inWorkspace, person_id: person, name, secret_hash: "hash", secret_start: "cpt_abcd" },
    ...{ may_write: false, created_at: now, last_used_at: null, expires_at: now },
  });
  put("audit_log", {
    ...{ ...newRow(), ...inWorkspace, at: now, actor_kind: "person", actor_id: person, actor_name: name },
    ...{ client_address: "::1", action: "key.create", target_kind: "key", target_id: keyId, target_name: name },
    ...{ before: null, after: JSON.stringify({ name }) },
  });
  put("payments", {
    ...{ ...newRow(), ...inWorkspace, provider: "manual", reference: name, purpose: "invoice", subject: "2026-01" },
    ...{ amount_cents: 1_000, status: "paid", requested_by: person, created_at: now, settled_at: now },
  });
  put("payment_events", { provider: "stripe", event_id: "evt_1", received_at: now });
  put("mails", {
    ...{ ...newRow(), recipient: "one@example.com", subject: name, body: name, created_at: now, next_try_at: now },
    ...{ tries: 0, sent_at: null, given_up_at: null },
  });
  put("billing_details", { ...inWorkspace, name, address: JSON.stringify([name]), tax_id: null, updated_at: now });
  put("invoice_parties", { ...inWorkspace, month: "2026-01", seller: "{}", billed_to: "{}", created_at: now });
  put("quota_warnings", { ...inWorkspace, month: "2026-01", percent: 80, created_at: now });
  put("usage_totals", {
    ...{ ...inWorkspace, day: "2026-01-31", key_id: keyId, operation: "getSnippet", status: 200, team_id: teamId },
    ...{ calls: 1, units: 1 },
  });
  put("usage_marks", { ...inWorkspace, key_id: keyId, key_call: 1, admitted_at: now });
}
