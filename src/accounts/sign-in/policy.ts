// The sign-in policy of a workspace: what it asks of those who reach it, and who does not have that.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { SignInLack, SignInPolicy } from "../../contract/console/sign-in-policies.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { AuditEntry } from "../audit/audit.ts";
import { lockForWorkspaceChange, updateWorkspace, type Workspace } from "../workspaces/workspaces.store.ts";
import { requireWorkspace } from "../workspaces/workspaces.ts";

/** How somebody signed in. Of an access token: how its owner could sign in now. */
export interface ShownSignIn {
  readonly isSingleSignOn: boolean;
  readonly hasSecondFactor: boolean;
  /** The account has a second factor, shown or not. */
  readonly hasFactor: boolean;
}

/** What a sign-in lacks; undefined where the policy accepts it. */
export function lackOf(
  policy: SignInPolicy,
  { isSingleSignOn, hasSecondFactor, hasFactor }: ShownSignIn,
): SignInLack | undefined {
  switch (policy) {
    case "any":
      return undefined;
    case "second_factor":
      if (hasSecondFactor) return undefined;
      return hasFactor ? "second_factor_sign_in" : "second_factor";
    case "single_sign_on":
      return isSingleSignOn ? undefined : "single_sign_on";
    case "second_factor_or_single_sign_on":
      if (hasSecondFactor || isSingleSignOn) return undefined;
      return hasFactor ? "second_factor_or_single_sign_on_sign_in" : "second_factor_or_single_sign_on";
  }
}

/** Whether the policy mentions the OpenID provider. */
const needsProvider = (policy: SignInPolicy): boolean =>
  policy === "single_sign_on" || policy === "second_factor_or_single_sign_on";

/**
 * @param provider the name of the OpenID provider; undefined without one
 * @param shown how the person who changes it signed in; undefined for a command, which locks nobody out of the command line
 * @throws Refusal `not_found`; `conflict` for a policy that nobody can meet, or that shuts out the person who sets it
 */
export async function changeSignInPolicy(
  transaction: Transaction,
  workspaceId: string,
  policy: SignInPolicy,
  { provider, shown }: { readonly provider: string | undefined; readonly shown: ShownSignIn | undefined },
): Promise<{ before: Workspace; after: Workspace }> {
  lockForWorkspaceChange(transaction, workspaceId);
  const before = await requireWorkspace(transaction, workspaceId);
  if (needsProvider(policy) && provider === undefined) throw consoleErrors.noSingleSignOn();
  const lack = shown && lackOf(policy, shown);
  if (lack) throw consoleErrors.ownSignInLacks(lack, provider);
  updateWorkspace(transaction, workspaceId, { sign_in_policy: policy });
  return { before, after: await requireWorkspace(transaction, workspaceId) };
}

/** The entry of a changed policy in the audit log. */
export const policyEntry = (before: Workspace, after: Workspace): AuditEntry => ({
  action: "policy.change",
  target: { kind: "workspace", id: after.id, name: after.name },
  before: { sign_in: before.sign_in_policy },
  after: { sign_in: after.sign_in_policy },
});
