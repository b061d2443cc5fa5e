// The operator's commands in the audit log, under the name that the operating system knows.
import { userInfo } from "node:os";
import { type AuditActor, type AuditEntry, recordAuditEntry } from "../../accounts/audit/audit.ts";
import type { Transaction } from "../../platform/database/database.ts";

/** Records what a command did, in its transaction. */
export const recordCommand = (transaction: Transaction, workspaceId: string, entry: AuditEntry): void =>
  recordAuditEntry(transaction, workspaceId, commandActor(), entry);

/** The author of what a command does. */
export const commandActor = (): AuditActor => ({ kind: "command", id: null, name: userName(), clientAddress: null });

/** In a container, the user may be a number without a name. */
function userName(): string {
  try {
    return userInfo().username || "command line";
  } catch {
    return "command line";
  }
}
