// What the console's handlers are given. The same rules serve both doors of the house; here a person calls, not a key.

import type { AuditActor } from "../accounts/audit/audit.ts";
import type { Config } from "../config.ts";
import type { Reach } from "../contract/console/actions.ts";
import type { Clock, Database, Transaction } from "../platform/database/database.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import type { Wait } from "../platform/jobs.ts";
import type { Log } from "../platform/log.ts";
import type { SignIn } from "./sign-in/sign-in.ts";

/** Who acts: a person at the console, or a program with a person's access token. */
export interface Actor {
  readonly kind: "person" | "token";
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** The session of a person, the id of a token. */
  readonly id: string;
  readonly clientAddress: string;
  /** The end of the time in which no password is asked for again; null where it is over. Tokens are never asked. */
  readonly confirmedUntil: string | null;
  /** Undefined for a token. */
  readonly session: { readonly id: string; readonly endsAt: string } | undefined;
}

/** The same as the audit log knows them. */
export const auditActorOf = ({ kind, personId, name, clientAddress }: Actor): AuditActor => ({
  ...{ kind, id: personId, name, clientAddress },
});

/** What every handler may know of the instance. */
export interface Instance {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  /** `https://host[:port]` as people type it, for links. */
  readonly origin: string;
  /** Where the operations of the interface are: for the first call of a new key. */
  readonly baseUrl: string;
  /** The certificate that a client must trust; undefined where the system's own store does. */
  readonly caPath: string | undefined;
  readonly signIn: SignIn;
  readonly log: Log;
  /** How work beside the calls waits for its time; tests have their own. */
  readonly wait: Wait | undefined;
  /** Tells of a failure of our own. */
  readonly report: (requestId: string, cause: unknown) => void;
}

/** A call of a handler that works in the call's own transaction. */
export interface ConsoleCall {
  readonly instance: Instance;
  readonly transaction: Transaction;
  readonly actor: Actor;
  /** The workspace that the query names; the nil id for operations about none. */
  readonly workspaceId: string;
  /** How far the row's action reaches for the actor: all of the workspace, or some teams. */
  readonly reach: Reach;
  readonly requestId: string;
}

/** A call of a handler that opens transactions itself. */
export interface ConsoleVisit {
  readonly instance: Instance;
  /** Undefined only where the row needs nobody. */
  readonly actor: Actor | undefined;
  readonly workspaceId: string;
  readonly reach: Reach;
  readonly requestId: string;
  readonly incoming: IncomingRequest;
}
