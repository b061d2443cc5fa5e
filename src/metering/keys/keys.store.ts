// The rows of API keys.
import type { Transaction } from "../../platform/database/database.ts";
import { assignments, join, list, type Sql, sql, type Value } from "../../platform/database/sql.ts";
import type { LimitColumns } from "./key-limits.ts";
import { startOf } from "./secret.ts";

export interface KeyRow extends LimitColumns {
  id: string;
  workspace_id: string;
  name: string;
  secret_start: string;
  is_active: boolean | number;
  is_all_teams: boolean | number;
  created_at: string;
  created_by: string | null;
  last_used_at: string | null;
  deactivated_at: string | null;
  /** The end of the old secret's validity, which may be in the past. */
  previous_secret_until: string | null;
}

const columns = sql`id, workspace_id, name, secret_start, is_active, is_all_teams, created_at, created_by, last_used_at, deactivated_at,
  previous_secret_until, scope, expires_at, networks, monthly_budget, budget_month, budget_used, requests_per_minute`;

export interface KeyOfSecret {
  readonly workspace_id: string;
  readonly id: string;
  readonly is_active: boolean | number;
  /** The current secret's. Another one than was looked for: a rotation replaced that. */
  readonly secret_hash: string;
  /** How long the replaced secret stays valid; null without a rotation. */
  readonly previous_secret_until: string | null;
}

/**
 * Finds the key with this secret, inactive ones too, or with a secret that replaced it. The caller decides whether the replaced one is
 * still valid, after it has locked the key: the time is read only under the lock.
 */
export const findKeyOfSecret = (transaction: Transaction, secretHash: string): Promise<KeyOfSecret | undefined> =>
  transaction.first<KeyOfSecret>(
    sql`select workspace_id, id, is_active, secret_hash, previous_secret_until from api_keys
        where secret_hash = ${secretHash} or previous_secret_hash = ${secretHash}`,
  );

/** When the newest call of any key was admitted. */
export async function findNewestCall(transaction: Transaction): Promise<string | undefined> {
  const row = await transaction.first<{ at: string | null }>(sql`select max(last_used_at) as at from api_keys`);
  return row?.at ?? undefined;
}

export async function findKeyTeams(transaction: Transaction, workspaceId: string, keyId: string): Promise<string[]> {
  const rows = await transaction.all<{ team_id: string }>(
    sql`select team_id from api_key_teams where workspace_id = ${workspaceId} and key_id = ${keyId} order by team_id`,
  );
  return rows.map((row) => row.team_id);
}

/** Finds the teams of several keys. */
export async function findTeamsOfKeys(
  transaction: Transaction,
  workspaceId: string,
  keyIds: readonly string[],
): Promise<{ key_id: string; team_id: string }[]> {
  if (keyIds.length === 0) return [];
  return transaction.all(
    sql`select key_id, team_id from api_key_teams where workspace_id = ${workspaceId} and key_id in ${list(keyIds)}
        order by key_id, team_id`,
  );
}

export function insertKey(
  transaction: Transaction,
  key: Readonly<Record<string, Value>> & { id: string; workspace_id: string },
  teamIds: readonly string[],
): void {
  transaction.insert("api_keys", [{ ...key, call_count: 0, created_at: transaction.now }]);
  insertTeamsOfKey(transaction, key, teamIds);
}

const insertTeamsOfKey = (
  transaction: Transaction,
  { workspace_id, id }: Pick<KeyRow, "workspace_id" | "id">,
  teamIds: readonly string[],
): void =>
  transaction.insert(
    "api_key_teams",
    teamIds.map((team_id) => ({ workspace_id, key_id: id, team_id })),
  );

/** Limits a key to these teams and no others. */
export function replaceTeams(
  transaction: Transaction,
  key: Pick<KeyRow, "workspace_id" | "id">,
  teamIds: readonly string[],
): void {
  transaction.send(sql`delete from api_key_teams where workspace_id = ${key.workspace_id} and key_id = ${key.id}`);
  insertTeamsOfKey(transaction, key, teamIds);
}

/** The keys of a workspace that were not deleted, oldest first. */
export const listKeys = (transaction: Transaction, workspaceId: string): Promise<KeyRow[]> =>
  transaction.all<KeyRow>(
    sql`select ${columns} from api_keys where workspace_id = ${workspaceId} and deleted_at is null order by id`,
  );

/** A search for keys of a workspace. */
export interface KeySearch {
  /** Part of a name, in any case, or the start of a secret. */
  readonly text: string | undefined;
  /** Only keys that are limited to some of these teams. */
  readonly within: readonly string[] | undefined;
  /** Only keys that were created before this one. */
  readonly beforeId: string | undefined;
  readonly limit: number;
}

/** The keys of a workspace, newest first. */
export async function findKeys(
  transaction: Transaction,
  workspaceId: string,
  { text, within, beforeId, limit }: KeySearch,
): Promise<KeyRow[]> {
  const conditions = [
    sql`k.workspace_id = ${workspaceId} and k.deleted_at is null`,
    ...(beforeId === undefined ? [] : [sql`k.id < ${beforeId}`]),
    ...(text === undefined ? [] : [matching(text)]),
    ...(within === undefined ? [] : [limitedTo(within)]),
  ];
  return transaction.all<KeyRow>(
    sql`select ${columns} from api_keys k where ${join(conditions, " and ")} order by id desc limit ${limit}`,
  );
}

/** SQLite ignores the case of ASCII letters only. Text written as in the name is always found. */
function matching(text: string): Sql {
  const pattern = `%${text.replaceAll(/[!%_]/g, "!$&")}%`;
  const start = startOf(text);
  return sql`(lower(k.name) like lower(${pattern}) escape '!'
    or substr(k.secret_start, 1, cast(${start.length} as integer)) = ${start})`;
}

function limitedTo(teamIds: readonly string[]): Sql {
  const teams = sql`select 1 from api_key_teams t where t.workspace_id = k.workspace_id and t.key_id = k.id`;
  return sql`k.is_all_teams = ${false} and exists (${teams})
    and not exists (${teams} and t.team_id not in ${list(teamIds)})`;
}

/** Selects a key, within a workspace if one is given. */
export const keyById = (id: string, workspaceId?: string): Sql =>
  workspaceId === undefined
    ? sql`select ${columns} from api_keys where id = ${id} and deleted_at is null`
    : sql`select ${columns} from api_keys where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`;

export const findKey = (transaction: Transaction, id: string, workspaceId?: string): Promise<KeyRow | undefined> =>
  transaction.first<KeyRow>(keyById(id, workspaceId));

export const updateKey = (
  transaction: Transaction,
  { workspace_id, id }: KeyRow,
  changes: Readonly<Record<string, Value>>,
): void =>
  transaction.send(
    sql`update api_keys set ${assignments(changes)} where workspace_id = ${workspace_id} and id = ${id}`,
  );

/** Replaces the secret. The old one stays valid until a moment, or ends now. */
export const replaceSecret = (
  transaction: Transaction,
  { workspace_id, id }: KeyRow,
  { hash, start, previousSecretUntil }: { hash: string; start: string; previousSecretUntil: string | undefined },
): void =>
  transaction.send(
    previousSecretUntil === undefined
      ? sql`update api_keys set previous_secret_hash = null, previous_secret_until = null, secret_hash = ${hash}, secret_start = ${start}
            where workspace_id = ${workspace_id} and id = ${id}`
      : sql`update api_keys set previous_secret_hash = secret_hash, previous_secret_until = ${previousSecretUntil}, secret_hash = ${hash},
              secret_start = ${start}
            where workspace_id = ${workspace_id} and id = ${id}`,
  );
