// Which file belongs to which snippet: by its path, by the ID in it, or by what it says.
import { fileName } from "../../../../src/library/formats/file-names.ts";
import { baseOf, type Document, hashOfText, type ParsedFile, same, stemOf } from "./document.ts";
import type { FoundFile, Item } from "./ports.ts";
import type { Entry } from "./state.ts";

/** A file that could be read. */
export interface LocalFile extends ParsedFile {
  readonly file: FoundFile & { readonly content: string };
}

/** A file whose fields cannot be read. Its snippet stays as it is. */
export interface UnreadableFile {
  readonly file: FoundFile;
}

/** A snippet with what is known of it on either side. At least one of the three is there. */
export interface Case {
  readonly entry: Entry | undefined;
  readonly local: LocalFile | undefined;
  readonly remote: Item | undefined;
}

export interface Sides {
  readonly entries: readonly Entry[];
  readonly locals: readonly LocalFile[];
  readonly unreadable: readonly UnreadableFile[];
  readonly remotes: readonly Item[];
  /** Paths that an earlier one-way sync wrote. */
  readonly formerPaths: ReadonlySet<string>;
  /** The path that a snippet without a file would get if all names were free. */
  readonly firstPath: (remote: Item) => string;
}

export function matchCases(sides: Sides): Case[] {
  const { entries, remotes } = sides;
  const unreadablePaths = new Set(sides.unreadable.map(({ file }) => file.path));
  const remoteById = new Map(remotes.map((remote) => [remote.id, remote]));
  const open = new Map(sides.locals.map((local) => [local.file.path, local]));
  const found = new Map<string, LocalFile>();
  const missing = new Map(
    entries.filter(({ path }) => !unreadablePaths.has(path)).map((entry) => [entry.id, entry] as const),
  );
  const pair = (id: string, local: LocalFile | undefined): void => {
    if (!local) return;
    found.set(id, local);
    open.delete(local.file.path);
    missing.delete(id);
  };
  const each = (choose: (entry: Entry) => LocalFile | undefined): void => {
    for (const entry of [...missing.values()]) pair(entry.id, choose(entry));
  };
  const isKnown = (id: string | undefined) => id !== undefined && (remoteById.has(id) || missing.has(id));
  const byId = Map.groupBy([...open.values()], ({ id }) => id);
  const withId = (id: string): LocalFile | undefined => {
    const all = (byId.get(id) ?? []).filter(({ file }) => open.has(file.path));
    return all.length === 1 ? all[0] : undefined;
  };
  // A file in its place is the snippet's, unless it says that it is another one.
  each(({ id, path }) => (open.get(path)?.id === id ? open.get(path) : undefined));
  each(({ path }) => (isKnown(open.get(path)?.id) ? undefined : open.get(path)));
  each(({ id }) => withId(id));
  const tracked = new Set(entries.map(({ id }) => id));
  const untracked = remotes.filter(({ id }) => !tracked.has(id));
  for (const remote of untracked) pair(remote.id, withId(remote.id));
  each(({ path }) => open.get(path));
  const byText = Map.groupBy([...open.values()], ({ document }) => hashOfText(document.text));
  const withText = (hash: string): LocalFile | undefined => {
    const all = (byText.get(hash) ?? []).filter(
      ({ id, file, document }) => open.has(file.path) && !isKnown(id) && document.text.trim() !== "",
    );
    return all.length === 1 ? all[0] : undefined;
  };
  // A file without an ID that was moved. The program may have ended after its text was sent, and before that was noted.
  each(({ id, hash }) => {
    const remote = remoteById.get(id);
    return withText(hash) ?? (remote && withText(hashOfText(remote.document.text)));
  });

  for (const remote of untracked) {
    if (found.has(remote.id)) continue;
    const path = sides.firstPath(remote);
    pair(remote.id, sides.formerPaths.has(path) ? open.get(path) : undefined);
  }
  for (const remote of untracked) {
    if (found.has(remote.id)) continue;
    const base = baseOf(remote.document);
    const equal = byText
      .get(base.hash)
      ?.find(({ document, file }) => open.has(file.path) && same(baseOf(document), base));
    pair(remote.id, equal);
  }
  for (const remote of untracked)
    if (!found.has(remote.id)) pair(remote.id, withText(hashOfText(remote.document.text)));
  return [
    ...entries
      .filter(({ path }) => !unreadablePaths.has(path))
      .map((entry) => ({ entry, local: found.get(entry.id), remote: remoteById.get(entry.id) })),
    ...untracked.map((remote) => ({ entry: undefined, local: found.get(remote.id), remote })),
    ...[...open.values()].map((local) => ({ entry: undefined, local, remote: undefined })),
  ];
}

/** Whether a file got its name from this title, as `Title` or `Title (2)`. */
export const isNamedAfter = (stem: string, title: string): boolean => {
  // A file may have got its name from a person, or by earlier rules.
  const [name, own] = [fileName(title), fileName(stem)];
  return own === name || (own.startsWith(`${name} (`) && /^ \(\d+\)$/.test(own.slice(name.length)));
};

/** What the file says. Where a person has given the file another name and left its title, the name is the new title. */
export function documentOf(local: LocalFile, entry: Entry | undefined): Document {
  const { document, file } = local;
  const title = entry?.fields.title;
  if (typeof title !== "string" || document.fields.title !== title) return document;
  const [before, now] = [stemOf(entry?.path ?? ""), stemOf(file.path)];
  const isRenamed = before !== now && isNamedAfter(before, title) && !isNamedAfter(now, title);
  return isRenamed ? { ...document, fields: { ...document.fields, title: now } } : document;
}
