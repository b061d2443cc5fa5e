// The session and the open workspace, for every page inside the shell.
import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Action } from "../src/contract/console/actions.ts";
import type { DataOf } from "./call.ts";

export type Session = DataOf<"getSession">;
export type Membership = Session["memberships"][number];
/** What a sign-in lacks for the sign-in policy of a workspace. */
export type SignInLack = NonNullable<Membership["sign_in_lacks"]>;

const SessionContext = createContext<Session | undefined>(undefined);
const WorkspaceContext = createContext<Membership | undefined>(undefined);

export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <SessionContext value={session}>{children}</SessionContext>
);

export const WorkspaceProvider = ({
  membership,
  children,
}: {
  membership: Membership | undefined;
  children: ReactNode;
}) => <WorkspaceContext value={membership}>{children}</WorkspaceContext>;

/** The session of the signed-in person. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("this page is outside the shell");
  return session;
}

/** The signed-in person. */
export const usePerson = (): Session["person"] => useSession().person;

/** The membership of the open workspace; undefined outside a workspace. */
export const useMembership = (): Membership | undefined => useContext(WorkspaceContext);

/** The id of the open workspace; undefined outside a workspace. */
export const useWorkspaceId = (): string | undefined => useMembership()?.workspace_id;

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly subscription: "active" | "inactive";
  /** Null for an operator who is not a member. */
  readonly role: Membership["role"];
  readonly actions: ReadonlySet<string>;
  readonly may: (action: Action) => boolean;
  /** The path of one of its pages, for `<Link href>`: `to("billing")`, `to("invoices/2026-11")`. */
  readonly to: (page: string) => string;
}

/** The open workspace and what the person may do in it. */
export function useWorkspace(): Workspace {
  const membership = useMembership();
  if (!membership) throw new Error("this page is outside a workspace");
  return useMemo(() => {
    const actions = new Set(membership.actions);
    return {
      id: membership.workspace_id,
      name: membership.workspace_name,
      subscription: membership.subscription,
      role: membership.role,
      actions,
      may: (action) => actions.has(action),
      to: (page) => `/w/${membership.workspace_id}/${page}`,
    };
  }, [membership]);
}
