// An instance with realistic data for screenshots: people, teams, a library, keys, three months of calls, and payments.

import { type AuditActor, recordAuditEntry } from "../src/accounts/audit/audit.ts";
import { makeFirstLink } from "../src/accounts/people/first-administrator.ts";
import { createTeam, createWorkspace } from "../src/accounts/workspaces/workspaces.ts";
import type { Config } from "../src/config.ts";
import { type OperationName, operations } from "../src/contract/operations.ts";
import { createKey, deactivateKey } from "../src/metering/keys/keys.ts";
import type { LedgerEntry } from "../src/metering/quota/quota.store.ts";
import { addToTotals } from "../src/metering/usage/totals.store.ts";
import { steadyClock, type Transaction } from "../src/platform/database/database.ts";
import { sql } from "../src/platform/database/sql.ts";
import { dayMilliseconds, monthOf } from "../src/platform/time.ts";
import { type Service, startService } from "../src/service.ts";
import { demoTeams, fillLibrary } from "./demo-library.ts";
import { fillSecurity } from "./demo-security.ts";

/** A Wednesday morning in the third week of a month. */
export const now = Date.parse("2026-11-18T10:24:00.000Z");
const daysOfUse = 80;

export interface Demo {
  readonly service: Service;
  readonly workspaceId: string;
  /** Creates the first administrator, who owns the workspace. */
  readonly firstLink: string;
  /** Adds people, teams, a library, keys and calls; requires the first administrator. */
  readonly fill: () => Promise<void>;
}

export async function startDemo(config: Config): Promise<Demo> {
  const clock = steadyClock(
    () => now,
    () => 0,
  );
  const service = await startService(config, { clock });
  const { database, consoleUrl } = service;
  const { workspace, token } = await database.transaction(async (transaction) => ({
    workspace: await createWorkspace(transaction, "Harbor Works", 100_000),
    token: await makeFirstLink(transaction),
  }));
  return {
    service,
    workspaceId: workspace.id,
    firstLink: `${consoleUrl}/invitation#${token}`,
    fill: () => database.transaction((transaction) => fill(transaction, workspace.id)),
  };
}

const people = [
  ["Grace Hopper", "grace@harbor.example", "admin"],
  ["Katherine Johnson", "katherine@harbor.example", "admin"],
  ["Alan Turing", "alan@harbor.example", "member"],
  ["Margaret Hamilton", "margaret@harbor.example", "member"],
  ["Edsger Dijkstra", "edsger@harbor.example", "member"],
] as const;

/** Name, index of its team (undefined for all), share of the calls, operations. */
const keys: readonly [string, number | undefined, number, readonly OperationName[]][] = [
  ["Editor plugin", 2, 5, ["getSnippet", "getFolder", "putSnippet", "postSnippet"]],
  ["Voice agent, production", 1, 9, ["getSnippet", "getSnippets"]],
  ["Support desk", 0, 6, ["getSnippet", "getTag", "getFolders"]],
  ["Prompt pipeline", undefined, 4, ["getSnippets", "getSnippetVariation", "getSnippetVariationHistory"]],
  ["Nightly import", 2, 1, ["postSnippets", "postTags", "putFolders"]],
];

async function fill(transaction: Transaction, workspaceId: string): Promise<void> {
  const createdTeams = [];
  for (const name of demoTeams) createdTeams.push(await createTeam(transaction, workspaceId, name));
  const authors: string[] = [];
  const joinedAt = new Date(now - daysOfUse * dayMilliseconds).toISOString();
  for (const [name, email, role] of people) {
    const id = transaction.newId();
    authors.push(id);
    const times = { created_at: joinedAt, updated_at: joinedAt };
    transaction.insert("people", [
      { id, name, email, email_verified: true, image: null, two_factor_enabled: false, is_operator: false, ...times },
    ]);
    transaction.insert("memberships", [{ workspace_id: workspaceId, person_id: id, role, created_at: joinedAt }]);
    const team = createdTeams[email.length % createdTeams.length];
    if (team)
      transaction.insert("team_memberships", [
        { workspace_id: workspaceId, team_id: team.id, person_id: id, role: "editor", created_at: joinedAt },
      ]);
  }
  transaction.send(sql`update workspaces set created_at = ${joinedAt} where id = ${workspaceId}`);
  const callers = [];
  for (const [name, teamIndex, share, calls] of keys) {
    const team = teamIndex === undefined ? undefined : createdTeams[teamIndex];
    const key = await createKey(transaction, workspaceId, name, team ? [team.id] : "all");
    callers.push({ id: key.id, teamId: team?.id ?? null, share, calls });
    const [creator] = people[callers.length % people.length] ?? [];
    const target = { kind: "key", id: key.id, name };
    const teams = team ? [team.name] : "all";
    recordAuditEntry(transaction, workspaceId, actorOf(creator), {
      action: "key.create",
      target,
      after: { name, teams },
    });
    const createdAt = new Date(now - (daysOfUse + 20 * callers.length) * dayMilliseconds).toISOString();
    transaction.send(
      sql`update api_keys set created_by = ${creator ?? null}, created_at = ${createdAt}
          where workspace_id = ${workspaceId} and id = ${key.id}`,
    );
  }
  // A key with limits, which expires soon.
  const expiresAt = new Date(now + 12 * dayMilliseconds).toISOString();
  transaction.send(
    sql`update api_keys set scope = 'read', expires_at = ${expiresAt}, networks = ${'["203.0.113.0/24"]'}, monthly_budget = ${5_000}
        where workspace_id = ${workspaceId} and name = 'Support desk'`,
  );
  const [, voiceAgent] = callers;
  if (voiceAgent) authors.push(voiceAgent.id);
  await fillLibrary(transaction, workspaceId, new Map(createdTeams.map(({ id, name }) => [name, id])), authors);
  const grace = actorOf("Grace Hopper");
  const workspaceTarget = { kind: "workspace", id: workspaceId, name: "Harbor Works" };
  const renamed = { before: { name: "Harbor" }, after: { name: "Harbor Works" } };
  recordAuditEntry(transaction, workspaceId, grace, {
    action: "workspace.change",
    target: workspaceTarget,
    ...renamed,
  });
  const deactivated = await createKey(transaction, workspaceId, "Old website", "all");
  await deactivateKey(transaction, deactivated.id);
  const [createdAt, deactivatedAt] = [420, 96].map((days) => new Date(now - days * dayMilliseconds).toISOString());
  transaction.send(
    sql`update api_keys set created_by = ${"Grace Hopper"}, created_at = ${createdAt ?? null}, deactivated_at = ${deactivatedAt ?? null}
        where workspace_id = ${workspaceId} and id = ${deactivated.id}`,
  );
  addCalls(transaction, workspaceId, callers);
  await fillSecurity(transaction, workspaceId);
}

const actorOf = (name = "Ada Lovelace"): AuditActor => ({
  kind: "person",
  id: null,
  name,
  clientAddress: "203.0.113.7",
});

interface Caller {
  readonly id: string;
  readonly teamId: string | null;
  readonly share: number;
  readonly calls: readonly OperationName[];
}

/** Adds calls by day, more on weekdays, with consistent months and balances. */
function addCalls(transaction: Transaction, workspaceId: string, callers: readonly Caller[]): void {
  const random = createRandom(7);
  const balances = new Map<string, number>();
  const callCounts = new Map<string, number>();
  const rows: (Omit<LedgerEntry, "workspace_id" | "id" | "key_call" | "balance_after" | "admitted_at"> & {
    at: number;
  })[] = [];
  for (let day = daysOfUse; day >= 0; day -= 1) {
    const from = now - day * dayMilliseconds;
    const weekday = new Date(from).getUTCDay();
    const activity = weekday === 0 || weekday === 6 ? 0.25 : 1;
    for (const caller of callers) {
      const calls = Math.round(caller.share * activity * (3 + 3 * random()) * (1 + (daysOfUse - day) / daysOfUse));
      for (let call = 0; call < calls; call += 1) {
        const operation = caller.calls[Math.floor(random() * caller.calls.length)] ?? "getSnippet";
        const status = random() < 0.02 ? 404 : 200;
        const items =
          operations[operation].cost.units(0) === operations[operation].cost.units(2)
            ? 1
            : 5 + Math.floor(random() * 40);
        const units = status === 404 ? 1 : operations[operation].cost.units(items);
        rows.push({
          at: from - Math.floor(random() * 0.4 * dayMilliseconds),
          key_id: caller.id,
          operation,
          status,
          units,
          team_id: status === 200 ? caller.teamId : null,
          error_code: status === 200 ? null : "snippet_not_found",
          error_message: status === 200 ? null : "Snippet not found",
          duration_microseconds: Math.round(600 + 4_000 * random() ** 3),
          client_address: "203.0.113.7",
        });
      }
    }
  }
  rows.sort((left, right) => left.at - right.at);
  const ledger = rows.map(({ at, ...row }) => {
    const admitted_at = new Date(at).toISOString();
    const month = monthOf(admitted_at);
    const balance_after = (balances.get(month) ?? 100_000) - row.units;
    balances.set(month, balance_after);
    const key_call = (callCounts.get(row.key_id) ?? 0) + 1;
    callCounts.set(row.key_id, key_call);
    return { ...row, workspace_id: workspaceId, id: transaction.newId(), key_call, balance_after, admitted_at };
  });
  for (const [month, balance] of balances) {
    transaction.insert("quota_months", [{ workspace_id: workspaceId, month, balance }]);
    transaction.insert("quota_grants", [
      {
        workspace_id: workspaceId,
        id: transaction.newId(),
        month,
        kind: "monthly",
        units: 100_000,
        reference: null,
        created_at: `${month}-01T00:00:00.000Z`,
      },
    ]);
  }
  for (const [keyId, calls] of callCounts) {
    const newest = ledger.findLast((row) => row.key_id === keyId)?.admitted_at ?? null;
    transaction.send(
      sql`update api_keys set call_count = ${calls}, last_used_at = ${newest}
          where workspace_id = ${workspaceId} and id = ${keyId}`,
    );
  }
  for (let start = 0; start < ledger.length; start += 500)
    transaction.insert("ledger", ledger.slice(start, start + 500));
  addToTotals(transaction, ledger);
}

/** Reproducible random numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
