// The pages: their scripts, addresses, required permissions and menu entries.
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { Action } from "../src/contract/console/actions.ts";
import type { IconName } from "./components/icons.tsx";
import { Loading } from "./components/states.tsx";

/** Loads the script of each page. */
const pageImports = {
  signIn: () => import("./pages/sign-in.tsx"),
  invitation: () => import("./pages/invitation.tsx"),
  password: () => import("./pages/password.tsx"),
  verification: () => import("./pages/verification.tsx"),
  library: () => import("./library/library.tsx"),
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
  people: () => import("./pages/people.tsx"),
  account: () => import("./pages/account.tsx"),
  accountLog: () => import("./pages/account-log.tsx"),
} as const;
type PageName = keyof typeof pageImports;
// The names are exactly the keys.
const pageNames = Object.keys(pageImports) as PageName[];

const scriptQuery = (name: PageName) =>
  queryOptions<{ readonly default: ComponentType }>({
    queryKey: ["script", name],
    queryFn: pageImports[name],
    staleTime: "static",
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });

/** A page that renders at once if its script is loaded. React's `lazy` would show a loading state for at least 0.3 seconds. */
function lazyPage(name: PageName): ComponentType {
  return () => {
    const { data: script, error } = useQuery(scriptQuery(name));
    if (error) throw error;
    return script ? <script.default /> : <Loading />;
  };
}

/** Fetches the script of the workspace page at an address, before the session is known. */
export function prefetchPage(address: string, client: QueryClient): void {
  const [, path] = /^\/console\/w\/[^/]+\/([^/]+)$/.exec(address) ?? [];
  for (const name of pageNames) if (name === path) void client.prefetchQuery(scriptQuery(name));
}

/** Fetches the small scripts of all pages, so that no page waits for the network later. Not in data-saving mode. */
export function prefetchPages(client: QueryClient): void {
  if ("connection" in navigator && (navigator.connection as { saveData?: boolean }).saveData) return;
  // If a fetch fails, the page itself reports it.
  for (const name of pageNames) void client.prefetchQuery(scriptQuery(name));
}

export const SignInPage = lazyPage("signIn");
export const InvitationPage = lazyPage("invitation");
export const PasswordPage = lazyPage("password");
export const VerificationPage = lazyPage("verification");
export const AccountPage = lazyPage("account");
export const AccountLogPage = lazyPage("accountLog");
export const PeoplePage = lazyPage("people");
export const WorkspacesPage = lazyPage("workspaces");

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
    component: lazyPage("library"),
    menuEntry: { name: "Library", icon: "library" },
    fillsWindow: true,
  },
  {
    path: "overview",
    action: "workspace.read",
    component: lazyPage("overview"),
    menuEntry: { name: "Overview", icon: "overview" },
  },
  {
    path: "keys",
    action: "keys.read",
    component: lazyPage("keys"),
    menuEntry: { name: "API access", icon: "key" },
  },
  {
    path: "usage",
    action: "usage.read",
    component: lazyPage("usage"),
    menuEntry: { name: "Usage", icon: "usage" },
  },
  {
    path: "log",
    action: "log.read",
    component: lazyPage("log"),
    menuEntry: { name: "Request log", icon: "log" },
  },
  {
    path: "billing",
    action: "billing.read",
    component: lazyPage("billing"),
    menuEntry: { name: "Billing", icon: "billing" },
  },
  {
    path: "invoices/:month",
    action: "billing.read",
    component: lazyPage("invoice"),
    menuEntry: undefined,
  },
  {
    path: "members",
    action: "members.read",
    component: lazyPage("members"),
    menuEntry: { name: "Members", icon: "members" },
  },
  {
    path: "teams",
    action: "workspace.read",
    component: lazyPage("teams"),
    menuEntry: { name: "Teams", icon: "teams" },
  },
  {
    path: "audit",
    action: "audit.read",
    component: lazyPage("audit"),
    menuEntry: { name: "Audit log", icon: "audit" },
  },
  {
    path: "settings",
    action: "workspace.change",
    component: lazyPage("settings"),
    menuEntry: { name: "Settings", icon: "settings" },
  },
];

/** The page on which a person begins in a workspace: the library, unless they are in no team. */
export const startPage = ({ actions }: { readonly actions: readonly string[] }): string =>
  actions.includes("library.read") ? "library" : "overview";
