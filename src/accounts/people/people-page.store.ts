// The accounts of the instance, page by page, as the operator sees them.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { hasFactor } from "./factors.store.ts";

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly is_operator: boolean | number;
  readonly has_second_factor: boolean | number;
  readonly disabled_at: string | null;
  readonly created_at: string;
  readonly last_seen_at: string | null;
  readonly workspaces: number;
}

const select = sql`
  select p.id, p.name, p.email, p.is_operator, p.disabled_at, p.created_at,
    ${hasFactor} as has_second_factor,
    (select max(s.updated_at) from person_sessions s where s.person_id = p.id) as last_seen_at,
    (select count(*) from memberships m where m.person_id = p.id) as workspaces
  from people p`;

export interface PeoplePage {
  /** For `like … escape '!'`. */
  readonly pattern: string | undefined;
  /** Name and id of the last person of the previous page. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/** Lists accounts by name. @returns one more than the limit where there are more */
export const listPeoplePage = (
  transaction: Transaction,
  { pattern, after, limit }: PeoplePage,
): Promise<AccountRow[]> => {
  const searched =
    pattern === undefined
      ? sql`1 = 1`
      : sql`(lower(p.name) like lower(${pattern}) escape '!' or p.email like lower(${pattern}) escape '!')`;
  const following = after ? sql`(p.name, p.id) > (${after[0] ?? ""}, ${after[1] ?? ""})` : sql`1 = 1`;
  return transaction.all<AccountRow>(
    sql`${select} where p.deleted_at is null and ${searched} and ${following} order by p.name, p.id limit ${limit + 1}`,
  );
};

export const findAccountRow = (transaction: Transaction, id: string): Promise<AccountRow | undefined> =>
  transaction.first<AccountRow>(sql`${select} where p.id = ${id}`);
