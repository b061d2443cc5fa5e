// Deleting a workspace: nothing works there any more, but everything is kept for some days, in which it can be restored.

import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { oneLine, queueMail } from "../../platform/mail/outbox.ts";
import { addDays, dayInWords, dayOf } from "../../platform/time.ts";
import { type AuditActor, noWorkspace, recordAuditEntry } from "../audit/audit.ts";
import { listAddressesToTellOfDeletion } from "../members/members.store.ts";
import { lockForWorkspaceChange, updateWorkspace, type Workspace } from "./workspaces.store.ts";
import { requireWorkspace } from "./workspaces.ts";

/** When a workspace or a team that was deleted at this moment is removed. */
export const removalOf = (deletedAt: string): string => addDays(deletedAt, consoleLimits.graceDays);

interface Change {
  readonly before: Workspace;
  readonly after: Workspace;
}

/** @throws Refusal `not_found`; `forbidden` for a workspace that is deleted already */
export async function deleteWorkspace(transaction: Transaction, id: string): Promise<Change> {
  const before = await lockWorkspace(transaction, id);
  if (before.deleted_at !== null) throw consoleErrors.workspaceDeleted(dayOf(removalOf(before.deleted_at)));
  updateWorkspace(transaction, id, { deleted_at: transaction.now });
  return { before, after: await requireWorkspace(transaction, id) };
}

/** @throws Refusal `not_found`; `conflict` for a workspace that is not deleted, or whose time is over */
export async function restoreWorkspace(transaction: Transaction, id: string): Promise<Change> {
  const before = await lockWorkspace(transaction, id);
  if (before.deleted_at === null) throw consoleErrors.notDeleted("workspace");
  if (removalOf(before.deleted_at) <= transaction.now) throw consoleErrors.removalBegun();
  updateWorkspace(transaction, id, { deleted_at: null });
  return { before, after: await requireWorkspace(transaction, id) };
}

function lockWorkspace(transaction: Transaction, id: string): Promise<Workspace> {
  lockForWorkspaceChange(transaction, id);
  return requireWorkspace(transaction, id);
}

/** Audits it in the workspace, and in the log of the instance, which outlives the workspace. */
export function recordDeletion(
  transaction: Transaction,
  actor: AuditActor,
  action: "workspace.delete" | "workspace.restore" | "workspace.export",
  { id, name }: Workspace,
): void {
  for (const workspaceId of [id, noWorkspace])
    recordAuditEntry(transaction, workspaceId, actor, { action, target: { kind: "workspace", id, name } });
}

/** Tells all owners and operators. Only for instances with mail settings. */
export async function mailDeletion(
  transaction: Transaction,
  { id, name, deleted_at }: Workspace,
  actorName: string,
  origin: string,
): Promise<void> {
  const day = dayInWords(removalOf(deleted_at ?? transaction.now));
  for (const recipient of await listAddressesToTellOfDeletion(transaction, id))
    queueMail(transaction, {
      recipient,
      subject: `The workspace “${oneLine(name)}” was deleted`,
      body: [
        "Hello,",
        `${oneLine(actorName)} deleted the workspace “${oneLine(name)}”. Its API keys no longer work.`,
        `On ${day}, everything in it will be removed. Until then, an owner can restore or export it:\n\n  ${origin}/console/w/${id}`,
        "If you are the operator of this service, export the workspace before it is removed. Its invoices will also be removed, and the law may require you to keep them.",
        "You received this email because you are an owner of the workspace or an operator of the service.\n",
      ].join("\n\n"),
    });
}
