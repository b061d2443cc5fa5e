// The rows of where people sign in and use access tokens, and of attempts that are counted by the minute.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

/** Remembers a sign-in. @returns whether it is the first from there */
export async function rememberSignIn(
  transaction: Transaction,
  personId: string,
  network: string,
  client: string,
): Promise<boolean> {
  const { now } = transaction;
  const inserted = await transaction.run(
    sql`insert into known_sign_ins (person_id, network, client, last_at) values (${personId}, ${network}, ${client}, ${now})
        on conflict (person_id, network, client) do nothing`,
  );
  if (inserted === 0)
    transaction.send(
      sql`update known_sign_ins set last_at = ${now}
          where person_id = ${personId} and network = ${network} and client = ${client}`,
    );
  return inserted === 1;
}

/** How many places a person has signed in from. */
export const countKnownSignIns = async (transaction: Transaction, personId: string): Promise<number> =>
  (
    await transaction.first<{ places: number }>(
      sql`select count(*) as places from known_sign_ins where person_id = ${personId}`,
    )
  )?.places ?? 0;

/** Forgets places that nobody has signed in from for long. */
export const forgetSignInsBefore = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  transaction.run(
    sql`delete from known_sign_ins where (person_id, network, client) in
          (select person_id, network, client from known_sign_ins where last_at < ${before} order by last_at limit ${limit})`,
  );

/** @returns whether the token was not used from this network before */
export const rememberTokenNetwork = async (
  transaction: Transaction,
  tokenId: string,
  network: string,
  most: number,
): Promise<boolean> =>
  (await transaction.run(
    sql`insert into token_networks (token_id, network, first_at)
        select ${tokenId}, ${network}, ${transaction.now}
        where (select count(*) from token_networks where token_id = ${tokenId}) < ${most}
        on conflict (token_id, network) do nothing`,
  )) === 1;

/** Attempts of one kind at an account, from one network, in one minute. */
export interface AttemptKind {
  /** Its first moment. */
  readonly minute: string;
  /** The nil id where no account is known. */
  readonly person_id: string;
  readonly network: string;
  readonly action: string;
  readonly reason: string;
}

export interface CountedAttempts extends AttemptKind {
  readonly attempts: number;
  /** The first of them has an entry of its own. */
  readonly is_recorded: boolean | number;
  readonly last_at: string;
}

/** Counts an attempt. @returns how many it makes */
export async function countAttempt(
  transaction: Transaction,
  { minute, person_id, network, action, reason }: AttemptKind,
): Promise<number> {
  const row = await transaction.first<{ attempts: number }>(
    sql`insert into counted_attempts (minute, person_id, network, action, reason, attempts, is_recorded, last_at)
        values (${minute}, ${person_id}, ${network}, ${action}, ${reason}, 1, ${true}, ${transaction.now})
        on conflict (minute, person_id, network, action, reason)
        do update set attempts = counted_attempts.attempts + 1, last_at = excluded.last_at
        returning attempts`,
  );
  return row?.attempts ?? 1;
}

/** How many kinds were counted in a minute, up to a number. */
export const countKinds = async (transaction: Transaction, minute: string, most: number): Promise<number> =>
  (
    await transaction.first<{ kinds: number }>(
      sql`select count(*) as kinds from (select 1 from counted_attempts where minute = ${minute} limit ${most}) k`,
    )
  )?.kinds ?? 0;

/** Leaves all attempts of this kind to the count. */
export const markUnrecorded = (
  transaction: Transaction,
  { minute, person_id, network, action, reason }: AttemptKind,
): void =>
  transaction.send(
    sql`update counted_attempts set is_recorded = ${false}
        where minute = ${minute} and person_id = ${person_id} and network = ${network} and action = ${action}
          and reason = ${reason}`,
  );

/** Takes the counts of earlier minutes, oldest first. */
export const takeAttemptsBefore = (
  transaction: Transaction,
  minute: string,
  limit: number,
): Promise<CountedAttempts[]> =>
  transaction.all<CountedAttempts>(
    sql`delete from counted_attempts where (minute, person_id, network, action, reason) in
          (select minute, person_id, network, action, reason from counted_attempts where minute < ${minute}
           order by minute, person_id, network, action, reason limit ${limit})
        returning minute, person_id, network, action, reason, attempts, is_recorded, last_at`,
  );
