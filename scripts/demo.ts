// An instance with realistic data for screenshots: people, teams, a library, keys, three months of calls, and payments.

import { type AuditActor, recordAuditEntry } from "../src/accounts/audit/audit.ts";
import { makeFirstLink } from "../src/accounts/people/first-administrator.ts";
import { insertSession } from "../src/accounts/people/sessions.store.ts";
import { createTeam, createWorkspace } from "../src/accounts/workspaces/workspaces.ts";
import type { Config } from "../src/config.ts";
import { type OperationName, operations } from "../src/contract/operations.ts";
import { handlers } from "../src/library/handlers.ts";
import { issueInvoices, issuerOf } from "../src/metering/billing/issuing.ts";
import { createKey, deactivateKey } from "../src/metering/keys/keys.ts";
import type { LedgerEntry } from "../src/metering/quota/quota.store.ts";
import { addToTotals } from "../src/metering/usage/totals.store.ts";
import { steadyClock, type Transaction } from "../src/platform/database/database.ts";
import { sql } from "../src/platform/database/sql.ts";
import { addDays, addHours, dayMilliseconds, monthOf } from "../src/platform/time.ts";
import { type Service, startService } from "../src/service.ts";
import { type DemoTeam, demoCall, demoTeams, fillLibrary, teamsOfAuthor } from "./demo-library.ts";
import { fillSecurity } from "./demo-security.ts";

/** A Wednesday morning in the third week of a month. */
export const now = Date.parse("2026-11-18T10:24:00.000Z");
const daysOfUse = 79;
const daysAgo = (days: number): number => now - days * dayMilliseconds;

export interface Demo {
  readonly service: Service;
  readonly workspaceId: string;
  /** Creates the first administrator, who owns the workspace. */
  readonly firstLink: string;
  /** Adds people, teams, a library, keys and calls, up to now; requires the first administrator. */
  readonly fill: () => Promise<void>;
  /** Somebody else changes a snippet. */
  readonly changeAsColleague: (snippetId: string, content: string) => Promise<void>;
}

/** The instance begins some weeks ago, and its clock moves from one event to the next. */
export async function startDemo(config: Config): Promise<Demo> {
  let time = daysAgo(daysOfUse);
  const clock = steadyClock(
    () => time,
    () => 0,
  );
  const service = await startService(config, { clock });
  const { database, consoleUrl } = service;
  const { workspace, token } = await database.transaction(async (transaction) => ({
    workspace: await createWorkspace(transaction, "Harbor Works", 100_000),
    token: await makeFirstLink(transaction),
  }));
  let colleague = "";
  const at: At = (moment, act) => {
    time = moment;
    return database.transaction(act);
  };
  return {
    service,
    workspaceId: workspace.id,
    firstLink: `${consoleUrl}/invitation#${token}`,
    fill: async () => {
      [colleague = ""] = await fill(at, workspace.id);
      await issueInvoices(database, issuerOf(config, new URL(service.baseUrl).origin));
      // They were issued as soon as their months were over.
      await at(now, async (transaction) => {
        for (const month of ["2026-08", "2026-09", "2026-10"])
          transaction.send(sql`update invoices set issued_at = ${startOfNextMonth(month)} where month = ${month}`);
      });
    },
    changeAsColleague: (id, content) =>
      database.transaction(async (transaction) => {
        const body = { content: { type: "plaintext", content } };
        await handlers.putSnippet(demoCall(transaction, workspace.id, colleague), { query: { id }, body });
      }),
  };
}

/** Does something at a moment, which must not be before the last one. */
export type At = <Result>(moment: number, act: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

/** Name, address, role, when they joined, and when they were last seen. */
const people = [
  ["Grace Hopper", "grace@harbor.example", "admin", 78.9, 0.2],
  ["Katherine Johnson", "katherine@harbor.example", "admin", 78.8, 2.8],
  ["Alan Turing", "alan@harbor.example", "member", 78.1, 15],
  ["Margaret Hamilton", "margaret@harbor.example", "member", 77.95, 5],
  ["Edsger Dijkstra", "edsger@harbor.example", "member", 77.9, 2],
] as const;

interface DemoKey {
  readonly name: string;
  /** The index of its team; undefined for all. */
  readonly team?: number;
  readonly creator: "Ada Lovelace" | "Grace Hopper" | "Katherine Johnson";
  readonly createdDaysAgo: number;
  readonly deactivatedDaysAgo?: number;
  /** Of the calls. */
  readonly share: number;
  readonly calls: readonly OperationName[];
}

const keys: readonly DemoKey[] = [
  {
    ...{ name: "Old website", creator: "Ada Lovelace", createdDaysAgo: 77.85, deactivatedDaysAgo: 41.8 },
    ...{ share: 2, calls: ["getSnippet"] },
  },
  {
    ...{ name: "Editor plugin", team: 2, creator: "Katherine Johnson", createdDaysAgo: 77.7 },
    ...{ share: 5, calls: ["getSnippet", "getFolder", "putSnippet", "postSnippet"] },
  },
  {
    ...{ name: "Voice agent, production", team: 1, creator: "Grace Hopper", createdDaysAgo: 76.8 },
    ...{ share: 9, calls: ["getSnippet", "getSnippets"] },
  },
  {
    ...{ name: "Support desk", team: 0, creator: "Grace Hopper", createdDaysAgo: 76.7 },
    ...{ share: 6, calls: ["getSnippet", "getTag", "getFolders"] },
  },
  {
    ...{ name: "Prompt pipeline", creator: "Katherine Johnson", createdDaysAgo: 64.9 },
    ...{ share: 4, calls: ["getSnippets", "getSnippetVariation", "getSnippetVariationHistory"] },
  },
  {
    ...{ name: "Nightly import", team: 2, creator: "Ada Lovelace", createdDaysAgo: 48.9 },
    ...{ share: 1, calls: ["postSnippets", "postTags", "putFolders"] },
  },
];

/** @returns the ids of the people besides the owner */
async function fill(at: At, workspaceId: string): Promise<readonly string[]> {
  const teams = await at(daysAgo(daysOfUse - 0.01), async (transaction) => {
    const created = [];
    for (const name of demoTeams) {
      const team = await createTeam(transaction, workspaceId, name);
      created.push({ id: team.id, name });
      const target = { kind: "team", id: team.id, name };
      recordAuditEntry(transaction, workspaceId, actorOf("Ada Lovelace"), {
        action: "team.create",
        target,
        after: { name },
      });
    }
    for (const [, email, role] of people)
      recordAuditEntry(transaction, workspaceId, actorOf("Ada Lovelace"), {
        action: "invitation.create",
        target: { kind: "invitation", id: transaction.newId(), name: email },
        after: { role },
      });
    return created;
  });
  const personIds: string[] = [];
  for (const [index, [, , , joinedDaysAgo]] of people.entries())
    personIds.push(
      await at(daysAgo(joinedDaysAgo), async (transaction) => join(transaction, workspaceId, index, teams)),
    );
  const callers: Caller[] = [];
  for (const key of keys)
    callers.push(
      await at(daysAgo(key.createdDaysAgo), async (transaction) => {
        const { name, creator, createdDaysAgo, deactivatedDaysAgo = 0, share, calls } = key;
        const team = key.team === undefined ? undefined : teams[key.team];
        const { id } = await createKey(transaction, workspaceId, name, team ? [team.id] : "all", creator);
        recordAuditEntry(transaction, workspaceId, actorOf(creator), {
          action: "key.create",
          target: { kind: "key", id, name },
          after: { name, teams: team ? [team.name] : "all" },
        });
        const [from, to] = [daysAgo(createdDaysAgo), daysAgo(deactivatedDaysAgo)];
        return { id, teamId: team?.id ?? null, share, calls, from, to };
      }),
    );
  const [oldWebsite, , voiceAgent, supportDesk] = callers;
  if (!oldWebsite || !voiceAgent || !supportDesk) throw new Error("a key of the demo is missing");
  await at(oldWebsite.to, async (transaction) => {
    await deactivateKey(transaction, oldWebsite.id);
    recordAuditEntry(transaction, workspaceId, actorOf("Grace Hopper"), {
      action: "key.deactivate",
      target: { kind: "key", id: oldWebsite.id, name: "Old website" },
    });
  });
  await fillSecurity(at, now, workspaceId);
  await at(now, async (transaction) => {
    for (const [index, [, , , , seenHoursAgo]] of people.entries()) {
      const session = { personId: personIds[index] ?? "", tokenHash: crypto.randomUUID(), userAgent: null };
      insertSession(transaction, { ...session, clientAddress: "203.0.113.7", expiresAt: addDays(transaction.now, 14) });
      const seenAt = addHours(transaction.now, -seenHoursAgo);
      transaction.send(
        sql`update person_sessions set created_at = ${seenAt}, updated_at = ${seenAt} where token = ${session.tokenHash}`,
      );
    }
    const teamIds = new Map(teams.map(({ id, name }) => [name, id]));
    await fillLibrary(transaction, workspaceId, teamIds, [...personIds, voiceAgent.id]);
    const unitsUsed = addCalls(transaction, workspaceId, callers);
    // A key with limits, which expires soon.
    const expiresAt = new Date(now + 12 * dayMilliseconds).toISOString();
    transaction.send(
      sql`update api_keys set scope = 'read', expires_at = ${expiresAt}, networks = ${'["203.0.113.0/24"]'}, monthly_budget = ${20_000},
            budget_month = ${monthOf(transaction.now)}, budget_used = ${unitsUsed.get(supportDesk.id) ?? 0}
          where workspace_id = ${workspaceId} and id = ${supportDesk.id}`,
    );
  });
  return personIds;
}

/** Somebody joins, with the teams that they write in. */
async function join(
  transaction: Transaction,
  workspaceId: string,
  index: number,
  teams: readonly { readonly id: string; readonly name: DemoTeam }[],
): Promise<string> {
  const [name, email, role] = people[index] ?? people[0];
  const [id, at] = [transaction.newId(), transaction.now];
  const times = { created_at: at, updated_at: at };
  transaction.insert("people", [
    { id, name, email, email_verified: true, image: null, two_factor_enabled: false, is_operator: false, ...times },
  ]);
  transaction.insert("memberships", [{ workspace_id: workspaceId, person_id: id, role, created_at: at }]);
  const written = teamsOfAuthor(index, people.length + 1);
  transaction.insert(
    "team_memberships",
    teams
      .filter((team) => written.has(team.name))
      .map((team) => ({
        ...{ workspace_id: workspaceId, team_id: team.id, person_id: id, role: "editor" as const, created_at: at },
      })),
  );
  recordAuditEntry(
    transaction,
    workspaceId,
    { ...actorOf(name), id },
    {
      action: "member.join",
      target: { kind: "member", id, name },
      after: { email, role },
    },
  );
  return id;
}

const actorOf = (name: string): AuditActor => ({
  kind: "person",
  id: null,
  name,
  clientAddress: "203.0.113.7",
});

/** The first moment after a month. */
function startOfNextMonth(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString();
}

interface Caller {
  readonly id: string;
  readonly teamId: string | null;
  readonly share: number;
  readonly calls: readonly OperationName[];
  /** Its calls are between these moments. */
  readonly from: number;
  readonly to: number;
}

/**
 * Adds calls by day, more on weekdays, with consistent months and balances.
 * @returns the units that each key has used this month
 */
function addCalls(
  transaction: Transaction,
  workspaceId: string,
  callers: readonly Caller[],
): ReadonlyMap<string, number> {
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
        const at = from - Math.floor(random() * 0.4 * dayMilliseconds);
        if (at < caller.from || at > caller.to) continue;
        rows.push({
          at,
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
  const used = new Map<string, number>();
  for (const { key_id, units, admitted_at } of ledger)
    if (monthOf(admitted_at) === monthOf(transaction.now)) used.set(key_id, (used.get(key_id) ?? 0) + units);
  return used;
}

/** Reproducible random numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
