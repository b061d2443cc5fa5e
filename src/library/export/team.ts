// Reads a team for an export: in parts, so that no more than one of them has to be in memory, or as the tree that formats write.
import { limits } from "../../contract/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { folderStore } from "../folders.store.ts";
import type { Tree, TreeGroup, TreeSnippet, TreeVersion } from "../formats/tree.ts";
import { tagStore } from "../tags.store.ts";
import {
  type ExportedSize,
  type ExportedSnippet,
  type ExportedVariation,
  listForExport,
  listSizesForExport,
  listTagsForExport,
  listVariationsForExport,
  listVersionsForExport,
  type Selection,
} from "./team.store.ts";

/** Snippets whose sizes are read at once. */
const sizesAtOnce = 1_000;
/** Snippets that are read at once, with all that belongs to them. */
const partSnippetsMax = 100;
const partBytesMax = 2 * 1024 * 1024;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** Snippets that are read together. */
export interface ExportPart {
  readonly ids: readonly string[];
  readonly bytes: number;
}

/** What there is to export, before any text is read. */
export interface ExportPlan {
  readonly parts: readonly ExportPart[];
  readonly snippets: number;
  /** The units that an export costs besides the first one. */
  readonly texts: number;
  /** Of texts and notes, as they are stored. */
  readonly bytes: number;
}

export interface ExportedTeam {
  readonly workspaceId: string;
  readonly teamId: string;
  /** False leaves out earlier versions, which only the archive has. */
  readonly withVersions: boolean;
}

/** @param bytesMax no more is looked at */
export async function planExport(
  transaction: Transaction,
  { workspaceId, teamId, withVersions }: ExportedTeam,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<ExportPlan> {
  const plan = new PlanInProgress();
  for (let afterId: string | undefined = beforeAllIds; afterId !== undefined && plan.bytes <= bytesMax; ) {
    const page: Selection = { teamId, afterId, limit: sizesAtOnce };
    const rows = await listSizesForExport(transaction, workspaceId, page, withVersions);
    plan.add(rows);
    afterId = rows.length === sizesAtOnce ? rows.at(-1)?.id : undefined;
  }
  return plan.finish();
}

/** The same for a few snippets that are known. */
export async function planExportOf(
  transaction: Transaction,
  { workspaceId, withVersions }: ExportedTeam,
  ids: readonly string[],
): Promise<ExportPlan> {
  const plan = new PlanInProgress();
  if (ids.length > 0) plan.add(await listSizesForExport(transaction, workspaceId, { ids }, withVersions));
  return plan.finish();
}

class PlanInProgress {
  readonly #parts: ExportPart[] = [];
  #ids: string[] = [];
  #partBytes = 0;
  #snippets = 0;
  #texts = 0;
  bytes = 0;

  add(sizes: readonly ExportedSize[]): void {
    for (const { id, ...size } of sizes) {
      // PostgreSQL's sums are texts.
      const [bytes, texts] = [Number(size.bytes), Number(size.texts)];
      if (this.#ids.length === partSnippetsMax || this.#partBytes + bytes > partBytesMax) this.#endPart();
      this.#ids.push(id);
      this.#partBytes += bytes;
      this.#snippets += 1;
      this.#texts += texts;
      this.bytes += bytes;
    }
  }

  finish(): ExportPlan {
    this.#endPart();
    return { parts: this.#parts, snippets: this.#snippets, texts: this.#texts, bytes: this.bytes };
  }

  #endPart(): void {
    if (this.#ids.length > 0) this.#parts.push({ ids: this.#ids, bytes: this.#partBytes });
    [this.#ids, this.#partBytes] = [[], 0];
  }
}

export interface TeamGroups {
  readonly folders: readonly TreeGroup[];
  readonly tags: readonly TreeGroup[];
}

/** @returns undefined for a team with more folders or tags than `most` */
export async function readGroups(
  transaction: Transaction,
  { workspaceId, teamId }: ExportedTeam,
  most = Math.max(limits.foldersMax, limits.tagsMax),
): Promise<TeamGroups | undefined> {
  const [folders, tags] = await Promise.all([
    folderStore.listCounted(transaction, workspaceId, [teamId], most + 1),
    tagStore.listCounted(transaction, workspaceId, [teamId], most + 1),
  ]);
  if (Math.max(folders.length, tags.length) > most) return undefined;
  return {
    folders: parentsFirst(
      folders.map((row) => ({
        key: row.id,
        name: row.folder_name,
        color: row.folder_color,
        parent: row.parent_folder_id,
        ...timesOf(row),
      })),
    ),
    tags: parentsFirst(
      tags.map((row) => ({
        key: row.id,
        name: row.tag_name,
        color: row.tag_color,
        parent: row.parent_tag_id,
        ...timesOf(row),
      })),
    ),
  };
}

const timesOf = (row: { readonly created_at: string; readonly updated_at: string }) => ({
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Groups that were moved may be older than the one that they are in. */
function parentsFirst(groups: readonly TreeGroup[]): TreeGroup[] {
  const inside = Map.groupBy(groups, ({ parent }) => parent);
  const sorted: TreeGroup[] = [...(inside.get(null) ?? [])];
  for (const { key } of sorted) sorted.push(...(inside.get(key) ?? []));
  return sorted;
}

/** All folders and tags, of which a workspace has a limited number. */
export async function readAllGroups(transaction: Transaction, team: ExportedTeam): Promise<TeamGroups> {
  const groups = await readGroups(transaction, team);
  if (!groups) throw new Error("a team has more folders or tags than its workspace may have");
  return groups;
}

/** All of a team at once. */
export async function readTeam(
  transaction: Transaction,
  team: ExportedTeam,
  plan?: ExportPlan,
  groups?: TeamGroups,
): Promise<Tree> {
  const { folders, tags } = groups ?? (await readAllGroups(transaction, team));
  const snippets: TreeSnippet[] = [];
  for (const part of (plan ?? (await planExport(transaction, team))).parts)
    snippets.push(...(await readPart(transaction, team, part)));
  return { folders, tags, snippets };
}

export async function readPart(
  transaction: Transaction,
  { workspaceId, withVersions }: ExportedTeam,
  { ids }: ExportPart,
): Promise<TreeSnippet[]> {
  const [rows, further, former, tagged] = await Promise.all([
    listForExport(transaction, workspaceId, ids),
    listVariationsForExport(transaction, workspaceId, ids),
    withVersions ? listVersionsForExport(transaction, workspaceId, ids) : [],
    listTagsForExport(transaction, workspaceId, ids),
  ]);
  const variations = Map.groupBy(further, (row) => row.snippet_id);
  const versions = Map.groupBy(former, placeOf);
  const tags = Map.groupBy(tagged, (row) => row.snippet_id);
  return rows.map((row) => ({
    ...snippetOf(
      row,
      (tags.get(row.id) ?? []).map(({ tag_id }) => tag_id),
    ),
    variations: [firstVariationOf(row), ...(variations.get(row.id) ?? [])].map((each) => ({
      name: each.name,
      ...versionOf(each),
      formerVersions: (versions.get(placeOf(each)) ?? []).map(versionOf),
    })),
  }));
}

/** What a snippet has besides its texts. */
export const snippetOf = (row: ExportedSnippet, tags: readonly string[]): Omit<TreeSnippet, "variations"> => ({
  title: row.title,
  note: row.snippet_note,
  shortcut: row.shortcut,
  folder: row.folder_id,
  tags,
  isArchived: Boolean(row.is_archived),
  ...timesOf(row),
});

export const firstVariationOf = (row: ExportedSnippet): ExportedVariation => ({
  ...row,
  snippet_id: row.id,
  name: row.variation_name,
});

export const versionOf = (row: Omit<ExportedVariation, "name">): TreeVersion => ({
  type: row.content_type,
  content: row.content,
  changedAt: row.changed_at,
});

const placeOf = ({
  snippet_id,
  variation_number,
}: Pick<ExportedVariation, "snippet_id" | "variation_number">): string => `${snippet_id} ${variation_number}`;
