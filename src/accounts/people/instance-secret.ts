// What all nodes of an instance must share and nobody outside may know: the key that signs cookies and seals one-time codes.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

const secretBytes = 32;

/** The secret of that name, made by whoever asks first. */
export async function instanceSecret(transaction: Transaction, name: string): Promise<string> {
  const find = () => transaction.first<{ value: string }>(sql`select value from instance_secrets where name = ${name}`);
  const known = await find();
  if (known) return known.value;
  const value = crypto.getRandomValues(new Uint8Array(secretBytes)).toBase64({ alphabet: "base64url" });
  await transaction.run(
    sql`insert into instance_secrets (name, value, created_at) values (${name}, ${value}, ${transaction.now})
        on conflict (name) do nothing`,
  );
  const made = await find();
  if (!made) throw new Error(`the secret ${name} can not be stored`);
  return made.value;
}
