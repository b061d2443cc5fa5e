// What the handlers of the console are given.
import type { AuditActor } from "../accounts/audit/audit.ts";
import type { Config } from "../config.ts";
import type { Reach } from "../contract/console/actions.ts";
import type { Clock, Database, Transaction } from "../platform/database/database.ts";
import type { ReportFailure } from "../platform/http/failure.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import type { Wait } from "../platform/jobs.ts";
import type { Log } from "../platform/log.ts";
import type { SignIn } from "./sign-in/sign-in.ts";

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
  /** Until then the password need not be given again; null where it must be. Always null for tokens, which are never asked. */
  readonly confirmedUntil: string | null;
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

/** What the console is given by the service. */
export interface ConsoleDependencies {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  /** The address of the console, for links: `https://host[:port]`. */
  readonly origin: string;
  /** The address of the API, for the first call of a new key. */
  readonly baseUrl: string;
  /** The certificate that a client must trust; undefined where the system trusts it already. */
  readonly caPath: string | undefined;
  readonly log: Log;
  /** How delays are waited for; tests have their own. */
  readonly wait: Wait | undefined;
  readonly report: ReportFailure;
}

/** The same with what the console opened itself. */
export interface ConsoleContext extends ConsoleDependencies {
  readonly signIn: SignIn;
}

/** A call whose handler works in the call's own transaction. */
export interface ConsoleCall {
  readonly context: ConsoleContext;
  readonly transaction: Transaction;
  readonly actor: Actor;
  /** The workspace that the query names; the nil id for operations about none. */
  readonly workspaceId: string;
  /** How far the row's action reaches for the actor: the whole workspace, or some teams. */
  readonly reach: Reach;
  readonly requestId: string;
}

/** A call whose handler opens its own transactions. */
export interface OwnTransactionCall {
  readonly context: ConsoleContext;
  /** Undefined only for a public operation without a session. */
  readonly actor: Actor | undefined;
  readonly workspaceId: string;
  readonly reach: Reach;
  readonly requestId: string;
  readonly request: IncomingRequest;
}
