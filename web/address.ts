// Where one was: the workspace that was open last, and the page to go back to after signing in.

const lastWorkspaceKey = "commonplace-workspace";

/** Storage may be switched off; the first workspace is opened then. */
export function rememberWorkspace(id: string): void {
  try {
    localStorage.setItem(lastWorkspaceKey, id);
  } catch {
    // Not remembered then.
  }
}

function readLastWorkspace(): string | null {
  try {
    return localStorage.getItem(lastWorkspaceKey);
  } catch {
    return null;
  }
}

/** The workspace that was open last, or the first: for pages that belong to none. */
export function defaultWorkspace<Row extends { readonly workspace_id: string }>(memberships: readonly Row[]) {
  const last = readLastWorkspace();
  return memberships.find(({ workspace_id }) => workspace_id === last) ?? memberships[0];
}

const base = "/console";

/** The page that sign-in goes on to: one of the console's own, whatever the address says. Relative to /console. */
export function addressAfterSignIn(search: string): string {
  const requested = new URLSearchParams(search).get("next") ?? "/";
  // Resolved as a browser would: `//host`, `/\host` and `/..` must not lead out of the console.
  const { origin, pathname, search: query } = new URL(base + requested, location.origin);
  const isOwn = requested.startsWith("/") && origin === location.origin && pathname.startsWith(`${base}/`);
  return isOwn && !pathname.startsWith(`${base}/sign-in`) ? pathname.slice(base.length) + query : "/";
}

/** Why somebody has to sign in: their session has ended, or they shall show once more that it is them. */
export type SignInReason = "ended" | "again";

/** The address of the sign-in page that comes back to `place`, which is relative to /console. */
export const signInAddress = (address: string, reason?: SignInReason): string => {
  const search = new URLSearchParams({ ...(address !== "/" && { next: address }), ...(reason && { [reason]: "" }) });
  return search.size > 0 ? `/sign-in?${search}` : "/sign-in";
};
