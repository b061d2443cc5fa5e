// The reference model: folders and tags.
import type { Call, Operation } from "./call.ts";
import { deletedCounts, updatedFields } from "./call.ts";
import { type Fields, type Item, invalid } from "./input.ts";
import { listed } from "./snippets.ts";
import type { Group, Snippet } from "./state.ts";

export const groupRecord = (call: Call, { noun }: Kind, one: Group) => ({
  id: one.id,
  [`${noun}_name`]: one.name,
  [`${noun}_color`]: one.color,
  [`parent_${noun}_id`]: one.parent,
  team_id: one.team,
  workspace_id: call.key.workspace.id,
  created_at: one.created,
  updated_at: one.updated,
});

export interface Kind {
  readonly noun: "folder" | "tag";
  readonly Noun: "Folder" | "Tag";
  readonly all: (call: Call) => Group[];
  readonly holds: (snippet: Snippet, id: string) => boolean;
}
export const folder: Kind = {
  noun: "folder",
  Noun: "Folder",
  all: ({ library }) => library.folders,
  holds: (each, id) => each.folder === id,
};
export const tag: Kind = {
  noun: "tag",
  Noun: "Tag",
  all: ({ library }) => library.tags,
  holds: (each, id) => each.tags.includes(id),
};
export const find = (call: Call, kind: Kind, id: unknown) => kind.all(call).find((each) => each.id === id);

export function requireParent(call: Call, kind: Kind, team: string, parent: unknown, child?: string): void {
  const field = `parent${kind.Noun}Id`;
  if (!parent) return;
  if (find(call, kind, parent)?.team !== team) throw invalid(`${field} must be a ${kind.noun} of the same team`);
  for (let above = find(call, kind, parent); above; above = find(call, kind, above.parent))
    if (above.id === child) throw invalid(`${field} must not be the ${kind.noun} itself or a ${kind.noun} inside it`);
}
export function createGroup(call: Call, kind: Kind, input: Fields): Group {
  const [team, parent] = [String(input.teamId), input[`parent${kind.Noun}Id`]];
  call.team(team);
  requireParent(call, kind, team, parent);
  const group = {
    ...{ id: call.newId(), team, created: call.now, updated: call.now, parent: (parent as string) ?? null },
    ...{ name: String(input[`${kind.noun}Name`]), color: String(input[`${kind.noun}Color`]) },
  };
  kind.all(call).push(group);
  return group;
}
export function changeGroup(call: Call, kind: Kind, id: unknown, changes: Fields): Group {
  const group = call.required(kind.Noun, find(call, kind, id));
  const { [`${kind.noun}Name`]: name, [`${kind.noun}Color`]: color, [`parent${kind.Noun}Id`]: parent } = changes;
  requireParent(call, kind, group.team, parent, group.id);
  if (name !== undefined) group.name = String(name);
  if (color !== undefined) group.color = String(color);
  if (parent !== undefined) group.parent = parent as string | null;
  group.updated = call.now;
  return group;
}
/** @returns how many snippets were in it */
export function removeGroup(call: Call, kind: Kind, group: Group): number {
  const all = kind.all(call);
  all.splice(all.indexOf(group), 1);
  for (const child of all) if (child.parent === group.id) child.parent = null;
  const inside = call.library.snippets.filter((each) => kind.holds(each, group.id));
  for (const snippet of inside)
    if (kind.noun === "folder") snippet.folder = null;
    else snippet.tags = snippet.tags.filter((id) => id !== group.id);
  return inside.length;
}
/** Newest first. */
export const inside = (call: Call, kind: Kind, id: string) =>
  call.library.snippets
    .filter((each) => kind.holds(each, id))
    .sort((one, two) =>
      one.created === two.created ? (one.id < two.id ? 1 : -1) : one.created < two.created ? 1 : -1,
    );
export const paginate = (limit: number, offset: number, total: number) => ({
  ...{ limit, offset, totalSnippets: total, hasMore: offset + limit < total },
  ...{ currentPage: Math.floor(offset / limit) + 1, totalPages: Math.ceil(total / limit) },
});
export const pageOf = (call: Call, whenAbsent: number) => ({
  limit: call.sent.integer("limit", 1, 100, whenAbsent),
  offset: call.sent.integer("offset", 0, undefined, 0),
});

/** The operations that folders and tags share. */
export function groupOperations(kind: Kind): Record<string, Operation> {
  const { noun, Noun } = kind;
  const idOf = (call: Call) => call.sent.requiredId(Noun, `${noun}Id`, "id");
  const idsOf = (call: Call) => call.sent.requiredIds(Noun, `${noun}Ids`, "ids");
  return {
    [`get${Noun}`]: (call) => {
      const [id, { limit, offset }] = [idOf(call), pageOf(call, 50)];
      return () => {
        const group = call.required(Noun, find(call, kind, id));
        const all = inside(call, kind, group.id);
        const snippets = all.slice(offset, offset + limit).map((each) => listed(call, each));
        const pagination = paginate(limit, offset, all.length);
        return { data: { [noun]: groupRecord(call, kind, group), snippets }, pagination, items: snippets.length };
      };
    },
    [`post${Noun}`]: (call) => (body) => {
      const group = createGroup(call, kind, body as Fields);
      const metadata = { folderId: group.id, folderName: group.name, createdAt: group.created };
      return { data: { [noun]: groupRecord(call, kind, group) }, ...(noun === "folder" && { metadata }) };
    },
    [`put${Noun}`]: (call) => {
      const id = idOf(call);
      return (body) => {
        const group = changeGroup(call, kind, id, body as Fields);
        return { data: { [noun]: groupRecord(call, kind, group) }, metadata: updatedFields(body as Fields) };
      };
    },
    [`delete${Noun}`]: (call) => {
      const id = idOf(call);
      return () => {
        const group = call.required(Noun, find(call, kind, id));
        const metadata = { deletedFolderId: group.id, snippetsOrphaned: removeGroup(call, kind, group) };
        return { data: { message: `${Noun} deleted` }, metadata: noun === "folder" ? metadata : {} };
      };
    },
    [`post${Noun}s`]: (call) => (body) => {
      const { done, errors, metadata, items } = call.each(
        body as Item[],
        (input) => groupRecord(call, kind, createGroup(call, kind, input)),
        "createdCount",
      );
      return { data: { [`created${Noun}s`]: done, errors }, metadata, items };
    },
    [`put${Noun}s`]: (call) => (body) => {
      const change = ({ id, ...changes }: Fields) => groupRecord(call, kind, changeGroup(call, kind, id, changes));
      const { done, errors, metadata, items } = call.each(body as Item[], change, "updatedCount");
      return { data: { [`updated${Noun}s`]: done, errors }, metadata, items };
    },
    [`delete${Noun}s`]: (call) => {
      const ids = idsOf(call);
      return () => {
        const { rows } = call.among(ids, kind.all(call));
        for (const group of rows) removeGroup(call, kind, group);
        const data = { message: `${rows.length} of ${ids.length} ${noun}s deleted` };
        return { data, metadata: deletedCounts(ids.length, rows.length), items: rows.length };
      };
    },
  };
}

export const folderAndTagOperations: Readonly<Record<string, Operation>> = {
  ...groupOperations(folder),
  ...groupOperations(tag),
  getFolders: (call) => {
    const [ids, { limit, offset }] = [call.sent.requiredIds("Folder", "folderIds", "ids"), pageOf(call, 20)];
    return () => {
      const { rows, counts } = call.among(ids, call.library.folders);
      const folders = rows.map((each) => {
        const all = inside(call, folder, each.id);
        const snippets = all.slice(offset, offset + limit).map((one) => listed(call, one));
        return { ...groupRecord(call, folder, each), snippets, total_snippets: all.length };
      });
      const totals = folders.map((each) => each.total_snippets);
      const totalSnippets = totals.reduce((sum, total) => sum + total, 0);
      const pagination = { ...paginate(limit, offset, Math.max(0, ...totals)), totalSnippets };
      const items = rows.length + folders.reduce((sum, { snippets }) => sum + snippets.length, 0);
      return { data: { folders }, metadata: counts, pagination, items };
    };
  },
  getTags: (call) => {
    const ids = call.sent.requiredIds("Tag", "tagIds", "ids");
    return () => {
      const { rows, counts } = call.among(ids, call.library.tags);
      return { data: { tags: rows.map((each) => groupRecord(call, tag, each)) }, metadata: counts, items: rows.length };
    };
  },
};
