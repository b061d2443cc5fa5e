// The statements on the trash: tables with the columns of the library's own, in which deleted snippets lie as a whole.
import type { Locked, Transaction } from "../platform/database/database.ts";
import { list, name, type Sql, sql } from "../platform/database/sql.ts";
import { type ListedRow, type ListedSnippet, listedColumns, toListed } from "./snippets.store.ts";
import { bytesOnDisk } from "./stored-bytes.store.ts";

/** The tables of a snippet, the snippet's own first: how they name the snippet, and all their columns. */
export const snippetTables = [
  {
    name: "snippets",
    snippetId: "id",
    columns: [
      "workspace_id",
      "id",
      "team_id",
      "folder_id",
      "title",
      "snippet_note",
      "shortcut",
      "is_archived",
      "created_by",
      "updated_by",
      "created_at",
      "updated_at",
      "has_tags",
      "variation_count",
      "variation_id",
      "variation_name",
      "variant_order_index",
      "variation_number",
      "variation_created_at",
      "variation_updated_at",
      "version_id",
      "changed_at",
      "changed_by",
      "content_type",
      "content",
    ],
  },
  {
    name: "variations",
    snippetId: "snippet_id",
    columns: [
      "workspace_id",
      "id",
      "snippet_id",
      "name",
      "variant_order_index",
      "variation_number",
      "created_at",
      "updated_at",
      "version_id",
      "changed_at",
      "changed_by",
      "content_type",
      "content",
    ],
  },
  {
    name: "former_versions",
    snippetId: "snippet_id",
    columns: [
      "workspace_id",
      "snippet_id",
      "variation_number",
      "changed_at",
      "id",
      "changed_by",
      "content_type",
      "content",
    ],
  },
  {
    name: "snippet_tags",
    snippetId: "snippet_id",
    columns: ["workspace_id", "snippet_id", "tag_id", "snippet_created_at"],
  },
] as const;

/** The rows of a table that belong to these snippets. */
const ofSnippets = (snippetId: string, workspaceId: string, ids: readonly string[]): Sql =>
  sql`t.workspace_id = ${workspaceId} and t.${name(snippetId)} in ${list(ids)}`;

/** Copies snippets into the trash with all that belongs to them. */
export function copySnippetsToTrash(
  transaction: Transaction,
  workspaceId: string,
  deletedBy: string,
  ids: readonly string[],
): void {
  for (const table of snippetTables) {
    const columns = table.columns.join(", ");
    const rows = sql`from ${name(table.name)} t where ${ofSnippets(table.snippetId, workspaceId, ids)}`;
    transaction.send(
      table.name === "snippets"
        ? sql`insert into trashed_snippets (${name(columns)}, deleted_at, deleted_by)
              select ${name(columns)}, ${transaction.now}, ${deletedBy} ${rows}`
        : sql`insert into trashed_${name(table.name)} (${name(columns)}) select ${name(columns)} ${rows}`,
    );
  }
}

/** Copies snippets back. A folder that was deleted meanwhile becomes null, and such tags are left out. */
export function copySnippetsFromTrash(transaction: Transaction, workspaceId: string, ids: readonly string[]): void {
  for (const table of snippetTables) {
    const columns = table.columns.map((column) => (column === "folder_id" ? existingFolder : `t.${column}`)).join(", ");
    transaction.send(
      sql`insert into ${name(table.name)} (${name(table.columns.join(", "))}) select ${name(columns)}
          from trashed_${name(table.name)} t where ${ofSnippets(table.snippetId, workspaceId, ids)}
          ${name(table.name === "snippet_tags" ? hasExistingTag : "")}`,
    );
  }
}

// Subqueries with one row, which no engine turns into a join that reads all folders or tags of a workspace.
const existingFolder = "(select f.id from folders f where f.workspace_id = t.workspace_id and f.id = t.folder_id)";
const hasExistingTag =
  "and (select g.id from tags g where g.workspace_id = t.workspace_id and g.id = t.tag_id) is not null";

/** Locks snippets in the trash: only one transaction at a time restores or deletes them. */
export const lockTrashed = (transaction: Transaction, workspaceId: string, ids: readonly string[]): Locked =>
  transaction.lockVisible(
    "delete",
    sql`select id from trashed_snippets where workspace_id = ${workspaceId} and id in ${list(ids)} order by id`,
  );

/** Locks the folders and tags of snippets in the trash, which are about to refer to them again. */
export function lockReferencesOfTrashed(transaction: Transaction, workspaceId: string, ids: readonly string[]): void {
  transaction.lock(
    "reference",
    sql`select id from folders where workspace_id = ${workspaceId} and id = any (array(
          select t.folder_id from trashed_snippets t where ${ofSnippets("id", workspaceId, ids)})) order by id`,
  );
  transaction.lock(
    "reference",
    sql`select id from tags where workspace_id = ${workspaceId} and id = any (array(
          select t.tag_id from trashed_snippet_tags t where ${ofSnippets("snippet_id", workspaceId, ids)})) order by id`,
  );
}

/** Deletes snippets from the trash with all that belongs to them. */
export const removeTrashed = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
  transaction.send(sql`delete from trashed_snippets where workspace_id = ${workspaceId} and id in ${list(ids)}`);

/** A part of the trash of a workspace. */
export interface TrashScope {
  /** All teams if undefined. */
  readonly teamIds?: readonly string[] | undefined;
  /** What was deleted after this time. */
  readonly after?: string;
  /** What was deleted at this time or before it. */
  readonly until?: string;
}

const inScope = (workspaceId: string, { teamIds, after, until }: TrashScope): Sql =>
  sql`s.workspace_id = ${workspaceId}
      ${teamIds ? sql`and s.team_id in ${list(teamIds)}` : name("")}
      ${after === undefined ? name("") : sql`and s.deleted_at > ${after}`}
      ${until === undefined ? name("") : sql`and s.deleted_at <= ${until}`}`;

/** The teams of those of the snippets that are in a part of the trash. */
export const findTrashedOwners = (
  transaction: Transaction,
  workspaceId: string,
  scope: TrashScope,
  ids: readonly string[],
): Promise<{ id: string; team_id: string }[]> =>
  transaction.all(
    sql`select s.id, s.team_id from trashed_snippets s where ${inScope(workspaceId, scope)} and s.id in ${list(ids)}`,
  );

interface TrashedRow extends ListedRow {
  deleted_at: string;
  deleted_by: string;
}

/** A snippet in the trash, in a list that was read without texts of more than so many bytes: theirs is null. */
export interface ListedTrash {
  readonly snippet: ListedSnippet;
  readonly deletedAt: string;
  readonly deletedBy: string;
  readonly textBytes: number;
}

/** The snippets in the trash after a position, last deleted first. */
export async function listTrashed(
  transaction: Transaction,
  workspaceId: string,
  scope: TrashScope,
  position: readonly [deletedAt: string, id: string] | undefined,
  limit: number,
  textBytesMax: number,
): Promise<ListedTrash[]> {
  if (scope.teamIds?.length === 0) return [];
  const rows = await transaction.all<TrashedRow>(
    sql`select ${listedColumns(textBytesMax)}, s.deleted_at, s.deleted_by
        from trashed_snippets s where ${inScope(workspaceId, scope)}
        ${position ? sql`and (s.deleted_at, s.id) < (${position[0]}, ${position[1]})` : name("")}
        order by s.deleted_at desc, s.id desc limit ${limit}`,
  );
  const snippets = toListed(rows);
  return rows.map((row, index) => ({
    // One snippet for each row, in their order.
    snippet: snippets[index] as ListedSnippet,
    deletedAt: row.deleted_at,
    deletedBy: row.deleted_by,
    textBytes: row.text_bytes,
  }));
}

export interface TrashedText {
  readonly content: string;
  readonly snippet_note: string | null;
}

/** The texts and notes of snippets in the trash, by their IDs. */
export async function findTrashedTexts(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TrashedText>> {
  const rows = await transaction.all<TrashedText & { id: string }>(
    sql`select t.id, t.content, t.snippet_note from trashed_snippets t where ${ofSnippets("id", workspaceId, ids)}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What a person reads of a deleted snippet besides its texts. */
interface TrashedHead {
  readonly id: string;
  readonly team_id: string;
  readonly title: string;
  readonly snippet_note: string | null;
  readonly shortcut: string | null;
}

export const findTrashedHead = (
  transaction: Transaction,
  workspaceId: string,
  scope: TrashScope,
  id: string,
): Promise<TrashedHead | undefined> =>
  transaction.first<TrashedHead>(
    sql`select s.id, s.team_id, s.title, s.snippet_note, s.shortcut from trashed_snippets s
        where ${inScope(workspaceId, scope)} and s.id = ${id}`,
  );

/** The first deleted of a part of the trash, with the bytes of each. */
export const listOldestTrashed = async (
  transaction: Transaction,
  workspaceId: string,
  scope: TrashScope,
  limit: number,
): Promise<{ id: string; bytes: number }[]> =>
  scope.teamIds?.length === 0
    ? []
    : transaction.all(
        sql`select s.id, ${bytesOnDisk("trash")} as bytes from trashed_snippets s where ${inScope(workspaceId, scope)} order by s.deleted_at, s.id limit ${limit}`,
      );

/** The workspaces after one, by ID, each with the time of its first deletion; null without trash. */
export const listOldestTrashByWorkspace = (
  transaction: Transaction,
  afterId: string,
  limit: number,
): Promise<{ id: string; oldest_at: string | null }[]> =>
  transaction.all(
    sql`select w.id, (select min(t.deleted_at) from trashed_snippets t where t.workspace_id = w.id) as oldest_at
        from workspaces w where w.id > ${afterId} order by w.id limit ${limit}`,
  );
