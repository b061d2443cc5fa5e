// A row in each table of the console, by plain inserts: for tests of commands that copy an entire instance.
import { recordAuditEntry } from "../../src/accounts/audit/audit.ts";
import type { Transaction } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";

/** Long, hostile and in several scripts: no copy may change it. */
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
    ...ofPerson(),
    token: "sha256:1",
    ip_address: "::1",
    user_agent: name,
    confirmed_at: null,
    expires_at: now,
    ...times,
  });
  put("person_passkeys", {
    ...ofPerson(),
    name,
    public_key: "key",
    credential_id: "id",
    counter: 9_007_199_254_740_991,
    device_type: "d",
    backed_up: true,
    transports: null,
    aaguid: null,
    created_at: now,
  });
  put("person_second_factors", {
    ...ofPerson(),
    secret: "s",
    backup_codes: "[]",
    verified: true,
    failed_verification_count: 0,
    locked_until: null,
  });
  put("person_verifications", { ...newRow(), identifier: "reset:1", value: name, expires_at: now, ...times });
  put("sign_in_attempts", { id: "hash", times: JSON.stringify([now]), expires_at: now });
  put("instance_keys", { name: "another", digest: "digest", created_at: now });
  put("library_activity", {
    ...inWorkspace,
    ...newRow(),
    author_id: person,
    at: now,
    team_id: teamId,
    action: "folder.create",
    snippet_id: null,
    name,
    details: JSON.stringify({ name }),
  });
  put("library_examples", { ...inWorkspace, ...newRow(), team_id: teamId, kind: "folder" });
  const madeBy = newRow();
  put("imports", {
    ...madeBy,
    ...inWorkspace,
    team_id: teamId,
    source_name: "snippets.json",
    source_hash: "hash",
    format: "raycast",
    on_duplicate: "skip",
    created_by: person,
    created_at: now,
    finished_at: null,
    undone_at: null,
    steps_done: 1,
  });
  put("import_rows", {
    ...inWorkspace,
    import_id: madeBy.id,
    kind: "version",
    place: 0,
    ...newRow(),
    made_at: now,
    version_id: newRow().id,
    former_version_id: null,
  });
  put("memberships", { ...inWorkspace, person_id: person, role: "owner", created_at: now });
  put("team_memberships", { ...inWorkspace, team_id: teamId, person_id: person, role: "editor", created_at: now });
  put("invitations", {
    ...newRow(),
    ...inWorkspace,
    email: "three@example.com",
    role: "member",
    teams: "[]",
    token_hash: "hash",
    invited_by: person,
    is_mailed: false,
    created_at: now,
    expires_at: now,
    accepted_at: null,
    revoked_at: null,
  });
  const token = newRow();
  put("access_tokens", {
    ...token,
    ...inWorkspace,
    person_id: person,
    name,
    secret_hash: "hash",
    secret_start: "cpt_abcd",
    scopes: '{"workspace":"read"}',
    created_at: now,
    last_used_at: null,
    expires_at: now,
  });
  recordAuditEntry(
    transaction,
    workspaceId,
    { kind: "person", id: person, name, clientAddress: "::1" },
    { action: "key.create", target: { kind: "key", id: keyId, name }, after: { name } },
  );
  put("token_networks", { token_id: token.id, network: "::1", first_at: now });
  put("known_sign_ins", { person_id: person, network: "::1", client: name, last_at: now });
  put("counted_attempts", {
    minute: now,
    person_id: person,
    network: "::1",
    action: "sign_in.refuse",
    reason: "password",
    attempts: 2,
    is_recorded: true,
    last_at: now,
  });
  put("payments", {
    ...newRow(),
    ...inWorkspace,
    provider: "manual",
    reference: name,
    purpose: "invoice",
    subject: "2026-01",
    amount_cents: 1_000,
    status: "paid",
    requested_by: person,
    created_at: now,
    settled_at: now,
  });
  // One payment for each provider and status; the first two are credited.
  const buy = (provider: string, status: string) => {
    const payment = { ...newRow(), ...inWorkspace, provider, reference: `${provider} ${status}`, purpose: "package" };
    const on = { requested_by: person, created_at: now, settled_at: status === "open" ? null : now };
    put("payments", { ...payment, subject: "100K", amount_cents: 1_000, status, ...on });
    return payment.id;
  };
  const month = now.slice(0, 7);
  for (const payment of [buy("manual", "open"), buy("stripe", "paid")]) {
    const [units, reference] = [100_000, `payment:${payment}`];
    put("quota_grants", { ...newRow(), ...inWorkspace, month, kind: "100K", units, reference, created_at: now });
    transaction.send(
      sql`update quota_months set balance = balance + ${units} where workspace_id = ${workspaceId} and month = ${month}`,
    );
  }
  buy("stripe", "open");
  buy("stripe", "failed");
  put("payment_events", { provider: "stripe", event_id: "evt_1", received_at: now });
  put("mails", {
    ...newRow(),
    recipient: "one@example.com",
    subject: name,
    body: name,
    created_at: now,
    next_try_at: now,
    tries: 0,
    sent_at: null,
    given_up_at: null,
  });
  put("billing_details", { ...inWorkspace, name, address: JSON.stringify([name]), tax_id: null, updated_at: now });
  const issue = { month: "2026-01", number_prefix: "INV-", number: 1, issued_at: now };
  put("invoices", { ...inWorkspace, ...issue, seller: "{}", billed_to: "{}", tax: null });
  put("invoice_numbers", { number_prefix: "INV-", newest: 1 });
  put("key_warnings", { ...inWorkspace, key_id: keyId, expires_at: now, days: 14, created_at: now });
  put("alert_recipients", { ...inWorkspace, email: "four@example.com" });
  put("refusal_alerts", { ...inWorkspace, key_id: keyId, alerted_at: now });
  put("webhook_deliveries", {
    ...inWorkspace,
    ...newRow(),
    type: "test",
    body: JSON.stringify({ name }),
    state: "failed",
    tries: 1,
    created_at: now,
    next_try_at: now,
    give_up_at: now,
    last_try_at: now,
    last_status: 500,
    last_failure: null,
  });
  put("quota_warnings", { ...inWorkspace, month: "2026-01", percent: 80, created_at: now });
}
