// The operator's commands in the audit log, under the name of the user of the operating system who ran them.
import { type AuditActor, type AuditEntry, recordAuditEntry } from "../../accounts/audit/audit.ts";
import { unprintable } from "../../contract/printable.ts";
import type { Transaction } from "../../platform/database/database.ts";

/** Records what a command did, in its transaction. */
export const recordCommand = (transaction: Transaction, workspaceId: string, entry: AuditEntry): void =>
  recordAuditEntry(transaction, workspaceId, commandActor(), entry);

/** The author of what a command does. */
export const commandActor = (): AuditActor => ({
  kind: "command",
  id: null,
  name: userName(process.env),
  clientAddress: null,
});

/**
 * With sudo, the user who called it. In a container, in cron, or in a shell of its own, nothing may name anyone.
 * What the environment says proves nothing, but whoever can change it can also change the database.
 */
export function userName({ SUDO_USER, USER, LOGNAME }: Readonly<Record<string, string | undefined>>): string {
  const found = [SUDO_USER, USER, LOGNAME].find((name) => name !== undefined && name.trim() !== "");
  return found?.trim().replace(unprintable, "\ufffd").slice(0, nameLengthMax) ?? "Someone on the command line";
}

const nameLengthMax = 200;
