// Counts what a workspace has, up to a maximum.
import type { Transaction } from "../../platform/database/database.ts";
import { name, sql } from "../../platform/database/sql.ts";

/** What a workspace can have so many of, and their rows. */
const rowsOf = {
  key: "api_keys where deleted_at is null and",
  team: "teams where",
  member: "memberships where",
  folder: "folders where",
  tag: "tags where",
} as const;
export type Counted = keyof typeof rowsOf;

/** @returns how many there are, or `most` where there are more */
export async function countUpTo(
  transaction: Transaction,
  what: Counted,
  workspaceId: string,
  most: number,
): Promise<number> {
  const row = await transaction.first<{ total: number }>(
    sql`select count(*) as total from (select 1 from ${name(rowsOf[what])} workspace_id = ${workspaceId} limit ${most}) counted`,
  );
  return row?.total ?? 0;
}
