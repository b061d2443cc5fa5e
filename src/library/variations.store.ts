// The rows of variations and of their versions. A text is stored once, as a version; the variation points at the current one.
import type { HistoryRecord, Variation } from "../contract/variations.ts";
import type { Transaction } from "../platform/database/database.ts";
import { assignments, list, type Sql, sql, type Value } from "../platform/database/sql.ts";
import { addMilliseconds } from "../platform/time.ts";

export interface Content {
  readonly type: string;
  readonly content: string;
}

export interface NewVariation {
  readonly snippet_id: string;
  readonly name: string;
  readonly variant_order_index: number;
  readonly content: Content;
}

export function insertVariations(
  transaction: Transaction,
  workspaceId: string,
  variations: readonly NewVariation[],
): void {
  const rows = variations.map((variation) => ({
    ...variation,
    id: transaction.newId(),
    version_id: transaction.newId(),
  }));
  transaction.insert(
    "variations",
    rows.map(({ content: _, ...variation }) => ({
      workspace_id: workspaceId,
      ...variation,
      created_at: transaction.now,
      updated_at: transaction.now,
    })),
  );
  insertVersions(
    transaction,
    workspaceId,
    rows.map(({ id, version_id, content }) => ({
      id: version_id,
      variation_id: id,
      content,
      changed_at: transaction.now,
    })),
  );
}

const insertVersions = (
  transaction: Transaction,
  workspaceId: string,
  versions: readonly { id: string; variation_id: string; content: Content; changed_at: string }[],
): void =>
  transaction.insert(
    "variation_versions",
    versions.map(({ id, variation_id, content, changed_at }) => ({
      workspace_id: workspaceId,
      id,
      variation_id,
      content_type: content.type,
      content: content.content,
      changed_at,
    })),
  );

/** A variation with what decides about it: the team of its snippet. */
export interface OwnedVariation {
  readonly id: string;
  readonly team_id: string;
  readonly variation: Variation;
  /** The version that is current. */
  readonly version: Version;
}

export interface Version {
  readonly id: string;
  readonly changed_at: string;
}

interface VariationRow extends Omit<Variation, "content"> {
  team_id: string;
  content_type: string;
  content: string;
  version_id: string;
  changed_at: string;
}

/** Subqueries and no joins, for the same reason as in snippets.store.ts. */
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
    version: { id: version_id, changed_at },
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

/** Where the variations of these ids belong: enough to decide about them, without their texts. */
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
 * Holds the snippets of these variations, as everything does that changes what a snippet consists of. An array and no join, for the
 * reason above; only PostgreSQL ever sees a lock.
 */
export const holdSnippetsOfVariations = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
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

/** The variation that gives its snippet the content: the one with the lowest order index. */
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

/** Stores a new content as the version that follows `current`. @returns the id to make current */
export function insertVersion(
  transaction: Transaction,
  workspaceId: string,
  variationId: string,
  current: Version,
  content: Content,
): string {
  const id = transaction.newId();
  insertVersions(transaction, workspaceId, [
    { id, variation_id: variationId, content, changed_at: timeAfter(current, { id, changed_at: transaction.now }) },
  ]);
  return id;
}

/**
 * The time of a version that follows another: its own, except where it would not be listed as the newer one. A call that was
 * admitted a moment earlier may get to the snippet later, and ids of two nodes within a millisecond are in no order.
 */
function timeAfter(current: Version, next: Version): string {
  const isNewer =
    next.changed_at > current.changed_at || (next.changed_at === current.changed_at && next.id > current.id);
  return isNewer ? next.changed_at : addMilliseconds(current.changed_at, 1);
}

export const removeVariations = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
  transaction.send(sql`delete from variations where workspace_id = ${workspaceId} and id in ${list(ids)}`);

/** A range of time, both ends included, and how many of its newest versions are wanted. */
interface VersionPage {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

const inRange = (workspaceId: string, variationId: string, { from, to }: VersionPage): Sql =>
  sql`workspace_id = ${workspaceId} and variation_id = ${variationId} and changed_at >= ${from} and changed_at <= ${to}`;

/** How many bytes of text the page holds, without reading it. */
export async function sumVersionBytes(
  transaction: Transaction,
  workspaceId: string,
  variationId: string,
  page: VersionPage,
): Promise<number> {
  const row = await transaction.first<{ bytes: number | null }>(
    sql`select sum(bytes) as bytes from (
          select octet_length(content) as bytes from variation_versions
          where ${inRange(workspaceId, variationId, page)} order by changed_at desc, id desc limit ${page.limit}) page`,
  );
  return row?.bytes ?? 0;
}

/** The page, newest version first, and how many versions there are in the range. */
export async function listVersions(
  transaction: Transaction,
  workspaceId: string,
  variationId: string,
  page: VersionPage,
): Promise<{ records: HistoryRecord[]; total: number }> {
  const where = inRange(workspaceId, variationId, page);
  const counting = transaction.first<{ total: number }>(
    sql`select count(*) as total from variation_versions where ${where}`,
  );
  const listing = transaction.all<{ id: string; changed_at: string; content_type: string; content: string }>(
    sql`select id, changed_at, content_type, content from variation_versions where ${where}
        order by changed_at desc, id desc limit ${page.limit}`,
  );
  const [counted, rows] = await Promise.all([counting, listing]);
  return {
    records: rows.map((row) => ({
      id: row.id,
      changed_at: row.changed_at,
      content: { type: row.content_type, content: row.content },
    })),
    total: counted?.total ?? 0,
  };
}
