// The pages: where they are, what they are called, and who is shown the way to them.
import { type ComponentType, lazy } from "react";
import type { Action } from "../../contract/console/actions.ts";
import type { IconName } from "./parts/icons.tsx";

/** How each page's script is fetched. */
const sources = {
  overview: () => import("./pages/overview.tsx"),
  keys: () => import("./pages/keys.tsx"),
  usage: () => import("./pages/usage.tsx"),
  log: () => import("./pages/log.tsx"),
  billing: () => import("./pages/billing.tsx"),
  invoice: () => import("./pages/invoice.tsx"),
  members: () => import("./pages/members.tsx"),
  teams: () => import("./pages/teams.tsx"),
  audit: () => import("./pages/audit.tsx"),
  settings: () => import("./pages/settings.tsx"),
  workspaces: () => import("./pages/workspaces.tsx"),
  account: () => import("./pages/account.tsx"),
  accountLog: () => import("./pages/account-log.tsx"),
} as const;

/** Fetches the script of the page in a workspace that an address names, sooner than it is known who asks. */
export function fetchPageOf(address: string): void {
  const [, path] = /^\/console\/w\/[^/]+\/([^/]+)$/.exec(address) ?? [];
  for (const [name, source] of Object.entries(sources)) if (name === path) source().catch(() => {});
}

/** The small scripts of all pages, so that no later page waits for the network; not where data is to be saved. */
export function fetchPagesAhead(): void {
  if ("connection" in navigator && (navigator.connection as { saveData?: boolean }).saveData) return;
  // Whoever comes to a page whose script did not arrive is told so there.
  for (const source of Object.values(sources)) source().catch(() => {});
}

export const AccountPage = lazy(sources.account);
export const AccountLogPage = lazy(sources.accountLog);
export const WorkspacesPage = lazy(sources.workspaces);
export const SignInPage = lazy(() => import("./pages/sign-in.tsx"));
export const InvitationPage = lazy(() => import("./pages/invitation.tsx"));
export const PasswordPage = lazy(() => import("./pages/password.tsx"));

export interface WorkspacePage {
  /** Below /w/:workspaceId. */
  readonly path: string;
  readonly needs: Action;
  readonly component: ComponentType;
  /** How the menu shows it; undefined for what is reached from another page. */
  readonly entry: { readonly name: string; readonly icon: IconName } | undefined;
}

export const workspacePages: readonly WorkspacePage[] = [
  {
    ...{ path: "overview", needs: "workspace.read", component: lazy(sources.overview) },
    entry: { name: "Overview", icon: "overview" },
  },
  {
    ...{ path: "keys", needs: "keys.read", component: lazy(sources.keys) },
    entry: { name: "API access", icon: "key" },
  },
  {
    ...{ path: "usage", needs: "usage.read", component: lazy(sources.usage) },
    entry: { name: "Usage", icon: "usage" },
  },
  {
    ...{ path: "log", needs: "log.read", component: lazy(sources.log) },
    entry: { name: "Request log", icon: "log" },
  },
  {
    ...{ path: "billing", needs: "billing.read", component: lazy(sources.billing) },
    entry: { name: "Billing", icon: "billing" },
  },
  {
    ...{ path: "invoices/:month", needs: "billing.read", component: lazy(sources.invoice) },
    entry: undefined,
  },
  {
    ...{ path: "members", needs: "members.read", component: lazy(sources.members) },
    entry: { name: "Members", icon: "members" },
  },
  {
    ...{ path: "teams", needs: "workspace.read", component: lazy(sources.teams) },
    entry: { name: "Teams", icon: "teams" },
  },
  {
    ...{ path: "audit", needs: "audit.read", component: lazy(sources.audit) },
    entry: { name: "Audit log", icon: "audit" },
  },
  {
    ...{ path: "settings", needs: "workspace.change", component: lazy(sources.settings) },
    entry: { name: "Settings", icon: "settings" },
  },
];
