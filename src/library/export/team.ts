// Reads a team as the tree that formats write.
import { limits } from "../../contract/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { folderStore } from "../folders.store.ts";
import type { Tree, TreeGroup, TreeSnippet, TreeVersion } from "../formats/tree.ts";
import { tagStore } from "../tags.store.ts";
import {
  type ExportedSnippet,
  type ExportedVariation,
  listForExport,
  listTagsForExport,
  listVariationsForExport,
  listVersionsForExport,
} from "./team.store.ts";

/** Snippets that are read at once, with all that belongs to them. */
const snippetsAtOnce = 50;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

interface ReadTeamOptions {
  /** False leaves out earlier versions, which only the archive has. */
  readonly withVersions?: boolean;
  /** Receives how many snippets were read. */
  readonly onProgress?: (snippets: number) => void;
}

export async function readTeam(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  { withVersions = true, onProgress = () => undefined }: ReadTeamOptions = {},
): Promise<Tree> {
  const [folders, tags] = await Promise.all([
    folderStore.listCounted(transaction, workspaceId, [teamId], limits.foldersMax),
    tagStore.listCounted(transaction, workspaceId, [teamId], limits.tagsMax),
  ]);
  const snippets: TreeSnippet[] = [];
  for (let afterId: string | undefined = beforeAllIds; afterId !== undefined; ) {
    const rows = await listForExport(transaction, workspaceId, teamId, afterId, snippetsAtOnce);
    if (rows.length > 0) snippets.push(...(await toTree(transaction, workspaceId, rows, withVersions)));
    onProgress(snippets.length);
    afterId = rows.length === snippetsAtOnce ? rows.at(-1)?.id : undefined;
  }
  return {
    folders: parentsFirst(
      folders.map((row) => ({
        key: row.id,
        name: row.folder_name,
        color: row.folder_color,
        parent: row.parent_folder_id,
      })),
    ),
    tags: parentsFirst(
      tags.map((row) => ({ key: row.id, name: row.tag_name, color: row.tag_color, parent: row.parent_tag_id })),
    ),
    snippets,
  };
}

/** Groups that were moved may be older than the one that they are in. */
function parentsFirst(groups: readonly TreeGroup[]): TreeGroup[] {
  const inside = Map.groupBy(groups, ({ parent }) => parent);
  const sorted: TreeGroup[] = [...(inside.get(null) ?? [])];
  for (const { key } of sorted) sorted.push(...(inside.get(key) ?? []));
  return sorted;
}

async function toTree(
  transaction: Transaction,
  workspaceId: string,
  rows: readonly ExportedSnippet[],
  withVersions: boolean,
): Promise<TreeSnippet[]> {
  const ids = rows.map(({ id }) => id);
  const [further, former, tagged] = await Promise.all([
    listVariationsForExport(transaction, workspaceId, ids),
    withVersions ? listVersionsForExport(transaction, workspaceId, ids) : [],
    listTagsForExport(transaction, workspaceId, ids),
  ]);
  const variations = Map.groupBy(further, (row) => row.snippet_id);
  const versions = Map.groupBy(former, placeOf);
  const tags = Map.groupBy(tagged, (row) => row.snippet_id);
  const versionOf = (row: Omit<ExportedVariation, "name">): TreeVersion => ({
    type: row.content_type,
    content: row.content,
    changedAt: row.changed_at,
  });
  return rows.map((row) => {
    const first = { ...row, snippet_id: row.id, name: row.variation_name };
    return {
      title: row.title,
      note: row.snippet_note,
      shortcut: row.shortcut,
      folder: row.folder_id,
      tags: (tags.get(row.id) ?? []).map(({ tag_id }) => tag_id),
      isArchived: Boolean(row.is_archived),
      variations: [first, ...(variations.get(row.id) ?? [])].map((each) => ({
        name: each.name,
        ...versionOf(each),
        formerVersions: (versions.get(placeOf(each)) ?? []).map(versionOf),
      })),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  });
}

const placeOf = ({
  snippet_id,
  variation_number,
}: Pick<ExportedVariation, "snippet_id" | "variation_number">): string => `${snippet_id} ${variation_number}`;
