// The statements on variations. A variation refers to its current version, which has the text.
import type { Variation } from "../contract/variations.ts";
import type { Transaction } from "../platform/database/database.ts";
import { assignments, list, type Sql, sql, type Value } from "../platform/database/sql.ts";
import type { Version } from "./versions.store.ts";

export interface NewVariation {
  readonly id: string;
  readonly snippet_id: string;
  readonly name: string;
  readonly variant_order_index: number;
  readonly version_id: string;
}

export const insertVariations = (
  transaction: Transaction,
  workspaceId: string,
  variations: readonly NewVariation[],
): void =>
  transaction.insert(
    "variations",
    variations.map((variation) => ({
      workspace_id: workspaceId,
      ...variation,
      created_at: transaction.now,
      updated_at: transaction.now,
    })),
  );

/** A variation with the team of its snippet, which decides about access. */
export interface OwnedVariation {
  readonly id: string;
  readonly team_id: string;
  readonly variation: Variation;
  readonly currentVersion: Version;
}

interface VariationRow extends Omit<Variation, "content"> {
  team_id: string;
  content_type: string;
  content: string;
  version_id: string;
  changed_at: string;
}

/** Subqueries instead of joins, for the same reason as in snippets.store.ts. */
const teamId = sql`
  (select s.team_id from snippets s where s.workspace_id = v.workspace_id and s.id = v.snippet_id) as team_id`;
const versionOf = sql`from variation_versions c where c.workspace_id = v.workspace_id and c.id = v.version_id`;

const selectVariations = sql`
  select v.id, v.name, (select c.content_type ${versionOf}) as content_type, (select c.content ${versionOf}) as content,
    v.snippet_id, v.variant_order_index, v.created_at, v.updated_at, ${teamId}, v.version_id,
    (select c.changed_at ${versionOf}) as changed_at
  from variations v`;

const find = async (transaction: Transaction, where: Sql): Promise<OwnedVariation[]> => {
  const rows = await transaction.all<VariationRow>(sql`${selectVariations} where ${where}`);
  return rows.map(({ team_id, content_type, content, version_id, changed_at, ...row }) => ({
    id: row.id,
    team_id,
    currentVersion: { id: version_id, changed_at },
    variation: {
      id: row.id,
      name: row.name,
      content: { type: content_type, content },
      snippet_id: row.snippet_id,
      variant_order_index: row.variant_order_index,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  }));
};

export interface VariationOwner {
  readonly id: string;
  readonly snippet_id: string;
  readonly team_id: string;
}

/** The snippets and teams of variations: enough to check access, without reading their texts. */
export const findVariationOwners = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<VariationOwner[]> =>
  transaction.all<VariationOwner>(
    sql`select v.id, v.snippet_id, ${teamId} from variations v
        where v.workspace_id = ${workspaceId} and v.id in ${list(ids)}`,
  );

/**
 * Locks the snippets of these variations, see `lockSnippets`. An array instead of a join, for the reason above. SQLite does not know
 * `any (array(…))`, but only PostgreSQL receives locks.
 */
export const lockSnippetsOfVariations = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
  transaction.lock(
    "change",
    sql`select id from snippets where workspace_id = ${workspaceId} and id = any (array(
          select snippet_id from variations where workspace_id = ${workspaceId} and id in ${list(ids)})) order by id`,
  );

export const findVariations = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<OwnedVariation[]> => find(transaction, sql`v.workspace_id = ${workspaceId} and v.id in ${list(ids)}`);

/** The variation with the lowest order index, whose content is that of the snippet. */
export async function findFirstVariation(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
): Promise<OwnedVariation | undefined> {
  const [first] = await find(
    transaction,
    sql`v.workspace_id = ${workspaceId} and v.snippet_id = ${snippetId} order by v.variant_order_index limit 1`,
  );
  return first;
}

/** How many variations each of these snippets has. */
export async function countVariations(
  transaction: Transaction,
  workspaceId: string,
  snippetIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await transaction.all<{ snippet_id: string; total: number }>(
    sql`select snippet_id, count(*) as total from variations
        where workspace_id = ${workspaceId} and snippet_id in ${list(snippetIds)} group by snippet_id`,
  );
  return new Map(rows.map((row) => [row.snippet_id, row.total]));
}

export const updateVariation = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
  changes: Readonly<Record<string, Value>>,
): void =>
  transaction.send(
    sql`update variations set ${assignments({ ...changes, updated_at: transaction.now })}
        where workspace_id = ${workspaceId} and id = ${id}`,
  );

export const removeVariations = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
  transaction.send(sql`delete from variations where workspace_id = ${workspaceId} and id in ${list(ids)}`);
