// The rows of the chains that audit entries make.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { containing } from "../members/members.store.ts";
import { type AuditFilters, type AuditRow, matching } from "./audit.store.ts";

export interface ChainRow {
  readonly workspace_id: string;
  /** Of the newest entry; 0 without one. */
  readonly number: number;
  readonly hash: string;
  /** Of the last entry that was removed; 0 if none was. */
  readonly removed_number: number;
  readonly removed_hash: string;
}

const columns = sql`workspace_id, number, hash, removed_number, removed_hash`;

/** Begins the chain of a workspace, if there is none. */
export const beginChain = (transaction: Transaction, workspaceId: string, firstHash: string): void =>
  transaction.send(
    sql`insert into audit_chains (workspace_id, number, hash, removed_number, removed_hash)
        values (${workspaceId}, 0, ${firstHash}, 0, ${firstHash}) on conflict (workspace_id) do nothing`,
  );

/** The chain of a workspace, locked until the end of the transaction. */
export function lockChain(transaction: Transaction, workspaceId: string): Promise<ChainRow | undefined> {
  transaction.lock("change", sql`select workspace_id as id from audit_chains where workspace_id = ${workspaceId}`);
  return transaction.first<ChainRow>(sql`select ${columns} from audit_chains where workspace_id = ${workspaceId}`);
}

export const moveChain = (transaction: Transaction, workspaceId: string, number: number, hash: string): void =>
  transaction.send(sql`update audit_chains set number = ${number}, hash = ${hash} where workspace_id = ${workspaceId}`);

export const listChains = (transaction: Transaction): Promise<ChainRow[]> =>
  transaction.all<ChainRow>(sql`select ${columns} from audit_chains order by workspace_id`);

/** Workspaces with entries and without a chain. */
export const listUnchained = (transaction: Transaction): Promise<{ workspace_id: string }[]> =>
  transaction.all(
    sql`select distinct workspace_id from audit_log
        where workspace_id not in (select workspace_id from audit_chains) order by workspace_id`,
  );

/** An entry with everything that its hashes cover. */
export interface ChainedEntry extends AuditRow {
  readonly workspace_id: string;
  readonly number: number;
  readonly actor_salt: string | null;
  readonly actor_hash: string;
  readonly details_salt: string | null;
  readonly details_hash: string;
  readonly hash: string;
}

/** Entries in the order of their numbers. @param after the number before the first */
export const listChainedEntries = (
  transaction: Transaction,
  workspaceId: string,
  after: number,
  limit: number,
  filters: AuditFilters = {},
): Promise<ChainedEntry[]> =>
  transaction.all<ChainedEntry>(
    sql`select workspace_id, number, id, at, actor_kind, actor_id, actor_name, client_address, action, target_kind,
          target_id, target_name, before, after, actor_salt, actor_hash, details_salt, details_hash, hash
        from audit_log where workspace_id = ${workspaceId} and number > ${after} and ${matching(filters)}
        order by number limit ${limit}`,
  );

/** Removes the entries up to a number, which the chain then begins after. */
export function removeEntries(transaction: Transaction, workspaceId: string, number: number, hash: string): void {
  transaction.send(sql`delete from audit_log where workspace_id = ${workspaceId} and number <= ${number}`);
  transaction.send(
    sql`update audit_chains set removed_number = ${number}, removed_hash = ${hash} where workspace_id = ${workspaceId}`,
  );
}

/** Removes the name of a person from what they did. The hashes stay, and the IP addresses for some time. */
export const forgetActor = (transaction: Transaction, personId: string, pseudonym: string): void =>
  transaction.send(sql`update audit_log set actor_name = ${pseudonym}, actor_salt = null where actor_id = ${personId}`);

/** Removes the IP addresses of deleted accounts from their audit entries after the retention period. @returns how many accounts */
export async function forgetAddresses(transaction: Transaction, before: string, limit: number): Promise<number> {
  const people = await transaction.all<{ id: string }>(
    sql`select id from people where addresses_kept_until <= ${before} order by addresses_kept_until limit ${limit}`,
  );
  for (const { id } of people) {
    transaction.send(sql`update audit_log set client_address = null where actor_id = ${id}`);
    transaction.send(sql`update people set addresses_kept_until = null where id = ${id}`);
  }
  return people.length;
}

/** Removes what entries say about a person. @param email also as a part of the details */
export const forgetTarget = (transaction: Transaction, personId: string, email: string, pseudonym: string): void =>
  transaction.send(
    sql`update audit_log set target_name = ${pseudonym}, before = null, after = null, details_salt = null
        where target_id = ${personId} or target_name = ${email}
          or before like ${containing(email)} escape '!' or after like ${containing(email)} escape '!'`,
  );
