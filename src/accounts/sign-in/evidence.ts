// Evidence of what happens at sign-in: who signed in, by what, from where, and what was refused. Attempts that repeat are counted.
import { browserName } from "../../contract/console/user-agent.ts";
import { networkOf } from "../../platform/client-network.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { addMinutes, minuteOf } from "../../platform/time.ts";
import { type AuditEntry, noWorkspace, recordAuditEntry } from "../audit/audit.ts";
import { findPerson, saveSingleSignOn } from "../people/people.store.ts";
import * as store from "./evidence.store.ts";

/** The program that a request comes from, as far as it says. */
export interface Client {
  readonly address: string;
  readonly userAgent: string | null;
}

/** The account that is signed in to. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** How a person showed who they are. */
export interface SignInMethod {
  readonly method: "password" | "passkey" | "single_sign_on" | "invitation" | "link";
  readonly second_factor?: "code" | "recovery_code";
}

/** What was wrong, or that nothing was tried. */
export const refusalReasons = [
  "password",
  "code",
  "recovery_code",
  "passkey",
  "single_sign_on",
  "link",
  "confirmation",
  "disabled",
  "too_many",
] as const;
export type SignInRefusal = (typeof refusalReasons)[number];

/** Receives each outcome. It must be quick, and must not throw. */
export interface SignInObserver {
  signedIn(): void;
  refused(reason: SignInRefusal): void;
}

const userAgentLengthMax = 256;

/** What an entry records of the program. The address has a column. */
export const programOf = ({ userAgent }: Client) => ({ user_agent: userAgent?.slice(0, userAgentLengthMax) ?? null });

/**
 * Records a sign-in, in the transaction that opens its session.
 * @returns whether the owner should hear of it: they have signed in before, but not with this browser in this network
 */
export async function recordSignIn(
  transaction: Transaction,
  account: Account,
  client: Client,
  method: SignInMethod,
): Promise<boolean> {
  const { id, name, email } = account;
  if (method.method === "single_sign_on") saveSingleSignOn(transaction, id);
  const network = networkOf(client.address);
  const isNew = await store.rememberSignIn(transaction, id, network, browserName(client.userAgent));
  const places = isNew ? await store.countKnownSignIns(transaction, id) : 0;
  recordAuditEntry(
    transaction,
    noWorkspace,
    { kind: "person", id, name, clientAddress: client.address },
    {
      action: "session.create",
      target: { kind: "account", id, name: email },
      after: { ...method, ...programOf(client), is_new_device: isNew },
    },
  );
  return places > 1;
}

/** The right password of an account that also asks for a code, entered by someone who may not have the code. */
export const recordFirstStep = (transaction: Transaction, account: Account, client: Client): Promise<void> =>
  recordAttempt(transaction, account, client, "sign_in.password", "password");

/** @param account undefined where nothing names an account that exists. What was typed is never recorded */
export const recordRefusedSignIn = (
  transaction: Transaction,
  account: Account | undefined,
  client: Client,
  reason: SignInRefusal,
): Promise<void> => recordAttempt(transaction, account, client, "sign_in.refuse", reason);

/** So many attempts of a minute have an entry of their own, however many networks take part in a flood. */
const recordedInMinute = 500;

/** The first attempt of its kind in a minute makes an entry. Further ones are counted, and make another when the minute is over. */
async function recordAttempt(
  transaction: Transaction,
  account: Account | undefined,
  client: Client,
  action: string,
  reason: string,
): Promise<void> {
  const kind = {
    minute: minuteOf(transaction.now),
    person_id: account?.id ?? noWorkspace,
    network: networkOf(client.address),
    action,
    reason,
  };
  if ((await store.countAttempt(transaction, kind)) > 1) return;
  if ((await store.countKinds(transaction, kind.minute, recordedInMinute + 1)) > recordedInMinute)
    return store.markUnrecorded(transaction, kind);
  recordStranger(transaction, account, client.address, { action, after: { reason, ...programOf(client) } });
}

const recordStranger = (
  transaction: Transaction,
  account: Account | undefined,
  clientAddress: string | null,
  entry: Omit<AuditEntry, "target">,
): void =>
  recordAuditEntry(
    transaction,
    noWorkspace,
    { kind: "unknown", id: null, name: "Someone", clientAddress },
    { ...entry, target: { kind: "account", id: account?.id ?? null, name: account?.email ?? null } },
  );

/** Counts of one transaction. */
const rowsAtOnce = 1_000;

/** Audits what was counted in minutes that are over. @returns how many entries it made */
export async function recordCountedAttempts(database: Database): Promise<number> {
  let entries = 0;
  for (;;) {
    const done = await database.transaction(async (transaction) => {
      // A transaction of the last minute may not have ended yet.
      const before = minuteOf(addMinutes(transaction.now, -1));
      const counts = await store.takeAttemptsBefore(transaction, before, rowsAtOnce);
      const further = mergeCounts(counts).filter(({ attempts }) => attempts > 0);
      for (const { person_id, network, networks, action, reason, attempts, minute, last_at } of further)
        recordStranger(transaction, await findPerson(transaction, person_id), network, {
          action,
          after: { reason, attempts, ...(networks > 1 && { networks }), from: minute, to: last_at },
        });
      return { counts: counts.length, entries: further.length };
    });
    entries += done.entries;
    if (done.counts < rowsAtOnce) return entries;
  }
}

type FurtherAttempts = Omit<store.CountedAttempts, "network" | "is_recorded"> & {
  /** Null for several. */
  readonly network: string | null;
  readonly networks: number;
};

/** What has no entry yet: by network where the first attempt has one, else of all networks together. */
function mergeCounts(counts: readonly store.CountedAttempts[]): FurtherAttempts[] {
  const merged = new Map<string, FurtherAttempts>();
  for (const { is_recorded, ...row } of counts) {
    const attempts = is_recorded ? row.attempts - 1 : row.attempts;
    const id = [row.minute, row.person_id, row.action, row.reason, is_recorded ? row.network : ""].join(" ");
    const known = merged.get(id);
    merged.set(
      id,
      known
        ? {
            ...known,
            network: null,
            networks: known.networks + 1,
            attempts: known.attempts + attempts,
            last_at: row.last_at > known.last_at ? row.last_at : known.last_at,
          }
        : { ...row, attempts, networks: 1 },
    );
  }
  return [...merged.values()];
}
