// The digest of the instance key, by which a node finds out whether it has the same one as the others.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export async function findKeyDigest(transaction: Transaction): Promise<string | undefined> {
  const row = await transaction.first<{ digest: string }>(
    sql`select digest from instance_keys where name = 'instance'`,
  );
  return row?.digest;
}

/** Stores the digest unless another node stored one first. */
export async function insertKeyDigest(transaction: Transaction, digest: string): Promise<void> {
  await transaction.run(
    sql`insert into instance_keys (name, digest, created_at) values ('instance', ${digest}, ${transaction.now})
        on conflict (name) do nothing`,
  );
}

/** Forgets the key, and what can be read only with it. @returns those who had two-factor authentication and have none now */
export function forgetKey(transaction: Transaction): Promise<{ readonly email: string }[]> {
  transaction.send(sql`delete from instance_keys where name = 'instance'`);
  transaction.send(sql`delete from person_second_factors`);
  transaction.send(sql`delete from person_sessions`);
  return transaction.all(
    sql`update people set two_factor_enabled = ${false}, updated_at = ${transaction.now}
        where two_factor_enabled = ${true} returning email`,
  );
}
