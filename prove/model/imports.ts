// The reference model: imports of one format, the JSON of VS Code, whose snippets go into a folder with the name of the file.
import { operation } from "./call.ts";
import { invalid } from "./input.ts";
import { contentOf, create, listed, update } from "./nouns.ts";
import type { Fields } from "./state.ts";

/** What a snippet in the file and one in the team have in common, by how it is called: the most similar first. */
const likenesses: readonly (readonly [match: string, keyOf: (of: Fields) => unknown])[] = [
  ["both", ({ shortcut, content }) => shortcut && [shortcut, content]],
  ["text", ({ content }) => content.content],
  ["shortcut", ({ shortcut, content, title }) => shortcut && [shortcut, content.type, title]],
  ["shortcut", ({ shortcut, content }) => shortcut && [shortcut, content.type]],
];

const parameters = "teamId! folderId fileName:1..200 onDuplicate=skip allOrNothing:flag=false dryRun:flag=false | file";
export const importFile = operation(parameters, (call, query, file) => {
  const { teamId, folderId = null, fileName, onDuplicate, allOrNothing, dryRun } = query;
  call.find("team", teamId);
  if (folderId !== null && call.peek("folder", folderId)?.team_id !== teamId)
    throw invalid("folderId must be a folder in the team");
  const inTeam = (rows: readonly Fields[]) =>
    rows.filter(({ team_id }) => team_id === teamId).sort((one, two) => (one.id < two.id ? -1 : 1));
  const found = Object.entries(file).map(([title, { prefix = null, body }]): Fields => {
    return { title, shortcut: prefix, content: { type: "plaintext", content: body } };
  });
  for (const [match, keyOf] of likenesses)
    for (const each of found.filter((one) => keyOf(one) && !one.row)) {
      const left = inTeam(call.library.snippet).filter((row) => !found.some((one) => one.row === row));
      const row = left.find((one) => Bun.deepEquals(keyOf(listed(one)), keyOf(each)));
      if (row) Object.assign(each, { row, match });
    }
  for (const each of found) each.action = each.row && onDuplicate !== "create" ? onDuplicate : "create";
  const planned = (action: string) => found.filter((each) => each.action === action);
  const [toCreate, toReplace, toSkip] = [planned("create"), planned("replace"), planned("skip")];
  const [name] = fileName.split(".");
  const isInto = (folder: Fields) => folder.folder_name === name && folder.parent_folder_id === folderId;
  const known = inTeam(call.library.folder).findLast(isInto);
  const isNew = !known && toCreate.length > 0;
  const counts = { createdCount: toCreate.length, skippedCount: toSkip.length, folderCount: isNew ? 1 : 0 };
  const metadata = { ...counts, tagCount: 0, remainingCount: 0, problemCount: 0, warningCount: 0 };
  const empty = { table: null, folders: [], tags: [], problems: [], warnings: [], createdSnippets: [], snippets: [] };
  const data = { ...empty, format: "vscode", importId: null, isFinished: !dryRun };
  if (dryRun) {
    const snippets = found.map(({ title, shortcut, content, action, row, match }) => {
      const duplicate = row ? { snippet_id: row.id, title: row.title, match } : null;
      return { title, shortcut, content_type: content.type, folder: name, action, duplicate };
    });
    const folders = known || isNew ? [{ name, parent: null, is_new: isNew, snippet_count: toCreate.length }] : [];
    return {
      data: { ...data, folders, snippets },
      metadata: { ...metadata, replacedCount: toReplace.length },
      cost: 1,
    };
  }
  const cost = 1 + metadata.folderCount + toCreate.length;
  if (allOrNothing) call.requireUnits(cost + toReplace.length);
  const folder = { teamId, folderName: name, folderColor: "#777c86", parentFolderId: folderId };
  const into = isNew ? create(call, "folder", folder) : known;
  const createdSnippets = toCreate.map(({ title, shortcut, content }) => {
    const snippet = { title, content, note: null, shortcut, folderId: into?.id, teamId };
    return { snippetId: create(call, "snippet", snippet).id };
  });
  const isChanged = ({ content, row }: Fields) => !Bun.deepEquals(content, contentOf(row.variations[0]));
  const replacedCount = toReplace.filter(isChanged).length;
  for (const { row, content } of toReplace) update(call, "snippet", row.id, { content });
  const result = { ...data, importId: call.newId(), createdSnippets };
  return { data: result, metadata: { ...metadata, replacedCount }, cost: cost + replacedCount };
});
