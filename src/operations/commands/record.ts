// The operator's commands in the audit log. Whoever may run them acts: the system knows their name, the console does not.
import { userInfo } from "node:os";
import { type AuditEntry, recordAuditEntry } from "../../accounts/audit/audit.ts";
import type { Transaction } from "../../platform/database/database.ts";

/** Writes down what a command did, in its transaction. */
export const recordCommand = (transaction: Transaction, workspaceId: string, act: AuditEntry): void =>
  recordAuditEntry(transaction, workspaceId, { kind: "command", id: null, name: userName(), clientAddress: null }, act);

/** A container may run as a number without a name. */
function userName(): string {
  try {
    return userInfo().username || "command line";
  } catch {
    return "command line";
  }
}
