// What a team has that matters to an import: its folders and tags, and the snippets that may be those in the files.

import { limits } from "../../contract/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { folderStore } from "../folders.store.ts";
import type { ImportTree, SnippetList } from "../formats/tree.ts";
import { tagStore } from "../tags.store.ts";
import { findContents, type ListedForImport, listForImport } from "./imports.store.ts";
import { type Existing, type ExistingSnippet, textKeyOf } from "./plan.ts";

/** Snippets that are read at once, without their texts and with them. */
const rowsAtOnce = { short: 5_000, texts: 50 };
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** Reads in one transaction, or in one for each portion. */
export type Read = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

/** @param made what the import itself has made: its snippets are nobody's duplicates */
export async function readExisting(
  read: Read,
  { workspaceId, teamId }: { readonly workspaceId: string; readonly teamId: string },
  tree: ImportTree,
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
  { snippets }: ImportTree,
  made: ReadonlySet<string>,
): Promise<ExistingSnippet[]> {
  // Not looked at for a team that has nothing.
  let keys: SnippetKeys | undefined;
  const similar: ListedForImport[] = [];
  for (let afterId: string | undefined = beforeAllIds; afterId !== undefined; ) {
    const after: string = afterId;
    const rows = await read((transaction) => listForImport(transaction, workspaceId, teamId, after, rowsAtOnce.short));
    for (const row of rows) {
      if (made.has(row.id)) continue;
      keys ??= keysOf(snippets);
      if (keys.lengths.has(row.bytes) || (row.shortcut !== null && keys.shortcuts.has(row.shortcut))) similar.push(row);
    }
    afterId = rows.length === rowsAtOnce.short ? rows.at(-1)?.id : undefined;
  }
  if (!keys) return [];
  const { shortcuts, lengths, texts } = keys;
  const sameLength = similar.filter(({ bytes }) => lengths.has(bytes)).map(({ id }) => id);
  const textKeys = new Map<string, string>();
  for (let start = 0; start < sameLength.length; start += rowsAtOnce.texts) {
    const ids = sameLength.slice(start, start + rowsAtOnce.texts);
    for (const { id, content } of await read((transaction) => findContents(transaction, workspaceId, ids))) {
      const key = textKeyOf(content);
      if (texts.has(key)) textKeys.set(id, key);
    }
  }
  return similar
    .filter(({ id, shortcut }) => textKeys.has(id) || (shortcut !== null && shortcuts.has(shortcut)))
    .map(({ id, title, shortcut, content_type }) => ({
      id,
      title,
      shortcut,
      type: content_type,
      textKey: textKeys.get(id),
    }));
}

interface SnippetKeys {
  readonly shortcuts: ReadonlySet<string>;
  /** Of texts, in bytes. */
  readonly lengths: ReadonlySet<number>;
  readonly texts: ReadonlySet<string>;
}

function keysOf(snippets: SnippetList): SnippetKeys {
  const [shortcuts, lengths, texts] = [new Set<string>(), new Set<number>(), new Set<string>()];
  for (const { shortcut, variations } of snippets) {
    const content = variations[0]?.content ?? "";
    if (shortcut) shortcuts.add(shortcut);
    lengths.add(Buffer.byteLength(content));
    texts.add(textKeyOf(content));
  }
  return { shortcuts, lengths, texts };
}
