// Whose a secret is that was found somewhere: enough to reach its owner, and nothing more.
import { findTokenOwner } from "../../accounts/people/sessions.store.ts";
import { hashOfToken } from "../../accounts/people/token-secret.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { hashSecret } from "../../platform/secrets/secrets.ts";
import { findKey, findKeyOfSecret } from "./keys.store.ts";

export interface IdentifiedKey {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly key: { readonly id: string; readonly name: string };
  /** `replaced`: a rotation replaced the secret, and it no longer works. */
  readonly state: "active" | "inactive" | "expired" | "replaced";
}

/** @returns undefined for a secret that belongs to no key, also of a deleted one and of one before the last two */
export async function identifySecret(transaction: Transaction, secret: string): Promise<IdentifiedKey | undefined> {
  const hash = hashSecret(secret);
  const found = await findKeyOfSecret(transaction, hash);
  const key = found && (await findKey(transaction, found.id, found.workspace_id));
  if (!key) return undefined;
  const { id, name } = await requireWorkspace(transaction, key.workspace_id);
  const { now } = transaction;
  const isReplaced = found.secret_hash !== hash && (found.previous_secret_until ?? "") <= now;
  const isExpired = key.expires_at !== null && key.expires_at <= now;
  return {
    workspace: { id, name },
    key: { id: key.id, name: key.name },
    state: isReplaced ? "replaced" : !key.is_active ? "inactive" : isExpired ? "expired" : "active",
  };
}

export interface IdentifiedToken {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly token: { readonly id: string; readonly name: string };
  readonly person: { readonly email: string };
  /** `inactive`: the account is disabled. */
  readonly state: "active" | "inactive" | "expired";
}

/** The same for a personal access token. @returns undefined for one that does not exist, or was revoked */
export async function identifyToken(transaction: Transaction, secret: string): Promise<IdentifiedToken | undefined> {
  const found = await findTokenOwner(transaction, hashOfToken(secret));
  if (!found) return undefined;
  const { id, name, email, workspace_id, workspace_name, expires_at, disabled_at } = found;
  return {
    workspace: { id: workspace_id, name: workspace_name },
    token: { id, name },
    person: { email },
    state: disabled_at !== null ? "inactive" : expires_at <= transaction.now ? "expired" : "active",
  };
}
