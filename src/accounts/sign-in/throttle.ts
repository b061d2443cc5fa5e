// Slows down guessing of passwords and codes without locking anybody out. A network with too many failures waits for a minute at most;
// at one account, each further attempt only takes longer. A person with the right password always gets in. What is counted is in the
// database: all nodes count together, and a restart forgets nothing.
import { consoleErrors } from "../../contract/console/errors.ts";
import { networkOf } from "../../platform/client-network.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { addMilliseconds, dayMilliseconds, hourMilliseconds, minuteMilliseconds } from "../../platform/time.ts";
import { forgetTimes, lockTimes, saveTimes, type ThrottleKind } from "./throttle.store.ts";

/** Failures of one network in a minute. Further attempts are refused before they cost a hash. */
export const failuresMax = 30;
/** Failures at one account without a delay: people mistype. */
const freeFailures = 3;
const delayFirstMilliseconds = 250;
export const delayMaxMilliseconds = 4_000;
/** The longest possible address (RFC 5321). Longer input is cut. */
const accountLengthMax = 254;

/** The most invitations that are emailed in 24 hours. */
export const invitationMailsMax = { ofWorkspace: 200, toAddress: 5 } as const;
/** The most alerts that a workspace emails to an address in 24 hours. */
export const alertMailsMax = 50;

/** How long an attempt counts, and how many of a name are kept, the newest. */
const kinds: Readonly<Record<ThrottleKind, { readonly keptMilliseconds: number; readonly most: number }>> = {
  network: { keptMilliseconds: minuteMilliseconds, most: failuresMax },
  account: { keptMilliseconds: 15 * minuteMilliseconds, most: freeFailures + 8 },
  /** Password reset links, so that nobody mails to a list of addresses. */
  "mailing network": { keptMilliseconds: hourMilliseconds, most: 20 },
  "mailed address": { keptMilliseconds: hourMilliseconds, most: 3 },
  /** Invitations, which strangers receive: by each workspace, and to each address from all of them. */
  "inviting workspace": { keptMilliseconds: dayMilliseconds, most: invitationMailsMax.ofWorkspace },
  "invited address": { keptMilliseconds: dayMilliseconds, most: invitationMailsMax.toAddress },
  /** Alerts of a workspace to each address. */
  "alerted address": { keptMilliseconds: dayMilliseconds, most: alertMailsMax },
};

/**
 * Makes an attempt that may be a guess at an account's password or code, after the delay that earlier failures at the account cause.
 * @throws Refusal `rate_limited` for a network with too many failures
 */
export type Attempt = <T>(
  clientAddress: string,
  account: string,
  attempt: () => Promise<T>,
  hasFailed: (outcome: T) => boolean,
) => Promise<T>;

export interface SignInThrottle {
  readonly attempt: Attempt;
  /** Called after a successful sign-in. */
  readonly forgetFailures: (account: string) => Promise<void>;
}

export function openThrottle(
  database: Pick<Database, "transaction">,
  pause: (milliseconds: number) => Promise<void>,
): SignInThrottle {
  return {
    attempt: async (clientAddress, account, attempt, hasFailed) => {
      const names = { network: networkOf(clientAddress), account: account.slice(0, accountLengthMax) };
      // Counted before the outcome is known, so that simultaneous attempts all count.
      const counted = await database.transaction((transaction) => count(transaction, names));
      if ("waitSeconds" in counted) throw consoleErrors.tooManyAttempts(counted.waitSeconds);
      let isFailure = false;
      try {
        if (counted.delayMilliseconds > 0) await pause(counted.delayMilliseconds);
        const outcome = await attempt();
        isFailure = hasFailed(outcome);
        return outcome;
      } finally {
        // A failure of our own is not a wrong guess.
        if (!isFailure) await database.transaction((transaction) => retract(transaction, names, counted.at));
      }
    },
    forgetFailures: (account) =>
      database.transaction(async (transaction) =>
        forgetTimes(transaction, "account", account.slice(0, accountLengthMax)),
      ),
  };
}

/** Counts a mail to the address, requested by this client. @returns false where too many were requested */
export async function admitMail(transaction: Transaction, clientAddress: string, email: string): Promise<boolean> {
  return (
    (await add(transaction, "mailing network", networkOf(clientAddress))) &&
    (await add(transaction, "mailed address", email))
  );
}

/** Counts an invitation that is emailed. @throws Refusal `rate_limited` for a workspace or an address with too many */
export async function admitInvitationMail(transaction: Transaction, workspaceId: string, email: string): Promise<void> {
  const { ofWorkspace, toAddress } = invitationMailsMax;
  if (!(await add(transaction, "inviting workspace", workspaceId)))
    throw consoleErrors.tooManyInvitationMails(
      ofWorkspace,
      await secondsUntilFree(transaction, "inviting workspace", workspaceId),
    );
  if (!(await add(transaction, "invited address", email)))
    throw consoleErrors.tooManyInvitationsTo(toAddress, await secondsUntilFree(transaction, "invited address", email));
}

/** Counts an alert that is emailed. @returns how many more are admitted now; undefined for one too many */
export async function admitAlertMail(
  transaction: Transaction,
  workspaceId: string,
  email: string,
): Promise<number | undefined> {
  const name = `${workspaceId} ${email}`;
  if (!(await add(transaction, "alerted address", name))) return undefined;
  return alertMailsMax - (await recentTimes(transaction, "alerted address", name)).length;
}

async function secondsUntilFree(transaction: Transaction, kind: ThrottleKind, name: string): Promise<number> {
  const [oldest = transaction.now] = await recentTimes(transaction, kind, name);
  const milliseconds = Date.parse(oldest) + kinds[kind].keptMilliseconds - Date.parse(transaction.now);
  return Math.max(1, Math.ceil(milliseconds / 1_000));
}

/** Adds an attempt where the name has fewer than the most. @returns false where it has not */
async function add(transaction: Transaction, kind: ThrottleKind, name: string): Promise<boolean> {
  const { keptMilliseconds, most } = kinds[kind];
  const recent = await recentTimes(transaction, kind, name);
  if (recent.length >= most) return false;
  saveTimes(transaction, kind, name, [...recent, transaction.now], keptMilliseconds);
  return true;
}

interface Names {
  readonly network: string;
  readonly account: string;
}

/** The delay is the same for accounts that do not exist. */
type Counted = { readonly waitSeconds: number } | { readonly at: string; readonly delayMilliseconds: number };

async function count(transaction: Transaction, { network, account }: Names): Promise<Counted> {
  const { now } = transaction;
  if (!(await add(transaction, "network", network)))
    return { waitSeconds: await secondsUntilFree(transaction, "network", network) };
  const failures = await recentTimes(transaction, "account", account);
  const { keptMilliseconds, most } = kinds.account;
  saveTimes(transaction, "account", account, [...failures, now].slice(-most), keptMilliseconds);
  const delayMilliseconds =
    failures.length < freeFailures
      ? 0
      : Math.min(delayMaxMilliseconds, delayFirstMilliseconds * 2 ** (failures.length - freeFailures));
  return { at: now, delayMilliseconds };
}

async function retract(transaction: Transaction, { network, account }: Names, at: string): Promise<void> {
  for (const [kind, name] of [["network", network] as const, ["account", account] as const]) {
    const times = await recentTimes(transaction, kind, name);
    const index = times.lastIndexOf(at);
    if (index >= 0) saveTimes(transaction, kind, name, times.toSpliced(index, 1), kinds[kind].keptMilliseconds);
  }
}

async function recentTimes(transaction: Transaction, kind: ThrottleKind, name: string): Promise<string[]> {
  const since = addMilliseconds(transaction.now, -kinds[kind].keptMilliseconds);
  return (await lockTimes(transaction, kind, name)).filter((time) => time > since);
}
