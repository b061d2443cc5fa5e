// Teams with their folders and tags as the rows of the tree, from top to bottom. What is closed has no rows, so that ten thousand folders cost
// little.
import type { Folder, Tag, Team, Tree } from "../data.ts";

interface RowBase {
  /** Unique in the tree, and the same as long as the folder or tag exists. */
  readonly key: string;
  readonly parentKey: string | undefined;
  readonly name: string;
  readonly team: Team;
  /** From 1. */
  readonly level: number;
  /** From 1, among the rows with the same parent. */
  readonly position: number;
  readonly siblingCount: number;
  /** Undefined without anything inside. */
  readonly isOpen: boolean | undefined;
  /** Snippets in the list that it opens. */
  readonly count: number;
}

export type TreeRow =
  | (RowBase & { readonly kind: "team" })
  | (RowBase & { readonly kind: "folder"; readonly folder: Folder })
  /** The heading of a team's tags. */
  | (RowBase & { readonly kind: "tags" })
  | (RowBase & { readonly kind: "tag"; readonly tag: Tag });

export const teamKey = (id: string): string => `team-${id}`;
export const folderKey = (id: string): string => `folder-${id}`;
export const tagsKey = (teamId: string): string => `tags-${teamId}`;
export const tagKey = (id: string): string => `tag-${id}`;

interface Branch<Group> {
  readonly group: Group;
  readonly inner: readonly Branch<Group>[];
  /** Snippets in it; of a folder, also in the folders inside it. */
  readonly count: number;
}

interface TeamBranch {
  readonly team: Team;
  readonly count: number;
  readonly folders: readonly Branch<Folder>[];
  readonly tags: readonly Branch<Tag>[];
}
/** Sorted and nested. */
export type Forest = readonly TeamBranch[];

const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/**
 * Sorts and nests what the service lists. One whose parent is not among them is at the top. Each counts what the list shows that it opens.
 * @param isArchive the list shows what is archived, and nothing else
 */
export function buildForest({ teams, folders, tags }: Tree, isArchive = false): Forest {
  const countOf: CountOf = ({ snippet_count, archived_count }) =>
    isArchive ? archived_count : snippet_count - archived_count;
  const foldersOf = branches(folders, countOf, (folder) => [folder.parent_folder_id, folder.folder_name]);
  const tagsOf = branches(tags, countOf, (tag) => [tag.parent_tag_id, tag.tag_name], false);
  return teams
    .toSorted((one, other) => compare(one.name, other.name))
    .map((team) => ({ team, count: countOf(team), folders: foldersOf(team.id), tags: tagsOf(team.id) }));
}

type CountOf = (counts: { readonly snippet_count: number; readonly archived_count: number }) => number;

interface Group {
  readonly id: string;
  readonly team_id: string;
  readonly snippet_count: number;
  readonly archived_count: number;
}

/** @returns the outermost groups of a team */
function branches<Row extends Group>(
  rows: readonly Row[],
  countOf: CountOf,
  describe: (row: Row) => readonly [parentId: string | null, name: string],
  isInnerCounted = true,
): (teamId: string) => readonly Branch<Row>[] {
  const ids = new Set(rows.map(({ id }) => id));
  const children = Map.groupBy(rows, (row) => {
    const [parentId] = describe(row);
    return parentId !== null && ids.has(parentId) ? parentId : row.team_id;
  });
  const grow = (parentId: string): readonly Branch<Row>[] =>
    (children.get(parentId) ?? [])
      .toSorted((one, other) => compare(describe(one)[1], describe(other)[1]))
      .map((group) => {
        const inner = grow(group.id);
        const innerCount = isInnerCounted ? inner.reduce((sum, { count }) => sum + count, 0) : 0;
        return { group, inner, count: countOf(group) + innerCount };
      });
  return grow;
}

/** Teams and the headings of tags are open unless one closes them; folders and tags the other way around. */
const isOpenAtFirst = (key: string): boolean => key.startsWith("team-") || key.startsWith("tags-");

/** Whether a row is open. @param toggled the rows that are not as they are at first */
export const isRowOpen = (key: string, toggled: ReadonlySet<string>): boolean =>
  isOpenAtFirst(key) !== toggled.has(key);

/** The rows to show. */
export function listRows(forest: Forest, toggled: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const openIf = (hasInner: boolean, key: string) => (hasInner ? isRowOpen(key, toggled) : undefined);
  const addGroups = <Row extends Folder | Tag>(
    groups: readonly Branch<Row>[],
    place: { team: Team; parentKey: string; level: number; before: number; siblingCount: number },
    describe: (row: Row) => { kind: "folder"; folder: Folder; name: string } | { kind: "tag"; tag: Tag; name: string },
  ): void => {
    const { team, parentKey, level, before, siblingCount } = place;
    for (const [index, { group, inner, count }] of groups.entries()) {
      const described = describe(group);
      const key = described.kind === "folder" ? folderKey(group.id) : tagKey(group.id);
      const isOpen = openIf(inner.length > 0, key);
      const position = before + index + 1;
      rows.push({ ...described, key, parentKey, team, level, position, siblingCount, isOpen, count });
      if (isOpen)
        addGroups(inner, { team, parentKey: key, level: level + 1, before: 0, siblingCount: inner.length }, describe);
    }
  };
  for (const [index, { team, count, folders, tags }] of forest.entries()) {
    const key = teamKey(team.id);
    const hasTags = tags.length > 0;
    const siblingCount = folders.length + (hasTags ? 1 : 0);
    const isOpen = openIf(siblingCount > 0, key);
    const base = { team, isOpen, siblingCount: forest.length, count };
    rows.push({ ...base, kind: "team", key, parentKey: undefined, name: team.name, level: 1, position: index + 1 });
    if (!isOpen) continue;
    const inTeam = { team, parentKey: key, level: 2, before: 0, siblingCount };
    addGroups(folders, inTeam, (folder) => ({ kind: "folder", folder, name: folder.folder_name }));
    if (!hasTags) continue;
    const heading = tagsKey(team.id);
    const areTagsOpen = isRowOpen(heading, toggled);
    rows.push({
      kind: "tags",
      key: heading,
      parentKey: key,
      name: "Tags",
      team,
      level: 2,
      position: siblingCount,
      siblingCount,
      isOpen: areTagsOpen,
      count: tags.length,
    });
    const inTags = { team, parentKey: heading, level: 3, before: 0, siblingCount: tags.length };
    if (areTagsOpen) addGroups(tags, inTags, (tag) => ({ kind: "tag", tag, name: tag.tag_name }));
  }
  return rows;
}

/** What has to be open so that a folder or tag has a row: the keys around it. */
export function keysAround({ folders, tags }: Tree, kind: "folder" | "tag", id: string): readonly string[] {
  const keys: string[] = [];
  const rows: ReadonlyMap<string, { readonly team_id: string; readonly parentId: string | null }> = new Map(
    kind === "folder"
      ? folders.map((row) => [row.id, { team_id: row.team_id, parentId: row.parent_folder_id }])
      : tags.map((row) => [row.id, { team_id: row.team_id, parentId: row.parent_tag_id }]),
  );
  const own = rows.get(id);
  if (!own) return [];
  for (let parentId = own.parentId; parentId !== null && keys.length < rows.size; ) {
    keys.push(kind === "folder" ? folderKey(parentId) : tagKey(parentId));
    parentId = rows.get(parentId)?.parentId ?? null;
  }
  if (kind === "tag") keys.push(tagsKey(own.team_id));
  return [...keys, teamKey(own.team_id)];
}
