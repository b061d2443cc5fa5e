// The pages: where they are, what they are called, and who is shown the way to them.
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { Action } from "../src/contract/console/actions.ts";
import type { IconName } from "./components/icons.tsx";
import { Loading } from "./components/states.tsx";

/** How each page's script is fetched. */
const sources = {
  signIn: () => import("./pages/sign-in.tsx"),
  invitation: () => import("./pages/invitation.tsx"),
  password: () => import("./pages/password.tsx"),
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
type PageName = keyof typeof sources;
// The names are exactly the keys.
const names = Object.keys(sources) as PageName[];

const scriptOf = (name: PageName) =>
  queryOptions<{ readonly default: ComponentType }>({
    queryKey: ["script", name],
    queryFn: sources[name],
    staleTime: "static",
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });

/** A page shows at once where its script is there. React's `lazy` would show that it loads for 0.3 seconds at least. */
function pageOf(name: PageName): ComponentType {
  return () => {
    const { data: script, error } = useQuery(scriptOf(name));
    if (error) throw error;
    return script ? <script.default /> : <Loading />;
  };
}

/** Fetches the script of the page in a workspace that an address names, sooner than it is known who asks. */
export function fetchPageOf(address: string, client: QueryClient): void {
  const [, path] = /^\/console\/w\/[^/]+\/([^/]+)$/.exec(address) ?? [];
  for (const name of names) if (name === path) void client.prefetchQuery(scriptOf(name));
}

/** The small scripts of all pages, so that no later page waits for the network; not where data is to be saved. */
export function fetchPagesAhead(client: QueryClient): void {
  if ("connection" in navigator && (navigator.connection as { saveData?: boolean }).saveData) return;
  // Whoever comes to a page whose script did not arrive is told so there.
  for (const name of names) void client.prefetchQuery(scriptOf(name));
}

export const SignInPage = pageOf("signIn");
export const InvitationPage = pageOf("invitation");
export const PasswordPage = pageOf("password");
export const AccountPage = pageOf("account");
export const AccountLogPage = pageOf("accountLog");
export const WorkspacesPage = pageOf("workspaces");

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
    path: "overview",
    needs: "workspace.read",
    component: pageOf("overview"),
    entry: { name: "Overview", icon: "overview" },
  },
  {
    path: "keys",
    needs: "keys.read",
    component: pageOf("keys"),
    entry: { name: "API access", icon: "key" },
  },
  {
    path: "usage",
    needs: "usage.read",
    component: pageOf("usage"),
    entry: { name: "Usage", icon: "usage" },
  },
  {
    path: "log",
    needs: "log.read",
    component: pageOf("log"),
    entry: { name: "Request log", icon: "log" },
  },
  {
    path: "billing",
    needs: "billing.read",
    component: pageOf("billing"),
    entry: { name: "Billing", icon: "billing" },
  },
  {
    path: "invoices/:month",
    needs: "billing.read",
    component: pageOf("invoice"),
    entry: undefined,
  },
  {
    path: "members",
    needs: "members.read",
    component: pageOf("members"),
    entry: { name: "Members", icon: "members" },
  },
  {
    path: "teams",
    needs: "workspace.read",
    component: pageOf("teams"),
    entry: { name: "Teams", icon: "teams" },
  },
  {
    path: "audit",
    needs: "audit.read",
    component: pageOf("audit"),
    entry: { name: "Audit log", icon: "audit" },
  },
  {
    path: "settings",
    needs: "workspace.change",
    component: pageOf("settings"),
    entry: { name: "Settings", icon: "settings" },
  },
];
