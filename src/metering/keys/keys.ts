// API keys: created, listed, rotated, deactivated and deleted by an administrator (decisions, Keys).
import { requireRoomFor } from "../../accounts/workspaces/maximums.ts";
import { requireTeams } from "../../accounts/workspaces/teams.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { overlaps } from "../../contract/console/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { hashSecret } from "../../platform/secrets/secrets.ts";
import { addSeconds, daySeconds, hourSeconds } from "../../platform/time.ts";
import {
  findKey,
  findKeys,
  findKeyTeams,
  findTeamsOfKeys,
  insertKey,
  type KeyRow,
  type KeySearch,
  keyById,
  listKeys as listKeyRows,
  replaceSecret,
  replaceTeams,
  updateKey,
} from "./keys.store.ts";
import { columnsOfLimits, type LimitChanges, type LimitFields, limitFieldsOf } from "./limit-settings.ts";
import { newSecret, startOf } from "./secret.ts";

/** A key as its administrator sees it, without its secret. */
export interface Key extends LimitFields {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  /** The prefix and the first 4 characters, to tell keys apart. */
  readonly secret_start: string;
  readonly status: "active" | "inactive";
  readonly is_all_teams: boolean;
  /** Empty for a key with access to all teams. */
  readonly team_permissions: readonly string[];
  readonly created_at: string;
  /** A person's name; null for a key that was created on the command line. */
  readonly created_by: string | null;
  readonly last_used_at: string | null;
  readonly deactivated_at: string | null;
  /** The secret from before the last rotation is valid until then; null where it is not valid any more. */
  readonly previous_secret_until: string | null;
}

/** The teams that a key has access to: all, later ones included, or these. */
export type KeyTeams = "all" | readonly string[];

/** How long the old secret stays valid after a rotation. */
export type Overlap = (typeof overlaps)[number];

const overlapSeconds: Readonly<Record<Overlap, number>> = {
  now: 0,
  "1h": hourSeconds,
  "24h": daySeconds,
  "7d": 7 * daySeconds,
};

/**
 * Creates a key. @returns it with its secret, which cannot be shown again.
 * @throws Refusal `not_found` for an unknown team, `invalid` for a limit
 */
export async function createKey(
  transaction: Transaction,
  workspaceId: string,
  name: string,
  teams: KeyTeams,
  createdBy: string | null = null,
  limits: LimitChanges = {},
): Promise<Key & { secret: string }> {
  await requireRoomFor(transaction, workspaceId, "key");
  const teamIds = await requireKeyTeams(transaction, workspaceId, teams);
  const secret = newSecret();
  const id = transaction.newId();
  insertKey(
    transaction,
    {
      id,
      workspace_id: workspaceId,
      name,
      secret_hash: hashSecret(secret),
      secret_start: startOf(secret),
      is_active: true,
      is_all_teams: teams === "all",
      created_by: createdBy,
      ...(await columnsOfLimits(transaction, limits)),
    },
    teamIds,
  );
  return { ...(await readKey(transaction, id)), secret };
}

/** @returns no ids for all teams */
const requireKeyTeams = async (transaction: Transaction, workspaceId: string, teams: KeyTeams): Promise<string[]> =>
  teams === "all" ? [] : requireTeams(transaction, workspaceId, teams);

export async function listKeys(transaction: Transaction, workspaceId: string): Promise<Key[]> {
  const keys: Key[] = [];
  for (const row of await listKeyRows(transaction, workspaceId)) keys.push(await toKey(transaction, row));
  return keys;
}

/** Lists a page of the keys of a workspace, newest first. */
export async function searchKeys(transaction: Transaction, workspaceId: string, search: KeySearch): Promise<Key[]> {
  const rows = await findKeys(transaction, workspaceId, search);
  const teams = new Map<string, string[]>(rows.map(({ id }) => [id, []]));
  for (const { key_id, team_id } of await findTeamsOfKeys(transaction, workspaceId, [...teams.keys()]))
    teams.get(key_id)?.push(team_id);
  return rows.map((row) => keyOf(row, transaction.now, row.is_all_teams ? [] : (teams.get(row.id) ?? [])));
}

export interface KeyChanges extends LimitChanges {
  readonly name?: string | undefined;
  readonly teams?: KeyTeams | undefined;
}

/** Renames a key, or changes its teams and limits from its next call on. @throws Refusal `not_found`; `invalid` for a limit */
export async function changeKey(
  transaction: Transaction,
  id: string,
  { name, teams, ...limits }: KeyChanges,
): Promise<Key> {
  const row = await requireKeyForChange(transaction, id);
  if (teams !== undefined) replaceTeams(transaction, row, await requireKeyTeams(transaction, row.workspace_id, teams));
  const changes = {
    ...(name !== undefined && { name }),
    ...(teams !== undefined && { is_all_teams: teams === "all" }),
    ...(await columnsOfLimits(transaction, limits, row)),
  };
  if (Object.keys(changes).length > 0) updateKey(transaction, row, changes);
  return readKey(transaction, id);
}

/**
 * Gives a key a new secret, which cannot be shown again. The old secret stays valid for the overlap; an even older one ends now.
 * @throws Refusal `not_found`
 */
export async function rotateKey(
  transaction: Transaction,
  id: string,
  overlap: Overlap,
): Promise<Key & { secret: string }> {
  const row = await requireKeyForChange(transaction, id);
  const secret = newSecret();
  const seconds = overlapSeconds[overlap];
  replaceSecret(transaction, row, {
    hash: hashSecret(secret),
    start: startOf(secret),
    previousSecretUntil: seconds === 0 ? undefined : addSeconds(transaction.now, seconds),
  });
  return { ...(await readKey(transaction, id)), secret };
}

/** Refuses the key from its next call on, with either secret. Repeating it changes nothing. @throws Refusal `not_found` */
export async function deactivateKey(transaction: Transaction, id: string): Promise<Key> {
  const row = await requireKeyForChange(transaction, id);
  if (row.is_active) updateKey(transaction, row, { is_active: false, deactivated_at: transaction.now });
  return readKey(transaction, id);
}

/** @throws Refusal `not_found` */
export async function activateKey(transaction: Transaction, id: string): Promise<Key> {
  const row = await requireKeyForChange(transaction, id);
  updateKey(transaction, row, { is_active: true, deactivated_at: null });
  return readKey(transaction, id);
}

/** Deletes a deactivated key. Its usage stays in the ledger; its secrets' hashes are removed. @throws Refusal `conflict` for an active key */
export async function deleteKey(transaction: Transaction, id: string): Promise<Key> {
  const row = await requireKeyForChange(transaction, id);
  if (row.is_active) throw consoleErrors.keyActive();
  const key = await toKey(transaction, row);
  updateKey(transaction, row, {
    secret_hash: null,
    previous_secret_hash: null,
    previous_secret_until: null,
    deleted_at: transaction.now,
  });
  return key;
}

/** @throws Refusal `not_found` */
export const readKey = async (transaction: Transaction, id: string): Promise<Key> =>
  toKey(transaction, await requireKey(transaction, id));

/** Finds a key of the workspace. */
export async function findWorkspaceKey(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<Key | undefined> {
  const row = await findKey(transaction, id, workspaceId);
  return row && toKey(transaction, row);
}

/** Finds a key of the workspace and locks it: no other call changes or uses it until the transaction ends. */
export function lockForKeyChange(transaction: Transaction, workspaceId: string, id: string): Promise<Key | undefined> {
  transaction.lock("change", keyById(id, workspaceId));
  return findWorkspaceKey(transaction, workspaceId, id);
}

/** Locks a key for a change, after its calls in flight have ended. @throws Refusal `not_found` */
const requireKeyForChange = (transaction: Transaction, id: string): Promise<KeyRow> => {
  transaction.lock("change", keyById(id));
  return requireKey(transaction, id);
};

async function requireKey(transaction: Transaction, id: string): Promise<KeyRow> {
  const row = await findKey(transaction, id);
  if (!row) throw consoleErrors.notFound("key", id);
  return row;
}

const toKey = async (transaction: Transaction, row: KeyRow): Promise<Key> =>
  keyOf(row, transaction.now, row.is_all_teams ? [] : await findKeyTeams(transaction, row.workspace_id, row.id));

/** @param now decides whether the old secret is still valid */
const keyOf = (row: KeyRow, now: string, teamIds: readonly string[]): Key => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  secret_start: row.secret_start,
  status: row.is_active ? "active" : "inactive",
  is_all_teams: Boolean(row.is_all_teams),
  team_permissions: teamIds,
  created_at: row.created_at,
  created_by: row.created_by,
  last_used_at: row.last_used_at,
  deactivated_at: row.deactivated_at,
  previous_secret_until:
    row.previous_secret_until !== null && row.previous_secret_until > now ? row.previous_secret_until : null,
  ...limitFieldsOf(row, now),
});
