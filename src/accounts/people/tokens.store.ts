// The rows of personal access tokens, as their owner sees them. sessions.store.ts reads them to authorize calls.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface AccessTokenRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly name: string;
  readonly secret_start: string;
  readonly scopes: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string;
}

const columns = sql`t.id, t.workspace_id, w.name as workspace_name, t.name, t.secret_start, t.scopes, t.created_at,
  t.last_used_at, t.expires_at`;
const select = sql`select ${columns} from access_tokens t join workspaces w on w.id = t.workspace_id`;

export interface WorkspaceTokenRow extends AccessTokenRow {
  readonly person_id: string;
  readonly person_name: string;
  readonly person_email: string;
}

/** Lists the tokens of a workspace, newest first. */
export const listWorkspaceTokens = (transaction: Transaction, workspaceId: string): Promise<WorkspaceTokenRow[]> =>
  transaction.all<WorkspaceTokenRow>(
    sql`select ${columns}, t.person_id, p.name as person_name, p.email as person_email
        from access_tokens t join workspaces w on w.id = t.workspace_id join people p on p.id = t.person_id
        where t.workspace_id = ${workspaceId} order by t.created_at desc, t.id desc`,
  );

/** Lists the tokens of a person, newest first. Expired ones are listed too, until they are removed, to explain why a program stopped. */
export const listTokens = (transaction: Transaction, personId: string): Promise<AccessTokenRow[]> =>
  transaction.all<AccessTokenRow>(sql`${select} where t.person_id = ${personId} order by t.created_at desc, t.id desc`);

export const findTokenById = (
  transaction: Transaction,
  personId: string,
  id: string,
): Promise<AccessTokenRow | undefined> =>
  transaction.first<AccessTokenRow>(sql`${select} where t.person_id = ${personId} and t.id = ${id}`);

export interface NewAccessToken {
  readonly id: string;
  readonly workspace_id: string;
  readonly person_id: string;
  readonly name: string;
  readonly secret_hash: string;
  readonly secret_start: string;
  readonly scopes: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export const insertToken = (transaction: Transaction, token: NewAccessToken): void =>
  transaction.insert("access_tokens", [{ ...token, last_used_at: null }]);

export const removeToken = (transaction: Transaction, personId: string, id: string): Promise<number> =>
  transaction.run(sql`delete from access_tokens where person_id = ${personId} and id = ${id}`);

/** Ends all tokens of a person. @returns how many ended */
export const removeAllTokens = (transaction: Transaction, personId: string): Promise<number> =>
  transaction.run(sql`delete from access_tokens where person_id = ${personId}`);
