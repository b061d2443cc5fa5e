// The statements on variations. The first variation of a snippet lies in the snippet's row, the further ones in rows of their own.
import type { Variation } from "../contract/variations.ts";
import type { Locked, Transaction } from "../platform/database/database.ts";
import { assignments, list, name, type Sql, sql, type Value } from "../platform/database/sql.ts";
import { firstVersionId, twinId } from "./snippet-ids.ts";
import { variationBytes } from "./stored-bytes.store.ts";

/** A text that a variation has or had. */
export interface Version {
  readonly id: string;
  readonly changed_at: string;
  /** Who wrote it; null for who created the snippet. */
  readonly changed_by: string | null;
}

/** Where a variation is. */
export interface VariationPlace {
  readonly snippet_id: string;
  readonly variant_order_index: number;
  /** What its former versions are kept under. It never changes, and no two variations of a snippet share it. */
  readonly variation_number: number;
}

export interface VariationOwner extends VariationPlace {
  readonly id: string;
  readonly team_id: string;
  /** True for the one with the lowest order index, whose content is that of the snippet. */
  readonly isFirst: boolean;
  /** How many variations the snippet has. */
  readonly variationCount: number;
}

/** A variation with the team of its snippet, which decides about access. */
export interface OwnedVariation extends VariationOwner {
  readonly variation: Variation;
  readonly currentVersion: Version;
}

interface OwnerRow extends VariationPlace {
  /** Null for the variation that the snippet was created with. */
  id: string | null;
  team_id: string;
  is_first: number;
  variation_count: number;
}

interface VariationRow extends OwnerRow {
  name: string;
  content_type: string;
  content: string;
  created_at: string;
  updated_at: string;
  version_id: string | null;
  changed_at: string;
  changed_by: string | null;
}

const ownerOfFirst = sql`s.variation_id as id, s.id as snippet_id, s.variant_order_index,
  coalesce(s.variation_number, s.variant_order_index) as variation_number, s.team_id, s.variation_count, 1 as is_first`;
const firstVariation = sql`${ownerOfFirst}, s.variation_name as name, s.content_type, s.content,
  coalesce(s.variation_created_at, s.created_at) as created_at,
  coalesce(s.variation_updated_at, s.created_at) as updated_at, s.version_id, coalesce(s.changed_at, s.created_at) as changed_at, s.changed_by`;

/** Subqueries instead of a join: while PostgreSQL's statistics describe a workspace as small, a join may read the whole workspace. */
const ofSnippet = (column: string): Sql => sql`
  (select s.${name(column)} from snippets s where s.workspace_id = v.workspace_id and s.id = v.snippet_id)`;
const ownerOfFurther = sql`v.id, v.snippet_id, v.variant_order_index,
  coalesce(v.variation_number, v.variant_order_index) as variation_number, ${ofSnippet("team_id")} as team_id,
  ${ofSnippet("variation_count")} as variation_count, 0 as is_first`;
const furtherVariation = sql`${ownerOfFurther}, v.name, v.content_type, v.content,
  coalesce(v.created_at, ${ofSnippet("created_at")}) as created_at, v.updated_at,
  v.version_id, v.changed_at, v.changed_by`;

/** Looks in the three places where a variation can be. */
const select = (first: Sql, further: Sql, workspaceId: string, ids: readonly string[]): Sql => sql`
  select ${first} from snippets s
  where s.workspace_id = ${workspaceId} and s.id in ${list(ids.map(twinId))} and s.variation_id is null
  union all
  select ${first} from snippets s where s.workspace_id = ${workspaceId} and s.variation_id in ${list(ids)}
  union all
  select ${further} from variations v where v.workspace_id = ${workspaceId} and v.id in ${list(ids)}`;

const toOwner = (row: OwnerRow): VariationOwner => ({
  id: row.id ?? twinId(row.snippet_id),
  snippet_id: row.snippet_id,
  variant_order_index: row.variant_order_index,
  variation_number: row.variation_number,
  team_id: row.team_id,
  isFirst: row.is_first === 1,
  variationCount: row.variation_count,
});

const toVariation = (row: VariationRow): OwnedVariation => {
  const owner = toOwner(row);
  return {
    ...owner,
    currentVersion: {
      id: row.version_id ?? firstVersionId(row.snippet_id),
      changed_at: row.changed_at,
      changed_by: row.changed_by,
    },
    variation: {
      id: owner.id,
      name: row.name,
      content: { type: row.content_type, content: row.content },
      snippet_id: row.snippet_id,
      variant_order_index: row.variant_order_index,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  };
};

/** A variation without its text, but with the bytes that it takes, its former versions not counted. */
export interface MeasuredVariation extends VariationOwner {
  readonly bytes: number;
}

const measuredFirst = sql`${ownerOfFirst}, ${variationBytes("variation_name")} as bytes`;
const measuredFurther = sql`${ownerOfFurther}, ${variationBytes("name")} as bytes`;

/** The snippets and teams of variations: enough to check access, without reading their texts. */
export const findVariationOwners = async (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<MeasuredVariation[]> => {
  const rows = await transaction.all<OwnerRow & { bytes: number }>(
    sql`${select(measuredFirst, measuredFurther, workspaceId, ids)}`,
  );
  return rows.map((row) => ({ ...toOwner(row), bytes: row.bytes }));
};

export const findVariations = async (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<OwnedVariation[]> => {
  const rows = await transaction.all<VariationRow>(sql`${select(firstVariation, furtherVariation, workspaceId, ids)}`);
  return rows.map(toVariation);
};

/** The variation with the lowest order index, whose content is that of the snippet. */
export async function findFirstVariation(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
): Promise<OwnedVariation | undefined> {
  const row = await transaction.first<VariationRow>(
    sql`select ${firstVariation} from snippets s where s.workspace_id = ${workspaceId} and s.id = ${snippetId}`,
  );
  return row && toVariation(row);
}

/** The variations of a snippet, in their order. */
export async function listVariations(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
): Promise<OwnedVariation[]> {
  const rows = await transaction.all<VariationRow>(
    sql`select ${firstVariation} from snippets s where s.workspace_id = ${workspaceId} and s.id = ${snippetId}
        union all
        select ${furtherVariation} from variations v where v.workspace_id = ${workspaceId} and v.snippet_id = ${snippetId}
        order by variant_order_index`,
  );
  return rows.map(toVariation);
}

/** The first variation of a snippet with this name. */
export async function findVariationByName(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  variationName: string,
): Promise<OwnedVariation | undefined> {
  const row = await transaction.first<VariationRow>(
    sql`select ${firstVariation} from snippets s
        where s.workspace_id = ${workspaceId} and s.id = ${snippetId} and s.variation_name = ${variationName}
        union all
        select ${furtherVariation} from variations v
        where v.workspace_id = ${workspaceId} and v.snippet_id = ${snippetId} and v.name = ${variationName}
        order by variant_order_index limit 1`,
  );
  return row && toVariation(row);
}

/**
 * Locks the snippets of these variations, see `lockSnippets`. An array instead of a join, for the reason above. SQLite does not know
 * `any (array(…))`, but only PostgreSQL receives locks.
 */
export const lockSnippetsOfVariations = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Locked =>
  transaction.lockVisible(
    "change",
    sql`select id from snippets where workspace_id = ${workspaceId} and id = any (array(
          select s.id from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids.map(twinId))}
            and s.variation_id is null
          union all
          select s.id from snippets s where s.workspace_id = ${workspaceId} and s.variation_id in ${list(ids)}
          union all
          select v.snippet_id from variations v where v.workspace_id = ${workspaceId} and v.id in ${list(ids)})) order by id`,
  );

export interface NewVariation {
  readonly snippet_id: string;
  readonly variant_order_index: number;
  /** Left out, or null, where it is the order index. */
  readonly variation_number?: number | null;
  readonly id: string;
  readonly name: string;
  /** Left out where it is the snippet's. */
  readonly created_at?: string;
  /** Left out for one that is added now. */
  readonly updated_at?: string;
  readonly changed_at?: string;
  readonly version_id: string;
  readonly content_type: string;
  readonly content: string;
}

/**
 * Inserts further variations.
 * @param changedBy who wrote their texts; null for who creates the snippet with them
 */
export const insertVariations = (
  transaction: Transaction,
  workspaceId: string,
  changedBy: string | null,
  variations: readonly NewVariation[],
): void =>
  transaction.insert(
    "variations",
    variations.map((variation) => ({
      workspace_id: workspaceId,
      variation_number: null,
      created_at: null,
      updated_at: transaction.now,
      changed_at: transaction.now,
      ...variation,
      changed_by: changedBy,
    })),
  );

/** Sets these columns of a further variation, and `updated_at`. */
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

/** Deletes further variations. */
export const removeVariations = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
  transaction.send(sql`delete from variations where workspace_id = ${workspaceId} and id in ${list(ids)}`);

/** Moves the next variation of a snippet into the snippet's row, in place of its first one. */
export function replaceFirstVariation(transaction: Transaction, workspaceId: string, snippetId: string): void {
  transaction.send(
    sql`update snippets set (variation_id, variation_name, variant_order_index, variation_number, variation_created_at,
          variation_updated_at, version_id, changed_at, changed_by, content_type, content) = (
            select v.id, v.name, v.variant_order_index, v.variation_number, v.created_at, v.updated_at, v.version_id, v.changed_at,
              v.changed_by, v.content_type, v.content
            from variations v where v.workspace_id = ${workspaceId} and v.snippet_id = ${snippetId}
            order by v.variant_order_index limit 1)
        where workspace_id = ${workspaceId} and id = ${snippetId}`,
  );
  transaction.send(
    sql`delete from variations where workspace_id = ${workspaceId} and id = (
          select s.variation_id from snippets s where s.workspace_id = ${workspaceId} and s.id = ${snippetId})`,
  );
}
