// The rows of workspaces.
import { consoleLimits } from "../../contract/console/limits.ts";
import type { SignInPolicy } from "../../contract/console/sign-in-policies.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { assignments, type Sql, sql, type Value } from "../../platform/database/sql.ts";

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly monthly_requests: number;
  readonly subscription: "active" | "inactive";
  readonly sign_in_policy: SignInPolicy;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}

const columns = sql`id, name, monthly_requests, subscription, sign_in_policy, created_at, updated_at, deleted_at`;

export async function findWorkspace(transaction: Transaction, id: string): Promise<Workspace | undefined> {
  return transaction.first<Workspace>(sql`select ${columns} from workspaces where id = ${id}`);
}

export async function listWorkspaces(transaction: Transaction): Promise<Workspace[]> {
  return transaction.all<Workspace>(sql`select ${columns} from workspaces order by id`);
}

/**
 * Changes of a workspace and of its members run one after another: two calls must not both ask whether somebody is the last owner. No
 * call of the interface waits for this row.
 */
export const lockForWorkspaceChange = (transaction: Transaction, workspaceId: string): void =>
  transaction.lock("change", sql`select id from workspaces where id = ${workspaceId}`);

/** Lists a page of workspaces by name. @returns one more than the limit where there are more */
export async function listWorkspacePage(
  transaction: Transaction,
  page: {
    /** For `like … escape '!'`. */
    readonly pattern: string | undefined;
    /** Name and id of the last workspace of the previous page. */
    readonly after: readonly string[] | undefined;
    readonly limit: number;
  },
): Promise<Workspace[]> {
  const { pattern, after, limit } = page;
  const anything = sql`1 = 1`;
  const searched: Sql = pattern === undefined ? anything : sql`lower(name) like lower(${pattern}) escape '!'`;
  const following: Sql = after ? sql`(name, id) > (${after[0] ?? ""}, ${after[1] ?? ""})` : anything;
  return transaction.all<Workspace>(
    sql`select ${columns} from workspaces where ${searched} and ${following} order by name, id limit ${limit + 1}`,
  );
}

/** Inserts a workspace that stores nothing yet, with all alerts on. */
export function insertWorkspace(transaction: Transaction, workspace: Workspace): void {
  transaction.insert("workspaces", [{ ...workspace }]);
  transaction.insert("workspace_storage", [{ workspace_id: workspace.id, bytes: 0, bytes_max: null }]);
  transaction.insert("alert_settings", [
    {
      workspace_id: workspace.id,
      is_quota_on: true,
      is_expiry_on: true,
      is_refusals_on: true,
      refusals_max: consoleLimits.alertRefusalsDefault,
      is_to_administrators: true,
    },
  ]);
}

export const updateWorkspace = (transaction: Transaction, id: string, changes: Readonly<Record<string, Value>>): void =>
  transaction.send(
    sql`update workspaces set ${assignments({ ...changes, updated_at: transaction.now })} where id = ${id}`,
  );

/** The workspaces that were deleted before this moment. */
export const listWorkspacesDeletedBefore = (transaction: Transaction, before: string): Promise<{ id: string }[]> =>
  transaction.all(sql`select id from workspaces where deleted_at <= ${before} order by deleted_at, id`);
