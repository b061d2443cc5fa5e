// The pages: their scripts, addresses, required permissions and menu entries.
import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { Action } from "../src/contract/console/actions.ts";
import type { IconName } from "./components/icons.tsx";
import { script } from "./script.tsx";

/** The script of each page. */
const pages = {
  signIn: script(() => import("./pages/sign-in.tsx")),
  invitation: script(() => import("./pages/invitation.tsx")),
  password: script(() => import("./pages/password.tsx")),
  verification: script(() => import("./pages/verification.tsx")),
  signInLink: script(() => import("./pages/sign-in-link.tsx")),
  library: script(() => import("./library/library.tsx")),
  overview: script(() => import("./pages/overview.tsx")),
  keys: script(() => import("./pages/keys.tsx")),
  usage: script(() => import("./pages/usage.tsx")),
  log: script(() => import("./pages/log.tsx")),
  billing: script(() => import("./pages/billing.tsx")),
  invoice: script(() => import("./pages/invoice.tsx")),
  members: script(() => import("./pages/members.tsx")),
  teams: script(() => import("./pages/teams.tsx")),
  audit: script(() => import("./pages/audit.tsx")),
  settings: script(() => import("./pages/settings.tsx")),
  workspaces: script(() => import("./pages/workspaces.tsx")),
  instance: script(() => import("./pages/instance.tsx")),
  people: script(() => import("./pages/people.tsx")),
  account: script(() => import("./pages/account.tsx")),
  accountLog: script(() => import("./pages/account-log.tsx")),
} as const;

/** Fetches the script of the workspace page at an address, before the session is known. */
export function prefetchPage(address: string, client: QueryClient): void {
  const [, path] = /^\/console\/w\/[^/]+\/([^/]+)$/.exec(address) ?? [];
  for (const [name, page] of Object.entries(pages)) if (name === path) page.prefetch(client);
}

/** Fetches the small scripts of all pages, so that no page waits for the network later. Not in data-saving mode. */
export function prefetchPages(client: QueryClient): void {
  if ("connection" in navigator && (navigator.connection as { saveData?: boolean }).saveData) return;
  for (const page of Object.values(pages)) page.prefetch(client);
}

export const SignInPage = pages.signIn.Component;
export const InvitationPage = pages.invitation.Component;
export const PasswordPage = pages.password.Component;
export const VerificationPage = pages.verification.Component;
export const SignInLinkPage = pages.signInLink.Component;
export const AccountPage = pages.account.Component;
export const AccountLogPage = pages.accountLog.Component;
export const InstancePage = pages.instance.Component;
export const PeoplePage = pages.people.Component;
export const WorkspacesPage = pages.workspaces.Component;

export interface WorkspacePage {
  /** Below /w/:workspaceId. */
  readonly path: string;
  readonly action: Action;
  readonly component: ComponentType;
  /** Its entry in the menu; undefined for a page that is reached from another page. */
  readonly menuEntry: { readonly name: string; readonly icon: IconName } | undefined;
  /** It fills the window beside the menu, and scrolls its parts itself. */
  readonly fillsWindow?: true;
}

export const workspacePages: readonly WorkspacePage[] = [
  {
    path: "library",
    action: "library.read",
    component: pages.library.Component,
    menuEntry: { name: "Library", icon: "library" },
    fillsWindow: true,
  },
  {
    path: "overview",
    action: "workspace.read",
    component: pages.overview.Component,
    menuEntry: { name: "Overview", icon: "overview" },
  },
  {
    path: "keys",
    action: "keys.read",
    component: pages.keys.Component,
    menuEntry: { name: "API access", icon: "key" },
  },
  {
    path: "usage",
    action: "usage.read",
    component: pages.usage.Component,
    menuEntry: { name: "Usage", icon: "usage" },
  },
  {
    path: "log",
    action: "log.read",
    component: pages.log.Component,
    menuEntry: { name: "Request log", icon: "log" },
  },
  {
    path: "billing",
    action: "billing.read",
    component: pages.billing.Component,
    menuEntry: { name: "Billing", icon: "billing" },
  },
  {
    path: "invoices/:month",
    action: "billing.read",
    component: pages.invoice.Component,
    menuEntry: undefined,
  },
  {
    path: "members",
    action: "members.read",
    component: pages.members.Component,
    menuEntry: { name: "Members", icon: "members" },
  },
  {
    path: "teams",
    action: "workspace.read",
    component: pages.teams.Component,
    menuEntry: { name: "Teams", icon: "teams" },
  },
  {
    path: "audit",
    action: "audit.read",
    component: pages.audit.Component,
    menuEntry: { name: "Audit log", icon: "audit" },
  },
  {
    path: "settings",
    action: "workspace.change",
    component: pages.settings.Component,
    menuEntry: { name: "Settings", icon: "settings" },
  },
];

/** The page on which a person begins in a workspace: the library, unless they are in no team. */
export const startPage = ({ actions }: { readonly actions: readonly string[] }): string =>
  actions.includes("library.read") ? "library" : "overview";
