// The rows of recent attempts, shared by all nodes. Names are hashed: what people type into the sign-in form is nobody else's business.
import { createHash } from "node:crypto";
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { addMilliseconds } from "../../platform/time.ts";

/** Which attempts are counted together. */
export type ThrottleKind =
  | "network"
  | "account"
  | "mailing network"
  | "mailed address"
  | "inviting workspace"
  | "invited address"
  | "alerted address";

const idOf = (kind: ThrottleKind, name: string): string =>
  createHash("sha256").update(`${kind}:${name}`).digest("base64url");

/** The recent attempts of one name. The row is locked, so that attempts at the same moment count one after the other. */
export async function lockTimes(
  transaction: Transaction,
  kind: ThrottleKind,
  name: string,
): Promise<readonly string[]> {
  const id = idOf(kind, name);
  transaction.send(
    sql`insert into sign_in_attempts (id, times, expires_at) values (${id}, '[]', ${transaction.now})
        on conflict (id) do nothing`,
  );
  transaction.lock("change", sql`select id from sign_in_attempts where id = ${id}`);
  const row = await transaction.first<{ times: string }>(sql`select times from sign_in_attempts where id = ${id}`);
  // Only `saveTimes` writes it.
  return row ? (JSON.parse(row.times) as string[]) : [];
}

/** @param keptMilliseconds how long the newest time counts */
export const saveTimes = (
  transaction: Transaction,
  kind: ThrottleKind,
  name: string,
  times: readonly string[],
  keptMilliseconds: number,
): void =>
  transaction.send(
    sql`update sign_in_attempts
        set times = ${JSON.stringify(times)}, expires_at = ${addMilliseconds(times.at(-1) ?? transaction.now, keptMilliseconds)}
        where id = ${idOf(kind, name)}`,
  );

export const forgetTimes = (transaction: Transaction, kind: ThrottleKind, name: string): void =>
  transaction.send(sql`delete from sign_in_attempts where id = ${idOf(kind, name)}`);
