// The statements on the search index.
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson, list, Sql, sql, type Value } from "../../platform/database/sql.ts";
import type { Block } from "./segment.ts";
import type { TermRange } from "./terms.ts";

/** A change of snippets that is not in the index yet. */
export interface PendingChange {
  readonly id: string;
  readonly snippetIds: readonly string[];
}

/** @param changes none without snippets */
export const insertPending = (transaction: Transaction, workspaceId: string, changes: readonly PendingChange[]): void =>
  transaction.insert(
    "search_pending",
    changes.map(({ id, snippetIds }) => ({
      workspace_id: workspaceId,
      change_id: id,
      snippet_count: snippetIds.length,
      snippet_ids: snippetIds.join(" "),
    })),
  );

/** The changes that wait, behind this one, in the order of their IDs. */
export async function listPending(
  transaction: Transaction,
  workspaceId: string,
  limit: number,
  after?: PendingChange,
): Promise<PendingChange[]> {
  const rows = await transaction.all<{ change_id: string; snippet_ids: string }>(
    sql`select change_id, snippet_ids from search_pending where workspace_id = ${workspaceId}
          and ${after ? sql`change_id > ${after.id}` : sql`1 = 1`} order by change_id limit ${limit}`,
  );
  return rows.map(({ change_id, snippet_ids }) => ({ id: change_id, snippetIds: snippet_ids.split(" ") }));
}

export interface PendingWorkspace {
  readonly workspace_id: string;
  /** How many snippets wait. */
  readonly waiting: number;
  /** The ID of the oldest change. */
  readonly oldest: string;
}

/** The workspaces with at least so many snippets that wait. */
export const listPendingWorkspaces = (transaction: Transaction, least: number): Promise<PendingWorkspace[]> =>
  transaction.all(
    sql`select workspace_id, sum(snippet_count) as waiting, min(cast(change_id as text)) as oldest
        from search_pending group by workspace_id having sum(snippet_count) >= ${least} order by workspace_id`,
  );

/** How many snippets wait in all workspaces, counted for so many changes. */
export async function countPending(transaction: Transaction, changes: number): Promise<number> {
  const row = await transaction.first<{ total: number }>(
    sql`select coalesce(sum(snippet_count), 0) as total from (select snippet_count from search_pending limit ${changes}) pending`,
  );
  return row?.total ?? 0;
}

/** @returns how many of the changes still waited */
export const removePending = (
  transaction: Transaction,
  workspaceId: string,
  changes: readonly PendingChange[],
): Promise<number> =>
  transaction.run(
    sql`delete from search_pending where workspace_id = ${workspaceId} and change_id in ${list(changes.map(({ id }) => id))}`,
  );

/** `making` until it is published; `outdated` while the index is made anew; `removing` once other segments have replaced it. */
type SegmentState = "making" | "ready" | "outdated" | "removing";

export interface Segment {
  /** No other segment ever has it, so what was read of the segment can be kept. */
  readonly id: string;
  readonly segment: number;
  readonly document_count: number;
  readonly has_coarse_terms: boolean | number;
  readonly oldest_at: string;
  readonly newest_at: string;
  readonly state: SegmentState;
}

/** The segments of a workspace that are searched, the one with the newest document first. */
export const listSegments = (transaction: Transaction, workspaceId: string): Promise<Segment[]> =>
  transaction.all(
    sql`select id, segment, document_count, has_coarse_terms, oldest_at, newest_at, state from search_segments
        where workspace_id = ${workspaceId} and state in ('ready', 'outdated') order by newest_at desc, segment`,
  );

/** Greater than the numbers of all segments. */
export async function findNextSegment(transaction: Transaction, workspaceId: string): Promise<number> {
  const row = await transaction.first<{ next: number }>(
    sql`select coalesce(max(segment), 0) + 1 as next from search_segments where workspace_id = ${workspaceId}`,
  );
  return row?.next ?? 1;
}

export const insertSegment = (transaction: Transaction, workspaceId: string, segment: Segment): void =>
  transaction.insert("search_segments", [{ workspace_id: workspaceId, ...segment }]);

export const insertBlocks = (
  transaction: Transaction,
  workspaceId: string,
  segment: number,
  blocks: readonly Block[],
): void =>
  transaction.insert(
    "search_blocks",
    blocks.map((block) => ({ workspace_id: workspaceId, segment, ...block })),
  );

/** @returns false where somebody has begun to remove it */
export const publishSegment = async (
  transaction: Transaction,
  workspaceId: string,
  segment: number,
  { document_count, has_coarse_terms, oldest_at, newest_at }: Omit<Segment, "id" | "segment" | "state">,
): Promise<boolean> =>
  (await transaction.run(
    sql`update search_segments set document_count = ${document_count}, has_coarse_terms = ${has_coarse_terms},
          oldest_at = ${oldest_at}, newest_at = ${newest_at}, state = 'ready'
        where workspace_id = ${workspaceId} and segment = ${segment} and state = 'making'`,
  )) === 1;

/** @returns how many of the segments were in one of these states */
export const retireSegments = (
  transaction: Transaction,
  workspaceId: string,
  segments: readonly number[],
  states: readonly SegmentState[],
): Promise<number> =>
  transaction.run(
    sql`update search_segments set state = 'removing'
        where workspace_id = ${workspaceId} and segment in ${list(segments)} and state in ${list(states)}`,
  );

/** From now on, no segment is merged with those that are searched now. */
export const markOutdated = (transaction: Transaction, workspaceId: string): void =>
  transaction.send(
    sql`update search_segments set state = 'outdated' where workspace_id = ${workspaceId} and state = 'ready'`,
  );

/** Segments to remove: replaced ones, and those whose making began before this time. */
export const listAbandoned = (
  transaction: Transaction,
  workspaceId: string,
  before: string,
): Promise<Pick<Segment, "segment">[]> =>
  transaction.all(
    sql`select segment from search_segments where workspace_id = ${workspaceId}
          and (state = 'removing' or (state = 'making' and newest_at < ${before}))`,
  );

/** Segments that have nothing but blocks, which a damaged index may have. */
export const listStray = (transaction: Transaction, workspaceId: string): Promise<Pick<Segment, "segment">[]> =>
  transaction.all(
    sql`select distinct segment from search_blocks where workspace_id = ${workspaceId}
          and segment not in (select s.segment from search_segments s where s.workspace_id = ${workspaceId})`,
  );

/** Removes the first blocks of a segment. @returns false when it has no more */
export async function removeBlocks(
  transaction: Transaction,
  workspaceId: string,
  segment: number,
  count: number,
): Promise<boolean> {
  const ofSegment = inSegment(workspaceId, segment);
  const last = await transaction.first<{ first_term: string; part: number }>(
    sql`select first_term, part from search_blocks where ${ofSegment} order by first_term, part limit 1 offset ${count - 1}`,
  );
  const portion = last ? sql`(first_term, part) <= (${last.first_term}, ${last.part})` : sql`1 = 1`;
  await transaction.run(sql`delete from search_blocks where ${ofSegment} and ${portion}`);
  return last !== undefined;
}

export const removeSegment = (transaction: Transaction, workspaceId: string, segment: number): void =>
  transaction.send(sql`delete from search_segments where ${inSegment(workspaceId, segment)}`);

/** Greater than every continuation of a term. */
const lastCharacter = "\u{10ffff}";

const inSegment = (workspaceId: string, segment: number): Sql =>
  sql`workspace_id = ${workspaceId} and segment = ${segment}`;

const wantedTexts = new Map<string, readonly string[]>();

/** What is wanted of segments, as rows of a table `q` with the columns place, segment and two bounds. Padded to a power of two, like lists. */
function wantedRows(
  type: "text" | "integer",
  rows: readonly (readonly [segment: number, from: Value, to: Value])[],
): Sql {
  const length = 2 ** Math.ceil(Math.log2(rows.length));
  const [, from = "", to = ""] = rows[0] ?? [];
  const padding = Array.from({ length: length - rows.length }, () => [-1, from, to] as const);
  const key = `${type} ${length}`;
  const row = `(cast(? as integer), cast(? as integer), cast(? as ${type}), cast(? as ${type}))`;
  const texts = wantedTexts.get(key) ?? `(values ${Array<string>(length).fill(row).join(", ")}) q`.split("?");
  wantedTexts.set(key, texts);
  return new Sql(
    texts,
    [...rows, ...padding].flatMap((each, place) => [place, ...each]),
  );
}

/** The blocks that may have the terms of these ranges, each with the place of its range. */
export const findBlocks = (
  transaction: Transaction,
  workspaceId: string,
  ranges: readonly (TermRange & { readonly segment: number })[],
): Promise<{ place: number; data: string }[]> =>
  transaction.all(
    sql`select q.column1 as place, b.data
        from ${wantedRows(
          "text",
          ranges.map(({ segment, term, isPrefix }) => [segment, term, isPrefix ? term + lastCharacter : term]),
        )}
        cross join search_blocks b
        where b.workspace_id = ${workspaceId} and b.segment = q.column2 and b.first_term <= q.column4
          and b.first_term >= coalesce((select max(f.first_term) from search_blocks f
            where f.workspace_id = ${workspaceId} and f.segment = q.column2 and f.first_term < q.column3 and f.first_term > ''),
            q.column3)`,
  );

/** All blocks of terms of a segment behind this one, in order. */
export const listBlocks = (
  transaction: Transaction,
  workspaceId: string,
  segment: number,
  after: Pick<Block, "first_term" | "part">,
  limit: number,
): Promise<Block[]> =>
  transaction.all(
    sql`select first_term, part, data from search_blocks where ${inSegment(workspaceId, segment)}
          and (first_term, part) > (${after.first_term}, ${after.part}) and first_term > ''
        order by first_term, part limit ${limit}`,
  );

/** Blocks of documents from `firstPart` to `lastPart`, in order. */
export const listDocumentBlocks = (
  transaction: Transaction,
  workspaceId: string,
  segment: number,
  firstPart: number,
  lastPart: number,
): Promise<Pick<Block, "data">[]> =>
  transaction.all(
    sql`select data from search_blocks where ${inSegment(workspaceId, segment)} and first_term = ''
          and part >= ${firstPart} and part <= ${lastPart} order by part`,
  );

/** Blocks of documents of several segments, each with the place of what it was asked for, in order. */
export const findDocumentBlocks = (
  transaction: Transaction,
  workspaceId: string,
  wanted: readonly { readonly segment: number; readonly firstPart: number; readonly lastPart: number }[],
): Promise<{ place: number; data: string }[]> =>
  transaction.all(
    sql`select q.column1 as place, b.data
        from ${wantedRows(
          "integer",
          wanted.map(({ segment, firstPart, lastPart }) => [segment, firstPart, lastPart]),
        )}
        cross join search_blocks b
        where b.workspace_id = ${workspaceId} and b.segment = q.column2 and b.first_term = ''
          and b.part >= q.column3 and b.part <= q.column4
        order by q.column1, b.part`,
  );

/** A snippet as the index describes it. */
export interface IndexedSnippet {
  readonly id: string;
  readonly updated_at: string;
  readonly title: string;
  readonly shortcut: string | null;
  readonly note: string | null;
  readonly team_id: string;
  readonly folder_id: string | null;
  readonly content_type: string;
  readonly created_by: string;
  readonly is_archived: boolean | number;
  readonly tagIds: readonly string[];
  /** The texts of its variations; null where they are long. */
  readonly contents: readonly string[] | null;
}

export interface TextsOfRow {
  /** Null for long texts. */
  readonly content: string | null;
  readonly more: unknown;
}

/** The columns with the texts of the variations of a snippet `s`, where each part of them has at most so many bytes. */
export const textsOfRow = (bytesMax: number): Sql => sql`
  case when octet_length(s.content) <= ${bytesMax} and (s.variation_count = 1 or (
      select sum(octet_length(v.content)) from variations v where v.workspace_id = s.workspace_id and v.snippet_id = s.id
    ) <= ${bytesMax}) then s.content end as content,
  case when s.variation_count > 1 and (
      select sum(octet_length(v.content)) from variations v where v.workspace_id = s.workspace_id and v.snippet_id = s.id
    ) <= ${bytesMax} then (
      select json_agg(v.content) from variations v where v.workspace_id = s.workspace_id and v.snippet_id = s.id) end as more`;

export const contentsOf = ({ content, more }: TextsOfRow): string[] | null =>
  content === null ? null : [content, ...(fromJson<string[] | null>(more) ?? [])];

/** @param contentBytesMax longer texts are left out */
export async function listIndexedSnippets(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
  contentBytesMax: number,
): Promise<IndexedSnippet[]> {
  const rows = await transaction.all<Omit<IndexedSnippet, "tagIds" | "contents"> & TextsOfRow & { tag_ids: unknown }>(
    sql`select s.id, s.updated_at, s.title, s.shortcut, s.snippet_note as note, s.team_id, s.folder_id, s.content_type, s.created_by,
          s.is_archived,
          case when s.has_tags then (select json_agg(t.tag_id) from snippet_tags t
            where t.workspace_id = s.workspace_id and t.snippet_id = s.id) end as tag_ids,
          ${textsOfRow(contentBytesMax)}
        from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids)}`,
  );
  return rows.map(({ tag_ids, ...row }) => ({
    ...row,
    tagIds: fromJson<string[] | null>(tag_ids) ?? [],
    contents: contentsOf(row),
  }));
}

/** The texts of the variations of a snippet, each up to a length. */
export async function listTexts(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  lengthMax: number,
): Promise<string[]> {
  const rows = await transaction.all<{ content: string }>(
    sql`select substr(content, 1, ${lengthMax}) as content from snippets where workspace_id = ${workspaceId} and id = ${snippetId}
        union all
        select substr(content, 1, ${lengthMax}) as content from variations
        where workspace_id = ${workspaceId} and snippet_id = ${snippetId}`,
  );
  return rows.map((row) => row.content);
}

/** Which of these snippets are as they were when they were indexed, by when they were changed. */
export const listChangeTimes = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string; updated_at: string }[]> =>
  transaction.all(sql`select id, updated_at from snippets where workspace_id = ${workspaceId} and id in ${list(ids)}`);

export interface SnippetPlace {
  readonly workspace_id: string;
  readonly id: string;
  readonly updated_at: string;
}

/** The snippets of the instance behind this one. */
export const listSnippetPlaces = (
  transaction: Transaction,
  after: SnippetPlace | undefined,
  limit: number,
): Promise<SnippetPlace[]> =>
  transaction.all(
    after
      ? sql`select workspace_id, id, updated_at from snippets where (workspace_id, id) > (${after.workspace_id}, ${after.id})
            order by workspace_id, id limit ${limit}`
      : sql`select workspace_id, id, updated_at from snippets order by workspace_id, id limit ${limit}`,
  );

/** The IDs of the snippets of a workspace behind this one. */
export async function listSnippetIds(
  transaction: Transaction,
  workspaceId: string,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await transaction.all<{ id: string }>(
    sql`select id from snippets where workspace_id = ${workspaceId}
          and ${after === undefined ? sql`1 = 1` : sql`id > ${after}`} order by id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

export async function countSnippets(transaction: Transaction, workspaceId: string): Promise<number> {
  const row = await transaction.first<{ total: number }>(
    sql`select count(*) as total from snippets where workspace_id = ${workspaceId}`,
  );
  return row?.total ?? 0;
}
