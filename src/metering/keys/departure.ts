// What remains to be done once somebody who managed a workspace has deleted their account: its owners learn of it, and which keys to rotate.
import { listAddressesOfOwners } from "../../accounts/members/members.store.ts";
import { addressesKeptDays, type DeletedAccount } from "../../accounts/people/delete-account.ts";
import type { MembershipRow } from "../../accounts/people/people.store.ts";
import type { Announcing } from "../../accounts/sign-in/account-mails.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { oneLine, queueMail } from "../../platform/mail/outbox.ts";
import { listKeysSeenBy, type SeenKey } from "./seen-keys.store.ts";
import type { SeenKeyOfWorkspace } from "./seen-keys.ts";

/**
 * Emails the owners of the workspaces that the person could manage, or where they have seen the secret of a key.
 * @param isByOperator an operator deleted the account
 * @returns the keys to rotate
 */
export async function settleDeparture(
  { config, origin }: Announcing,
  transaction: Transaction,
  deleted: DeletedAccount,
  isByOperator: boolean,
): Promise<readonly SeenKeyOfWorkspace[]> {
  const all: SeenKeyOfWorkspace[] = [];
  for (const membership of deleted.memberships) {
    const { workspace_id, workspace_name, role, deleted_at } = membership;
    const keys = await listKeysSeenBy(transaction, workspace_id, deleted.id);
    all.push(...keys.map((key) => ({ ...key, workspace_id, workspace_name })));
    const isTold = deleted_at === null && (role !== "member" || keys.length > 0);
    if (!config.mail || !isTold) continue;
    const mail = mailOf(deleted, membership, keys, { origin, isByOperator });
    for (const recipient of await listAddressesOfOwners(transaction, workspace_id))
      queueMail(transaction, { recipient, ...mail });
  }
  return all;
}

function mailOf(
  { name, email, pseudonym, revoked }: DeletedAccount,
  { workspace_id, workspace_name, role }: MembershipRow,
  keys: readonly SeenKey[],
  { origin, isByOperator }: { readonly origin: string; readonly isByOperator: boolean },
) {
  const workspace = oneLine(workspace_name);
  const who = `${oneLine(name)} (${email})`;
  const invitations = revoked.filter((invitation) => invitation.workspace_id === workspace_id).length;
  const page = `${origin}/console/w/${workspace_id}`;
  const lines = [
    isByOperator
      ? `The operator of the service deleted the Commonplace account of ${who}, who had the role of ${role} in “${workspace}”.`
      : `${who} deleted their Commonplace account. They had the role of ${role} in “${workspace}”.`,
    "",
    "They no longer have access.",
    ...(invitations === 0 ? [] : [`Pending invitations that they sent and that were revoked: ${invitations}.`]),
    "",
    ...linesOfKeys(keys, page),
    `The audit log shows what they did, as “${pseudonym}”, with their IP addresses for another ${addressesKeptDays} days:`,
    `${page}/audit`,
    "",
    "If you did not expect this, someone else may have used the account. Check the audit log for what it changed.",
  ];
  return {
    subject: `A member of “${workspace}” deleted their account`,
    body: ["Hello,", "", ...lines, ""].join("\n"),
  };
}

const linesOfKeys = (keys: readonly SeenKey[], page: string): string[] =>
  keys.length === 0
    ? []
    : [
        "They created or rotated these API keys, which keep working. Rotate them, because they may still have the secrets:",
        ...keys.map(({ name, secret_start }) => `- ${oneLine(name)} (${secret_start}…)`),
        `${page}/keys`,
        "",
      ];
