// What can be done on the pages of the console, by the words that people type for it. A command opens its page, and the dialog behind the page's button.
import type { Action } from "../../../src/contract/console/actions.ts";
import type { IconName } from "../../components/icons.tsx";

export interface Command {
  readonly label: string;
  /** Other words for it. */
  readonly words: string;
  readonly icon: IconName;
  /** Of the workspace; one that begins with a slash is of the console. */
  readonly path: string;
  /** Undefined: for everybody; or for the operator of the instance. */
  readonly needs: Action | "operator" | undefined;
  /** The page has a button with this label, which opens a dialog. */
  readonly opensDialog?: true;
}

export const commands: readonly Command[] = [
  {
    label: "Invite member",
    words: "add person user colleague invitation",
    icon: "members",
    path: "members",
    needs: "invitations.manage",
    opensDialog: true,
  },
  {
    label: "Change a member’s role",
    words: "permissions remove member admin",
    icon: "members",
    path: "members",
    needs: "members.manage",
  },
  {
    label: "Create API key",
    words: "new key token secret",
    icon: "key",
    path: "keys",
    needs: "keys.manage",
    opensDialog: true,
  },
  {
    label: "Rotate or deactivate an API key",
    words: "rotate deactivate revoke delete key secret",
    icon: "key",
    path: "keys",
    needs: "keys.manage",
  },
  {
    label: "Create team",
    words: "new add team",
    icon: "teams",
    path: "teams",
    needs: "teams.create",
    opensDialog: true,
  },
  {
    label: "Add someone to a team",
    words: "team members roles",
    icon: "teams",
    path: "teams",
    needs: "teams.manage",
  },
  { label: "Buy units", words: "package add-on quota upgrade", icon: "billing", path: "billing", needs: "billing.buy" },
  { label: "See invoices", words: "bill receipt payments", icon: "billing", path: "billing", needs: "billing.read" },
  {
    label: "Set up alerts",
    words: "webhook email quota notifications",
    icon: "settings",
    path: "settings",
    needs: "workspace.change",
  },
  { label: "Export the audit log", words: "download", icon: "audit", path: "audit", needs: "audit.read" },
  {
    label: "Set up two-factor authentication",
    words: "2fa passkey security password",
    icon: "passkey",
    path: "/account",
    needs: undefined,
  },
  { label: "Create access token", words: "personal token", icon: "key", path: "/account", needs: undefined },
  {
    label: "Create workspace",
    words: "new add workspace",
    icon: "workspaces",
    path: "/workspaces",
    needs: "operator",
    opensDialog: true,
  },
];
