// The reference model: imports of one format, the JSON of VS Code, whose snippets go into a folder with the name of the file.
import { operation } from "./call.ts";
import { invalid, quotaExceeded } from "./input.ts";
import { contentOf, create, listed, update } from "./nouns.ts";
import type { Fields } from "./state.ts";

/** What a snippet in the file and one in the team have in common, by how it is called: the most similar first. */
const likenesses: readonly (readonly [match: string, keyOf: (of: Fields) => unknown])[] = [
  ["both", ({ shortcut, content }) => shortcut && [shortcut, content]],
  ["text", ({ content }) => content.content],
  ["shortcut", ({ shortcut, content, title }) => shortcut && [shortcut, content.type, title]],
  ["shortcut", ({ shortcut, content }) => shortcut && [shortcut, content.type]],
];
/** The snippet of the team that each one in the file is taken for. */
function duplicatesOf(found: readonly Fields[], team: readonly Fields[]) {
  const duplicates = new Map<Fields, Fields>();
  const left = new Set(team);
  for (const [match, keyOf] of likenesses)
    for (const each of found.filter((one) => keyOf(one) && !duplicates.has(one))) {
      const row = [...left].find((one) => Bun.deepEquals(keyOf(listed(one)), keyOf(each)));
      if (row) duplicates.set(each, { row, match });
      if (row) left.delete(row);
    }
  return duplicates;
}

const parameters = "teamId! folderId fileName:1..200 onDuplicate=skip allOrNothing:flag=false dryRun:flag=false";
export const importFile = operation(parameters, (call, query, file) => {
  const { teamId, folderId = null, fileName, onDuplicate, allOrNothing, dryRun } = query;
  const { balance } = call.key.workspace;
  call.find("team", teamId);
  if (folderId !== null && call.peek("folder", folderId)?.team_id !== teamId)
    throw invalid("folderId must be a folder in the team");
  const inTeam = (rows: readonly Fields[]) =>
    rows.filter(({ team_id }) => team_id === teamId).sort((one, two) => (one.id < two.id ? -1 : 1));
  const found = Object.entries(file).map(([title, { prefix = null, body }]): Fields => {
    return { title, shortcut: prefix, content: { type: "plaintext", content: body } };
  });
  const duplicates = duplicatesOf(found, inTeam(call.library.snippet));
  const actionOf = (each: Fields) => (duplicates.has(each) && onDuplicate !== "keep" ? onDuplicate : "create");
  const planned = (action: string) => found.filter((each) => actionOf(each) === action);
  const [toCreate, toReplace, toSkip] = [planned("create"), planned("replace"), planned("skip")];
  const [name] = fileName.split(".");
  const isInto = (folder: Fields) => folder.folder_name === name && folder.parent_folder_id === folderId;
  const known = inTeam(call.library.folder).findLast(isInto);
  const counts = { createdCount: toCreate.length, skippedCount: toSkip.length, replacedCount: toReplace.length };
  const none = { tagCount: 0, remainingCount: 0, problemCount: 0, warningCount: 0 };
  const metadata = { ...counts, ...none, folderCount: known ? 0 : 1 };
  const empty = { table: null, folders: [], tags: [], problems: [], warnings: [] };
  if (dryRun) {
    const snippets = found.map((each) => {
      const { row, match } = duplicates.get(each) ?? {};
      const duplicate = row ? { snippetId: row.id, title: row.title, match } : null;
      const { title, shortcut, content } = each;
      return { title, shortcut, content_type: content.type, folder: name, action: actionOf(each), duplicate };
    });
    const folders = [{ name, parent: null, is_new: !known, snippet_count: toCreate.length }];
    const result = { format: "vscode", import_id: null, is_finished: false, created_snippets: [], snippets };
    return { data: { ...empty, ...result, folders }, metadata, cost: 1 };
  }
  const cost = 1 + metadata.folderCount + toCreate.length;
  if (allOrNothing && cost + toReplace.length > balance) throw quotaExceeded(cost + toReplace.length, balance);
  const folder = { teamId, folderName: name, folderColor: "#777c86", parentFolderId: folderId };
  const into = known ?? create(call, "folder", folder);
  const created_snippets = toCreate.map((each) => {
    return { snippetId: create(call, "snippet", { ...each, teamId, folderId: into.id }).id };
  });
  const rowOf = (each: Fields) => duplicates.get(each)?.row;
  const replaced = toReplace.filter((each) => !Bun.deepEquals(each.content, contentOf(rowOf(each).variations[0])));
  for (const each of toReplace) update(call, "snippet", rowOf(each).id, { content: each.content });
  const result = { format: "vscode", import_id: call.newId(), is_finished: true, created_snippets, snippets: [] };
  const replacedCount = replaced.length;
  return { data: { ...empty, ...result }, metadata: { ...metadata, replacedCount }, cost: cost + replacedCount };
});
