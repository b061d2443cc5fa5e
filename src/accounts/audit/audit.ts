// The audit log: every administrative change, in the transaction that makes it. Append-only: see chain.ts.
import type { actorKinds } from "../../contract/console/operations/audit.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { appendEntries } from "./chain.ts";

/** The author of a change. */
export interface AuditActor {
  readonly kind: (typeof actorKinds)[number];
  /** Null for a command, whose author is a user of the operating system. */
  readonly id: string | null;
  readonly name: string;
  readonly clientAddress: string | null;
}

export interface AuditEntry {
  /** The noun and what was done to it: `key.create`. */
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  /** The changed values, before and after. Never a secret. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

/** The workspace id of entries that belong to no workspace. */
export const noWorkspace = "00000000-0000-0000-0000-000000000000";

/** Records an entry at the end of the transaction, which fails if that fails. */
export function recordAuditEntry(
  transaction: Transaction,
  workspaceId: string,
  actor: AuditActor,
  { action, target, before, after }: AuditEntry,
): void {
  transaction.atEnd(appendEntries, {
    workspace_id: workspaceId,
    id: transaction.newId(),
    at: transaction.now,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    client_address: actor.clientAddress,
    action,
    target_kind: target.kind,
    target_id: target.id,
    target_name: target.name,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  });
}

/**
 * An entry about an account as its owner may read it: without the addresses of admins and operators who acted on it. An
 * unknown actor has tried to sign in to the account.
 */
export const withoutAddressOfOthers = <
  Entry extends { readonly actor_kind: unknown; readonly actor_id: unknown; readonly client_address: unknown },
>(
  entry: Entry,
  personId: string,
): Entry => {
  const isOwn = entry.actor_id === personId || entry.actor_kind === "unknown";
  return isOwn ? entry : { ...entry, client_address: null };
};

/** Records a change of an account. It belongs to no workspace; the account's owner reads it as their security log. */
export const recordAccountEntry = (
  transaction: Transaction,
  actor: AuditActor,
  account: { readonly id: string; readonly email: string },
  entry: Omit<AuditEntry, "target">,
): void =>
  recordAuditEntry(transaction, noWorkspace, actor, {
    ...entry,
    target: { kind: "account", id: account.id, name: account.email },
  });
