// The audit log: every administrative act, in the transaction that it tells of. Append-only: nothing here changes or removes a row.
import type { actorKinds } from "../../contract/console/records.ts";
import type { Transaction } from "../../platform/database/database.ts";

/** Who acted. A command acts for whoever may run it. */
export interface AuditActor {
  readonly kind: (typeof actorKinds)[number];
  readonly id: string | null;
  readonly name: string;
  readonly clientAddress: string | null;
}

export interface Act {
  /** The noun and what was done to it: `key.create`. */
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  /** What changed, as it was and as it is. Never a secret. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

/** What belongs to no workspace stands under this id. */
export const noWorkspace = "00000000-0000-0000-0000-000000000000";

/** What was done to somebody's account belongs to no workspace: whose it is reads it as its security log. */
export const recordAccountAct = (
  transaction: Transaction,
  actor: AuditActor,
  account: { readonly id: string; readonly email: string },
  act: Omit<Act, "target">,
): void =>
  recordAct(transaction, noWorkspace, actor, {
    ...act,
    target: { kind: "account", id: account.id, name: account.email },
  });

/** Writes an act down. */
export function recordAct(transaction: Transaction, workspaceId: string, actor: AuditActor, act: Act): void {
  transaction.insert("audit_log", [
    {
      workspace_id: workspaceId,
      id: transaction.newId(),
      at: transaction.now,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      client_address: actor.clientAddress,
      action: act.action,
      target_kind: act.target.kind,
      target_id: act.target.id,
      target_name: act.target.name,
      before: act.before ? JSON.stringify(act.before) : null,
      after: act.after ? JSON.stringify(act.after) : null,
    },
  ]);
}
