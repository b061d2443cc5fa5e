// The reference model: folders, tags, and what is deleted.
import { type Call, listed, named, newestFirst, type Operations, updatedFields } from "./call.ts";
import { invalid } from "./input.ts";
import { capital, type Fields, type Group, type Noun, type Row } from "./state.ts";

function requireParent(call: Call, noun: Group, team: string, parent: unknown, child?: string): void {
  const field = `parent${capital(noun)}Id`;
  if (parent && call.peek(noun, parent)?.team_id !== team) throw invalid(`${field} must be a ${noun} of the same team`);
  for (let above = call.peek(noun, parent); above; above = call.peek(noun, above[`parent_${noun}_id`]))
    if (above.id === child) throw invalid(`${field} must not be the ${noun} itself or a ${noun} inside it`);
}
export const inside = ({ library }: Call, noun: Group, id: string): Row[] =>
  library.snippet
    .filter(({ folder_id, tag_ids }) => (noun === "folder" ? folder_id === id : tag_ids.includes(id)))
    .sort(newestFirst("created_at"));
const paginate = ({ limit, offset }: Fields, total: number) => ({
  ...{ limit, offset, totalSnippets: total, hasMore: offset + limit < total },
  ...{ currentPage: Math.floor(offset / limit) + 1, totalPages: Math.ceil(total / limit) },
});

/** Takes them out of the library. @returns how many snippets were in them */
function remove(call: Call, noun: Noun, rows: readonly Row[]): number {
  const { library, now, key } = call;
  const isGone = (id: string | null) => rows.some((row) => row.id === id);
  library[noun] = library[noun].filter(({ id }) => !isGone(id));
  for (const row of rows) call.note(noun, "deleted", row);
  if (noun === "snippet") library.trash.push(...rows.map((row) => ({ ...row, deleted_at: now, deleted_by: key.id })));
  if (noun === "snippet") return 0;
  const orphaned = rows.flatMap(({ id }) => inside(call, noun, id));
  for (const group of library[noun]) if (isGone(group[`parent_${noun}_id`])) group[`parent_${noun}_id`] = null;
  for (const snippet of orphaned) {
    if (isGone(snippet.folder_id)) snippet.folder_id = null;
    snippet.tag_ids = snippet.tag_ids.filter((id: string) => !isGone(id));
  }
  return orphaned.length;
}
/** What snippets, folders, and tags share. */
export const deletions = (noun: Noun): Operations => ({
  [`delete${capital(noun)}`]: (call, { id }) => {
    const metadata = { deletedFolderId: id, snippetsOrphaned: remove(call, noun, [call.find(noun, id)]) };
    return { data: { message: `${capital(noun)} deleted` }, metadata: noun === "folder" ? metadata : {} };
  },
  [`delete${capital(noun)}s`]: (call, { ids }) => {
    const { rows, counts } = call.among(noun, ids);
    remove(call, noun, rows);
    const { requestedCount, accessibleCount: deletedCount } = counts;
    const others = { inaccessibleCount: requestedCount - deletedCount, accessibleCount: deletedCount };
    const data = { message: `${deletedCount} of ${requestedCount} ${noun}s deleted` };
    return { data, metadata: { requestedCount, deletedCount, ...others }, cost: deletedCount };
  },
});
/** What folders and tags share. */
function operationsOf(noun: Group): Operations {
  const [Noun, parentId] = [capital(noun), `parent${capital(noun)}Id`];
  const create = (call: Call, { teamId, ...fields }: Fields) => {
    call.team(teamId);
    requireParent(call, noun, teamId, fields[parentId]);
    const group: Row = { ...call.newOwned(teamId), [`parent_${noun}_id`]: null, ...named(fields) };
    call.library[noun].push(group);
    call.note(noun, "created", group);
    return group;
  };
  const change = (call: Call, { id, ...changes }: Fields) => {
    const group = call.find(noun, id);
    requireParent(call, noun, group.team_id, changes[parentId], id);
    call.note(noun, Object.keys(changes).join() === parentId ? "moved" : "changed", group);
    return Object.assign(group, named(changes), { updated_at: call.now });
  };
  return {
    ...deletions(noun),
    [`get${Noun}`]: (call, { id, limit, offset }) => {
      const [group, all] = [call.find(noun, id), inside(call, noun, id)];
      const snippets = all.slice(offset, offset + limit).map(listed);
      const pagination = paginate({ limit, offset }, all.length);
      return { data: { [noun]: group, snippets }, pagination, cost: 1 + snippets.length };
    },
    [`post${Noun}`]: (call, _, body) => {
      const group = create(call, body);
      const metadata = { folderId: group.id, folderName: group.folder_name, createdAt: group.created_at };
      return { data: { [noun]: group }, ...(noun === "folder" && { metadata }) };
    },
    [`put${Noun}`]: (call, { id }, body) => {
      return { data: { [noun]: change(call, { id, ...body }) }, metadata: updatedFields(body) };
    },
    [`post${Noun}s`]: (call, _, { [`${noun}s`]: items }) =>
      call.each(items, "createdCount", `created${Noun}s`, (item) => create(call, item)),
    [`put${Noun}s`]: (call, _, { [`${noun}s`]: items }) =>
      call.each(items, "updatedCount", `updated${Noun}s`, (item) => change(call, item)),
  };
}

export const groupOperations: Operations = {
  ...operationsOf("folder"),
  ...operationsOf("tag"),
  getFolders: (call, { ids, limit, offset }) => {
    const { rows, counts } = call.among("folder", ids);
    const folders = rows.map((folder) => {
      const all = inside(call, "folder", folder.id);
      return { ...folder, snippets: all.slice(offset, offset + limit).map(listed), total_snippets: all.length };
    });
    const totals = folders.map((each) => each.total_snippets);
    const totalSnippets = totals.reduce((sum, total) => sum + total, 0);
    const pagination = { ...paginate({ limit, offset }, Math.max(0, ...totals)), totalSnippets };
    const cost = rows.length + folders.flatMap(({ snippets }) => snippets).length;
    return { data: { folders }, metadata: counts, pagination, cost };
  },
  getTags: (call, { ids }) => call.rows("tag", ids, (tags) => ({ tags })),
};
