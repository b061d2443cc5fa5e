// ./commonplace serve --try: a private instance for one person on this machine, with a folder, an account, and examples of its own.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { addMember } from "./accounts/members/members.store.ts";
import { findPersonByEmail, insertPerson } from "./accounts/people/people.store.ts";
import { makeSignInToken, signInLink } from "./accounts/people/sign-in-links.ts";
import type { FirstStart, StartLink } from "./banner.ts";
import { type Config, type Environment, readConfig } from "./config.ts";
import { recordActsIn } from "./library/acts.ts";
import type { Caller } from "./library/call.ts";
import { addExamples } from "./library/examples/examples.ts";
import { noteChangesIn } from "./library/feed/write.ts";
import { storeBytesIn } from "./metering/storage/storage.ts";
import type { Transaction } from "./platform/database/database.ts";
import { OperatorError } from "./platform/operator-error.ts";
import type { Service } from "./service.ts";

/** Nobody signs in with this address: the account has no password. */
const person = { name: "You", email: "you@example.com" };

/** The environment can replace them. */
const defaults = {
  COMMONPLACE_HTTP_PORT: "off",
  COMMONPLACE_REQUESTS_PER_MINUTE: "100000",
  COMMONPLACE_MONTHLY_REQUESTS: "1000000000",
} as const;

/** With them, others could reach the instance, the link would lead elsewhere, or it would not be the instance in the folder. */
const excluded = [
  ...["COMMONPLACE_HOST", "COMMONPLACE_TRUSTED_PROXIES", "COMMONPLACE_DATABASE_URL", "COMMONPLACE_CONSOLE"],
  ...["COMMONPLACE_FIRST_KEY", "COMMONPLACE_URL"],
] as const;

/** @throws OperatorError for a setting that a trial cannot have */
export function trialConfig(environment: Environment): Config {
  const set = excluded.find((name) => environment[name]);
  if (set) throw new OperatorError(`--try starts a private instance on this machine. Unset ${set}, or leave out --try`);
  const data = environment.COMMONPLACE_DATA_DIRECTORY || folderOf(environment);
  return readConfig({ ...defaults, ...environment, COMMONPLACE_DATA_DIRECTORY: data });
}

/** Where the data is if no directory is named: the same wherever the command is run. */
function folderOf({ XDG_DATA_HOME, HOME }: Environment): string {
  const home = XDG_DATA_HOME && isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(HOME || homedir(), ".local/share");
  return join(home, "commonplace-try");
}

export interface Trial {
  /** Undefined unless this start was the first. */
  readonly created: FirstStart | undefined;
  readonly link: StartLink;
}

/**
 * Prepares the instance at its first start, and makes the link for this start.
 * @param createFirst creates the workspace, its team, and a key; undefined if there is a workspace
 * @throws OperatorError for the data of an instance that is not a trial: its link would sign in anyone who sees the terminal
 */
export const prepareTrial = (
  { database, origin }: Service,
  config: Config,
  createFirst: (transaction: Transaction) => Promise<FirstStart | undefined>,
): Promise<Trial> =>
  database.transaction(async (transaction) => {
    const created = await createFirst(transaction);
    const personId = created ? await addPerson(transaction, created, config) : await findOwner(transaction);
    if (personId === undefined)
      throw new OperatorError(
        `${config.dataDirectory} has an instance that was not started with --try. Leave out --try, or name another directory with --data`,
      );
    const url = signInLink(origin, makeSignInToken(transaction, personId));
    return { created, link: { purpose: "sign in", url } };
  });

async function findOwner(transaction: Transaction): Promise<string | undefined> {
  const found = await findPersonByEmail(transaction, person.email);
  return found?.is_operator ? found.id : undefined;
}

/** The operator, who owns the workspace and has the examples. */
async function addPerson(
  transaction: Transaction,
  { workspace_id: workspaceId, team_id: teamId }: FirstStart,
  { trashDays, storageBytesMax }: Config,
): Promise<string | undefined> {
  const id = await insertPerson(transaction, { ...person, isEmailVerified: true, isOperator: true });
  if (id === undefined) return undefined;
  await addMember(transaction, workspaceId, id, "owner");
  const caller: Caller = {
    ...{ id, workspaceId, isAllTeams: true, isPerson: true },
    ...{ teamIds: new Set(), deletedTeamIds: new Set() },
  };
  const call = {
    ...{ transaction, caller, trashDays },
    noteChanges: noteChangesIn(transaction, workspaceId),
    recordActs: recordActsIn(transaction, caller),
    storeBytes: storeBytesIn(transaction, workspaceId, storageBytesMax),
  };
  await addExamples(call, teamId);
  return id;
}
