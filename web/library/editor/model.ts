// What has changed in a snippet, and what becomes of it when somebody else has changed it too.
import type { Snippet } from "../data.ts";
import type { Fields } from "./drafts.ts";

export type FieldName = keyof Fields;
export const fieldNames = ["title", "note", "shortcut", "folderId", "tagIds"] as const satisfies readonly FieldName[];

export const noFields: Fields = { title: "", note: "", shortcut: "", folderId: null, tagIds: [] };

export const fieldsOf = ({
  title,
  snippet_note,
  shortcut,
  folder_id,
  tag_ids,
}: Pick<Snippet, "title" | "snippet_note" | "shortcut" | "folder_id" | "tag_ids">): Fields => ({
  title,
  note: snippet_note ?? "",
  shortcut: shortcut ?? "",
  folderId: folder_id,
  tagIds: tag_ids,
});

const keyOf = (value: Fields[FieldName]): string | null =>
  typeof value === "string" || value === null ? value : [...value].sort().join();

export const isSame = (name: FieldName, left: Fields, right: Fields): boolean =>
  keyOf(left[name]) === keyOf(right[name]);

export const changedFields = (base: Fields, mine: Fields): FieldName[] =>
  fieldNames.filter((name) => !isSame(name, base, mine));

/** The body that stores these fields. An empty note or shortcut is none. */
export const bodyOf = (names: readonly FieldName[], { title, note, shortcut, folderId, tagIds }: Fields) => {
  const all = { title: title.trim(), note: note || null, shortcut: shortcut || null, folderId, tagIds: [...tagIds] };
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Partial<typeof all>;
};

/**
 * Joins two changes of the same fields. Tags that either added or removed are added or removed. A field that both changed, and not to
 * the same, is a conflict; it stays mine until the person has chosen.
 */
export function mergeFields(
  base: Fields,
  mine: Fields,
  theirs: Fields,
): { readonly merged: Fields; readonly conflicts: readonly FieldName[] } {
  const isMineChanged = (name: FieldName) => !isSame(name, base, mine);
  const conflicts = fieldNames.filter(
    (name) => name !== "tagIds" && isMineChanged(name) && !isSame(name, base, theirs) && !isSame(name, mine, theirs),
  );
  const removed = new Set(base.tagIds.filter((id) => !mine.tagIds.includes(id)));
  const added = mine.tagIds.filter((id) => !base.tagIds.includes(id));
  const merged: Fields = {
    title: isMineChanged("title") ? mine.title : theirs.title,
    note: isMineChanged("note") ? mine.note : theirs.note,
    shortcut: isMineChanged("shortcut") ? mine.shortcut : theirs.shortcut,
    folderId: isMineChanged("folderId") ? mine.folderId : theirs.folderId,
    tagIds: [...new Set([...theirs.tagIds.filter((id) => !removed.has(id)), ...added])],
  };
  return { merged, conflicts };
}
