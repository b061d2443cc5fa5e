// Remembers the last workspace, and the page to return to after signing in.
import { readStored, writeStored } from "./storage.ts";

const lastWorkspaceKey = "commonplace-workspace";

export const rememberWorkspace = (id: string): void => writeStored(lastWorkspaceKey, id);

/** The last workspace, or the first: for pages outside a workspace. */
export function defaultWorkspace<Row extends { readonly workspace_id: string }>(memberships: readonly Row[]) {
  const last = readStored(lastWorkspaceKey);
  return memberships.find(({ workspace_id }) => workspace_id === last) ?? memberships[0];
}

const base = "/console";

/** The page to open after signing in, relative to /console. It is always a page of the console, whatever the address says. */
export function addressAfterSignIn(search: string): string {
  const requested = new URLSearchParams(search).get("next") ?? "/";
  // Resolved as a browser does: `//host`, `/\host` and `/..` must not lead out of the console.
  const { origin, pathname, search: query } = new URL(base + requested, location.origin);
  const isOwn = requested.startsWith("/") && origin === location.origin && pathname.startsWith(`${base}/`);
  return isOwn && !pathname.startsWith(`${base}/sign-in`) ? pathname.slice(base.length) + query : "/";
}

/** Why the person has to sign in: the session has ended, or they must prove again who they are. */
export type SignInReason = "ended" | "again";

/** The address of the sign-in page that returns to `address`, which is relative to /console. */
export const signInAddress = (address: string, reason?: SignInReason): string => {
  const search = new URLSearchParams({ ...(address !== "/" && { next: address }), ...(reason && { [reason]: "" }) });
  return search.size > 0 ? `/sign-in?${search}` : "/sign-in";
};
