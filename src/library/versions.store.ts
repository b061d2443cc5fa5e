// The statements on the versions of variations. A version is a text that a variation has or had.
import type { HistoryRecord } from "../contract/variations.ts";
import type { Transaction } from "../platform/database/database.ts";
import { type Sql, sql } from "../platform/database/sql.ts";

export interface Content {
  readonly type: string;
  readonly content: string;
}

export interface Version {
  readonly id: string;
  readonly changed_at: string;
}

export interface NewVersion extends Version {
  readonly variation_id: string;
  readonly content: Content;
}

export const insertVersions = (transaction: Transaction, workspaceId: string, versions: readonly NewVersion[]): void =>
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

/** The newest versions in a range of time that includes both ends. */
export interface VersionPage {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

const inRange = (workspaceId: string, variationId: string, { from, to }: VersionPage): Sql =>
  sql`workspace_id = ${workspaceId} and variation_id = ${variationId} and changed_at >= ${from} and changed_at <= ${to}`;

/** The bytes of text on the page, measured without reading the texts. */
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

/** How many versions the whole range has. */
export async function countVersions(
  transaction: Transaction,
  workspaceId: string,
  variationId: string,
  page: VersionPage,
): Promise<number> {
  const row = await transaction.first<{ total: number }>(
    sql`select count(*) as total from variation_versions where ${inRange(workspaceId, variationId, page)}`,
  );
  return row?.total ?? 0;
}

/** The versions on the page, newest first. */
export async function listVersions(
  transaction: Transaction,
  workspaceId: string,
  variationId: string,
  page: VersionPage,
): Promise<HistoryRecord[]> {
  const rows = await transaction.all<{ id: string; changed_at: string; content_type: string; content: string }>(
    sql`select id, changed_at, content_type, content from variation_versions
        where ${inRange(workspaceId, variationId, page)} order by changed_at desc, id desc limit ${page.limit}`,
  );
  return rows.map((row) => ({
    id: row.id,
    changed_at: row.changed_at,
    content: { type: row.content_type, content: row.content },
  }));
}
