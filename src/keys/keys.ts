// API keys: made, listed, switched off and deleted by an administrator (interface, Authentication; decisions, section 9).
import type { Transaction } from "../database/database.ts";
import { Refusal } from "../refusal.ts";
import { findTeams } from "../workspaces/teams.store.ts";
import { findKey, findKeyTeams, insertKey, type KeyRow, listKeys as listKeyRows, updateKey } from "./keys.store.ts";
import { hashOf, newSecret, startOf } from "./secret.ts";

/** A key as its administrator sees it: never the secret. */
export interface Key {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  /** The prefix and the first 4 characters, to tell keys apart. */
  readonly secret_start: string;
  readonly status: "active" | "inactive";
  readonly is_all_teams: boolean;
  /** Empty when the key reaches all teams. */
  readonly team_permissions: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly deactivated_at: string | null;
}

/** Makes a key and returns it with its secret, which can not be shown again. `teams` is "all" or the team ids. */
export async function createKey(
  transaction: Transaction,
  workspaceId: string,
  name: string,
  teams: "all" | readonly string[],
): Promise<Key & { secret: string }> {
  const teamIds = teams === "all" ? [] : [...new Set(teams)];
  const known = await findTeams(transaction, workspaceId, teamIds);
  const unknown = teamIds.find((id) => !known.includes(id));
  if (unknown) throw new Refusal(`there is no team ${unknown} in workspace ${workspaceId}`);
  const secret = newSecret();
  const id = transaction.newId();
  await insertKey(
    transaction,
    {
      id,
      workspace_id: workspaceId,
      name,
      secret_hash: hashOf(secret),
      secret_start: startOf(secret),
      is_active: true,
      is_all_teams: teams === "all",
    },
    teamIds,
  );
  const { status: _, ...key } = await showKey(transaction, id);
  return { ...key, status: "active", secret };
}

export async function listKeys(transaction: Transaction, workspaceId: string): Promise<Key[]> {
  const keys: Key[] = [];
  for (const row of await listKeyRows(transaction, workspaceId)) keys.push(await toKey(transaction, row));
  return keys;
}

/** Acts on the key's next call. Doing it again changes nothing. */
export async function deactivateKey(transaction: Transaction, id: string): Promise<Key> {
  const row = await requireKey(transaction, id);
  if (row.is_active) await updateKey(transaction, row, { is_active: false, deactivated_at: transaction.now });
  return showKey(transaction, id);
}

export async function activateKey(transaction: Transaction, id: string): Promise<Key> {
  const row = await requireKey(transaction, id);
  await updateKey(transaction, row, { is_active: true, deactivated_at: null });
  return showKey(transaction, id);
}

/** Deletes a deactivated key for good. Its usage stays in the ledger; its secret's hash does not stay. */
export async function deleteKey(transaction: Transaction, id: string): Promise<Key> {
  const row = await requireKey(transaction, id);
  if (row.is_active) throw new Refusal(`key ${id} is active: deactivate it first`);
  const key = await toKey(transaction, row);
  await updateKey(transaction, row, { secret_hash: null, deleted_at: transaction.now });
  return key;
}

export const showKey = async (transaction: Transaction, id: string): Promise<Key> =>
  toKey(transaction, await requireKey(transaction, id));

async function requireKey(transaction: Transaction, id: string): Promise<KeyRow> {
  const row = await findKey(transaction, id);
  if (!row) throw new Refusal(`there is no key ${id}`);
  return row;
}

const toKey = async (transaction: Transaction, row: KeyRow): Promise<Key> => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  secret_start: row.secret_start,
  status: row.is_active ? "active" : "inactive",
  is_all_teams: Boolean(row.is_all_teams),
  team_permissions: row.is_all_teams ? [] : await findKeyTeams(transaction, row.workspace_id, row.id),
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  deactivated_at: row.deactivated_at,
});
