// The statements on imports: what each has made, so that it is resumed without doubling anything, and undone as a whole.
import type { Transaction } from "../../platform/database/database.ts";
import { list, name, sql } from "../../platform/database/sql.ts";
import { inTeams } from "../teams.store.ts";

export interface ImportRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly team_id: string;
  readonly source_name: string;
  readonly source_hash: string;
  readonly format: string;
  readonly on_duplicate: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly undone_at: string | null;
  /** How many steps of the plan are done. */
  readonly steps_done: number;
}

const afterAllIds = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const columns = name(
  "id, workspace_id, team_id, source_name, source_hash, format, on_duplicate, created_by, created_at, finished_at, undone_at, steps_done",
);

export const insertImport = (transaction: Transaction, row: ImportRow): void =>
  transaction.insert("imports", [{ ...row }]);

/** The import of these files that was begun and is neither finished nor undone. */
export const findUnfinishedImport = (
  transaction: Transaction,
  {
    workspace_id,
    team_id,
    source_hash,
    on_duplicate,
  }: Pick<ImportRow, "workspace_id" | "team_id" | "source_hash" | "on_duplicate">,
): Promise<ImportRow | undefined> =>
  transaction.first<ImportRow>(
    sql`select ${columns} from imports where workspace_id = ${workspace_id} and team_id = ${team_id} and source_hash = ${source_hash}
          and on_duplicate = ${on_duplicate} and finished_at is null and undone_at is null order by id limit 1`,
  );

/**
 * The imports that began since then, the newest first.
 * @param teamIds undefined for all teams
 * @param beforeId only those before this one
 */
export const listImports = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
  since: string,
  limit: number,
  beforeId = afterAllIds,
): Promise<ImportRow[]> =>
  transaction.all<ImportRow>(
    sql`select ${columns} from imports where workspace_id = ${workspaceId} and ${inTeams("team_id", teamIds)}
          and created_at >= ${since} and id < ${beforeId} order by id desc limit ${limit}`,
  );

/** The import with this ID, in any workspace. */
export const findImport = (transaction: Transaction, id: string): Promise<ImportRow | undefined> =>
  transaction.first<ImportRow>(sql`select ${columns} from imports where id = ${id}`);

export function lockImport(transaction: Transaction, workspaceId: string, id: string): Promise<ImportRow | undefined> {
  transaction.lock("change", sql`select id from imports where workspace_id = ${workspaceId} and id = ${id}`);
  return transaction.first<ImportRow>(
    sql`select ${columns} from imports where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** So that one import at a time begins in a team. */
export const lockTeamOfImport = (transaction: Transaction, workspaceId: string, teamId: string): void =>
  transaction.lock("change", sql`select id from teams where workspace_id = ${workspaceId} and id = ${teamId}`);

export const updateStepsDone = (transaction: Transaction, workspaceId: string, id: string, steps: number): void =>
  transaction.send(sql`update imports set steps_done = ${steps} where workspace_id = ${workspaceId} and id = ${id}`);

export const markFinished = (transaction: Transaction, workspaceId: string, id: string): void =>
  transaction.send(
    sql`update imports set finished_at = ${transaction.now} where workspace_id = ${workspaceId} and id = ${id}`,
  );

export const markUndone = (transaction: Transaction, workspaceId: string, id: string): void =>
  transaction.send(
    sql`update imports set undone_at = ${transaction.now} where workspace_id = ${workspaceId} and id = ${id}`,
  );

export type MadeKind = "folder" | "tag" | "snippet" | "version";

/** Something that an import has made. */
export interface MadeRow {
  readonly kind: MadeKind;
  /** Its place in the tree. */
  readonly place: number;
  readonly id: string;
  /** Of a snippet, a folder, or a tag, when it was changed last: as long as that is so, nobody has changed it since. */
  readonly made_at: string;
  /** Of a new version: its ID, and that of the version before it. */
  readonly version_id: string | null;
  readonly former_version_id: string | null;
}

export const insertMade = (
  transaction: Transaction,
  workspaceId: string,
  importId: string,
  rows: readonly MadeRow[],
): void =>
  transaction.insert(
    "import_rows",
    rows.map((row) => ({ workspace_id: workspaceId, import_id: importId, ...row })),
  );

const ofImport = (workspaceId: string, importId: string) =>
  sql`workspace_id = ${workspaceId} and import_id = ${importId}`;

export const listMade = (
  transaction: Transaction,
  workspaceId: string,
  importId: string,
  kinds: readonly MadeKind[],
  limit: number,
): Promise<MadeRow[]> =>
  transaction.all<MadeRow>(
    sql`select kind, place, id, made_at, version_id, former_version_id from import_rows
        where ${ofImport(workspaceId, importId)} and kind in ${list(kinds)} order by kind, place limit ${limit}`,
  );

export const forgetMade = (
  transaction: Transaction,
  workspaceId: string,
  importId: string,
  kind: MadeKind,
  places: readonly number[],
): void => {
  if (places.length > 0)
    transaction.send(
      sql`delete from import_rows where ${ofImport(workspaceId, importId)} and kind = ${kind} and place in ${list(places)}`,
    );
};

export async function countMade(transaction: Transaction, workspaceId: string, importId: string): Promise<number> {
  const row = await transaction.first<{ total: number }>(
    sql`select count(*) as total from import_rows where ${ofImport(workspaceId, importId)}`,
  );
  return row?.total ?? 0;
}

/** The snippets among these that nobody has changed since the import made them. */
export async function findUnchangedSnippets(
  transaction: Transaction,
  workspaceId: string,
  importId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.all<{ id: string }>(
    sql`select s.id from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids)}
          and s.updated_at = (select r.made_at from import_rows r
            where r.workspace_id = s.workspace_id and r.import_id = ${importId} and r.kind = 'snippet' and r.id = s.id)`,
  );
  return rows.map(({ id }) => id);
}

/** A folder or a tag that an import made, and its place in the tree. */
export interface MadeGroup {
  readonly id: string;
  readonly place: number;
}

/** The folders that an import made, and that are unchanged, with nothing in them. */
export const findEmptyFolders = (
  transaction: Transaction,
  workspaceId: string,
  importId: string,
  limit: number,
): Promise<MadeGroup[]> =>
  transaction.all<MadeGroup>(
    sql`select f.id, r.place from import_rows r
          join folders f on f.workspace_id = r.workspace_id and f.id = r.id and f.updated_at = r.made_at
        where r.workspace_id = ${workspaceId} and r.import_id = ${importId} and r.kind = 'folder'
          and not exists (select 1 from snippets s where s.workspace_id = f.workspace_id and s.folder_id = f.id)
          and not exists (select 1 from folders c where c.workspace_id = f.workspace_id and c.parent_folder_id = f.id)
        order by r.place limit ${limit}`,
  );

/** The tags that an import made, and that are unchanged, without snippets and other tags. */
export const findUnusedTags = (
  transaction: Transaction,
  workspaceId: string,
  importId: string,
  limit: number,
): Promise<MadeGroup[]> =>
  transaction.all<MadeGroup>(
    sql`select g.id, r.place from import_rows r
          join tags g on g.workspace_id = r.workspace_id and g.id = r.id and g.updated_at = r.made_at
        where r.workspace_id = ${workspaceId} and r.import_id = ${importId} and r.kind = 'tag'
          and not exists (select 1 from snippet_tags t where t.workspace_id = g.workspace_id and t.tag_id = g.id)
          and not exists (select 1 from tags c where c.workspace_id = g.workspace_id and c.parent_tag_id = g.id)
        order by r.place limit ${limit}`,
  );

export const forgetAll = (transaction: Transaction, workspaceId: string, importId: string): void =>
  transaction.send(sql`delete from import_rows where ${ofImport(workspaceId, importId)}`);

export const forgetImport = (transaction: Transaction, workspaceId: string, id: string): void =>
  transaction.send(sql`delete from imports where workspace_id = ${workspaceId} and id = ${id}`);

/** Forgets imports that began before this time, and what they made: they can no longer be undone. */
export const forgetImportsBefore = (transaction: Transaction, workspaceId: string, before: string): void =>
  transaction.send(sql`delete from imports where workspace_id = ${workspaceId} and created_at < ${before}`);

/** The workspace of a team. */
export const findTeamPlace = (
  transaction: Transaction,
  teamId: string,
): Promise<{ workspace_id: string; name: string } | undefined> =>
  transaction.first(sql`select workspace_id, name from teams where id = ${teamId} and deleted_at is null`);

export interface ListedForImport {
  readonly id: string;
  readonly title: string;
  readonly shortcut: string | null;
  readonly content_type: string;
  readonly bytes: number;
}

/** The snippets of a team without their texts, but with the bytes of each. */
export const listForImport = (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  afterId: string,
  limit: number,
): Promise<ListedForImport[]> =>
  transaction.all<ListedForImport>(
    sql`select id, title, shortcut, content_type, octet_length(content) as bytes from snippets
        where workspace_id = ${workspaceId} and team_id = ${teamId} and id > ${afterId} order by id limit ${limit}`,
  );

export const findContents = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string; content: string }[]> =>
  transaction.all(sql`select id, content from snippets where workspace_id = ${workspaceId} and id in ${list(ids)}`);

/** The IDs of the snippets, folders, and tags that an import made. */
export async function listMadeIds(transaction: Transaction, workspaceId: string, importId: string): Promise<string[]> {
  const rows = await transaction.all<{ id: string }>(
    sql`select id from import_rows where ${ofImport(workspaceId, importId)} and kind <> 'version'`,
  );
  return rows.map(({ id }) => id);
}

export interface FormerVersionRow {
  readonly snippet_id: string;
  readonly variation_number: number;
  readonly changed_at: string;
  readonly id: string;
  readonly changed_by: string;
  readonly content_type: string;
  readonly content: string;
}

/** Inserts versions that texts had before they were imported. */
export const insertFormerVersions = (
  transaction: Transaction,
  workspaceId: string,
  rows: readonly FormerVersionRow[],
): void =>
  transaction.insert(
    "former_versions",
    rows.map((row) => ({ workspace_id: workspaceId, ...row })),
  );

/** Sets what the rule for new snippets does not: whether one is archived, and the name of its first variation. */
export const completeSnippets = (
  transaction: Transaction,
  workspaceId: string,
  rows: readonly {
    readonly id: string;
    readonly is_archived: boolean;
    readonly variation_name: string;
  }[],
): void =>
  transaction.update(
    "snippets",
    ["workspace_id", "id"],
    rows.map((row) => ({ workspace_id: workspaceId, ...row })),
  );

/** A former version of a snippet. */
export const findFormerVersion = (
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  id: string,
): Promise<{ content_type: string; content: string } | undefined> =>
  transaction.first(
    sql`select content_type, content from former_versions
        where workspace_id = ${workspaceId} and snippet_id = ${snippetId} and id = ${id}`,
  );

/** Forgets the imports of a team, a portion of what they made at a time. @returns how many rows were deleted */
export async function deleteImportsOfTeam(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  limit: number,
): Promise<number> {
  const imports = sql`select id from imports where workspace_id = ${workspaceId} and team_id = ${teamId}`;
  const deleted = await transaction.run(
    sql`delete from import_rows where workspace_id = ${workspaceId} and (import_id, kind, place) in (
          select import_id, kind, place from import_rows where workspace_id = ${workspaceId} and import_id in (${imports}) limit ${limit})`,
  );
  if (deleted > 0) return deleted;
  return transaction.run(sql`delete from imports where workspace_id = ${workspaceId} and team_id = ${teamId}`);
}
