// The rows of secrets that all nodes of an instance share.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export async function findInstanceSecret(transaction: Transaction, name: string): Promise<string | undefined> {
  const row = await transaction.first<{ value: string }>(sql`select value from instance_secrets where name = ${name}`);
  return row?.value;
}

/** Stores the secret unless another node stored one of this name first. */
export async function insertInstanceSecret(transaction: Transaction, name: string, value: string): Promise<void> {
  await transaction.run(
    sql`insert into instance_secrets (name, value, created_at) values (${name}, ${value}, ${transaction.now})
        on conflict (name) do nothing`,
  );
}
