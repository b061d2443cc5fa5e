// The right to change members and invitations, as the rules about both require it.
import type { WorkspaceRole } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";

/** The person or operator who changes members, as far as these rules must know. */
export interface MemberEditor {
  /** Null for the operator at the command line, who is nobody's member. */
  readonly personId: string | null;
  /** Looked up after the workspace is locked, because the right may have been taken away until then. */
  readonly isAllowed: (action: "members.manage" | "owners.manage") => Promise<boolean>;
}

/** The operator at the command line, who has every right. */
export const operatorEditor: MemberEditor = { personId: null, isAllowed: async () => true };

/** @throws Refusal `forbidden` without the right to manage members, or owners where the change concerns one */
export async function requireMemberRight(editor: MemberEditor, ...roles: readonly WorkspaceRole[]): Promise<void> {
  if (!(await editor.isAllowed(rightOver(...roles)))) throw consoleErrors.forbidden();
}

/** The right that a change of members with these roles takes. */
export const rightOver = (...roles: readonly WorkspaceRole[]): "members.manage" | "owners.manage" =>
  roles.includes("owner") ? "owners.manage" : "members.manage";
