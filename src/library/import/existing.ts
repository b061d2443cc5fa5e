// What a team has that matters to an import: its folders and tags, and the snippets that may be those in the files.

import { limits } from "../../contract/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { folderStore } from "../folders.store.ts";
import type { Tree } from "../formats/tree.ts";
import { tagStore } from "../tags.store.ts";
import { findContents, type ListedForImport, listForImport } from "./imports.store.ts";
import type { Existing, ExistingSnippet } from "./plan.ts";

/** Snippets that are read at once, without their texts and with them. */
const rowsAtOnce = { short: 5_000, texts: 50 };
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** Reads in one transaction, or in one for each portion. */
export type Read = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

/** @param made snippets that the import itself has made: they are nobody's duplicates */
export async function readExisting(
  read: Read,
  { workspaceId, teamId }: { readonly workspaceId: string; readonly teamId: string },
  tree: Tree,
  made: ReadonlySet<string>,
): Promise<Existing> {
  const groups = await read(async (transaction) => ({
    folders: await folderStore.listCounted(transaction, workspaceId, [teamId], limits.foldersMax),
    tags: await tagStore.listCounted(transaction, workspaceId, [teamId], limits.tagsMax),
  }));
  return {
    folders: groups.folders.map((row) => ({ id: row.id, name: row.folder_name, parentId: row.parent_folder_id })),
    tags: groups.tags.map((row) => ({ id: row.id, name: row.tag_name, parentId: row.parent_tag_id })),
    snippets: await readSimilar(read, workspaceId, teamId, tree, made),
  };
}

/** The snippets of the team that share a shortcut with one in the tree, or the length of its text. */
async function readSimilar(
  read: Read,
  workspaceId: string,
  teamId: string,
  { snippets }: Tree,
  made: ReadonlySet<string>,
): Promise<ExistingSnippet[]> {
  const shortcuts = new Set(snippets.flatMap(({ shortcut }) => shortcut || []));
  const lengths = new Set(snippets.map(({ variations: [first] }) => Buffer.byteLength(first?.content ?? "")));
  const similar: ListedForImport[] = [];
  for (let afterId: string | undefined = beforeAllIds; afterId !== undefined; ) {
    const after: string = afterId;
    const rows = await read((transaction) => listForImport(transaction, workspaceId, teamId, after, rowsAtOnce.short));
    for (const row of rows)
      if (!made.has(row.id) && (lengths.has(row.bytes) || (row.shortcut !== null && shortcuts.has(row.shortcut))))
        similar.push(row);
    afterId = rows.length === rowsAtOnce.short ? rows.at(-1)?.id : undefined;
  }
  const sameLength = similar.filter(({ bytes }) => lengths.has(bytes)).map(({ id }) => id);
  const contents = new Map<string, string>();
  const wanted = new Set(snippets.map(({ variations: [first] }) => first?.content ?? ""));
  for (let start = 0; start < sameLength.length; start += rowsAtOnce.texts) {
    const ids = sameLength.slice(start, start + rowsAtOnce.texts);
    // Only texts that are in the tree are kept, so that a large team takes no memory.
    for (const { id, content } of await read((transaction) => findContents(transaction, workspaceId, ids)))
      if (wanted.has(content)) contents.set(id, content);
  }
  return similar
    .filter(({ id, shortcut }) => contents.has(id) || (shortcut !== null && shortcuts.has(shortcut)))
    .map(({ id, title, shortcut, content_type }) => ({
      id,
      title,
      shortcut,
      type: content_type,
      content: contents.get(id),
    }));
}
