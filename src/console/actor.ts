// Who calls the console.
import type { AuditActor } from "../accounts/audit/audit.ts";
import type { ShownSignIn } from "../accounts/sign-in/policy.ts";
import type { Scopes } from "../contract/console/scopes.ts";

/** Who calls: a person, or a program with a person's access token. */
export interface Actor {
  readonly kind: "person" | "token";
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** The id of the session or of the token. */
  readonly id: string;
  readonly clientAddress: string;
  /** Until then the password does not have to be confirmed again; null if it does. Always null for tokens, which never confirm. */
  readonly confirmedUntil: string | null;
  /** What workspaces with a sign-in policy ask for. */
  readonly signIn: ShownSignIn;
  /** The name of the OpenID provider, for refusals; undefined without one. */
  readonly provider: string | undefined;
  /** What a token may do; undefined for a person, who may do what their roles allow. */
  readonly scopes: Scopes | undefined;
  /** Undefined for a token. */
  readonly session: { readonly id: string; readonly endsAt: string } | undefined;
}

/** The actor as the audit log records it. */
export const auditActorOf = ({ kind, personId, name, clientAddress }: Actor): AuditActor => ({
  kind,
  id: personId,
  name,
  clientAddress,
});
