// What the handlers of the console receive.
import type { Reach } from "../contract/console/actions.ts";
import type { Transaction } from "../platform/database/database.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import type { Actor } from "./actor.ts";
import type { Authorized } from "./authorize.ts";
import type { ConsoleDependencies } from "./dependencies.ts";
import type { LiveFeed } from "./library/live.ts";
import type { PersonLimit } from "./library/person-limit.ts";
import type { SignIn } from "./sign-in/sign-in.ts";

/** `ConsoleDependencies` plus the sign-in, which the console opens itself. */
export interface ConsoleContext extends ConsoleDependencies {
  readonly signIn: SignIn;
  /** True once the instance has a person. */
  readonly isSetUp: () => Promise<boolean>;
  readonly live: LiveFeed;
  readonly personLimit: PersonLimit;
  readonly knownTokenNetworks: Set<string>;
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
  /** The teams of the workspace that can still be restored. */
  readonly deletedTeamIds: ReadonlySet<string>;
  readonly requestId: string;
}

/** A call whose handler opens its own transactions. */
export interface OwnTransactionCall {
  readonly context: ConsoleContext;
  /** Undefined only for a public operation without a session. */
  readonly actor: Actor | undefined;
  readonly workspaceId: string;
  readonly reach: Reach;
  readonly deletedTeamIds: ReadonlySet<string>;
  readonly requestId: string;
  readonly request: IncomingRequest;
  /** Reads the rights to this call again. @throws Refusal where they are gone */
  readonly authorizeAgain: (transaction: Transaction) => Promise<Authorized>;
}
