// The reference model: imports of one format, the JSON of VS Code, whose snippets go into a folder with the name of the file.
import { type Call, contentOf, type Operations, type Result } from "./call.ts";
import { invalid, quotaExceeded } from "./input.ts";
import type { Fields, Row } from "./state.ts";

/** What is compared of a snippet in the file and of one in the team. */
const comparable = ({ title, shortcut, ...more }: Fields): Fields => {
  const { type, content } = more.variations ? contentOf(more.variations[0]) : more;
  return { title, shortcut, type, content };
};
const likenesses: readonly (readonly [match: string, keyOf: (of: Fields) => unknown])[] = [
  ["both", ({ shortcut, type, content }) => shortcut && [shortcut, type, content]],
  ["text", ({ content }) => content],
  ["shortcut", ({ shortcut, type, title }) => shortcut && [shortcut, type, title]],
  ["shortcut", ({ shortcut, type }) => shortcut && [shortcut, type]],
];

/** The snippet of the team that each one in the file is taken for, the most similar first. */
function duplicatesOf(found: readonly Fields[], team: readonly Row[]) {
  const duplicates = new Map<Fields, { readonly row: Row; readonly match: string }>();
  const left = new Set(team);
  for (const [match, keyOf] of likenesses)
    for (const each of found) {
      const key = keyOf(each);
      const isLike = (row: Row) => Bun.deepEquals(keyOf(comparable(row)), key);
      const row = key && !duplicates.has(each) ? [...left].find(isLike) : undefined;
      if (row) duplicates.set(each, { row, match });
      if (row) left.delete(row);
    }
  return duplicates;
}

export function importFile(call: Call, query: Fields, file: Fields, operations: Operations): Result {
  const { teamId, folderId = null, fileName, onDuplicate, allOrNothing, dryRun } = query;
  const run = (name: string, of: Fields, body: Fields) => operations[name]?.(call, of, body).data as Fields;
  call.team(teamId);
  if (folderId !== null && call.peek("folder", folderId)?.team_id !== teamId)
    throw invalid("folderId must be a folder in the team");
  const inTeam = (rows: readonly Row[]) =>
    rows.filter(({ team_id }) => team_id === teamId).sort((one, two) => (one.id < two.id ? -1 : 1));
  const found = Object.entries(file).map(([title, { prefix = null, body }]): Fields => {
    return { title, shortcut: prefix, type: "plaintext", content: body };
  });
  const duplicates = duplicatesOf(found, inTeam(call.library.snippet));
  const actionOf = (each: Fields): string => (duplicates.has(each) && onDuplicate !== "keep" ? onDuplicate : "create");
  const planned = (action: string) => found.filter((each) => actionOf(each) === action);
  const [name] = fileName.split(".");
  const known = inTeam(call.library.folder).findLast((each) => {
    return each.folder_name === name && each.parent_folder_id === folderId;
  });
  const [folderCount, createdCount] = [known ? 0 : 1, planned("create").length];
  const counts = {
    ...{ createdCount, skippedCount: planned("skip").length, folderCount, tagCount: 0, remainingCount: 0 },
    ...{ replacedCount: planned("replace").length, problemCount: 0, warningCount: 0 },
  };
  const empty = {
    format: "vscode",
    created_snippets: [],
    snippets: [],
    table: null,
    folders: [],
    tags: [],
    problems: [],
    warnings: [],
  };
  if (dryRun) {
    const snippets = found.map((each) => {
      const { row, match } = duplicates.get(each) ?? {};
      const duplicate = row ? { snippetId: row.id, title: row.title, match } : null;
      const { title, shortcut, type } = each;
      return { title, shortcut, content_type: type, folder: name, action: actionOf(each), duplicate };
    });
    const folders = [{ name, parent: null, is_new: !known, snippet_count: createdCount }];
    const data = { ...empty, import_id: null, is_finished: false, snippets, folders };
    return { data, metadata: counts, cost: 1 };
  }
  const needed = 1 + folderCount + createdCount + counts.replacedCount;
  if (allOrNothing && needed > call.key.workspace.balance) throw quotaExceeded(needed, call.key.workspace.balance);
  const folder = { teamId, folderName: name, folderColor: "#777c86", parentFolderId: folderId };
  const into = known?.id ?? run("postFolder", {}, folder).folder.id;
  const created_snippets = planned("create").map(({ type, content, ...fields }) =>
    run("postSnippet", {}, { ...fields, content: { type, content }, teamId, folderId: into }),
  );
  let replacedCount = 0;
  for (const each of planned("replace")) {
    const row = duplicates.get(each)?.row as Row;
    const [first] = row.variations;
    const before = first.versions.length;
    run("putSnippet", { id: row.id }, { content: { type: each.type, content: each.content } });
    replacedCount += first.versions.length - before;
  }
  const data = { ...empty, import_id: call.newId(), is_finished: true, created_snippets };
  return { data, metadata: { ...counts, replacedCount }, cost: 1 + folderCount + createdCount + replacedCount };
}
