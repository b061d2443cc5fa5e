// Where the rows that the person has just moved, tagged, or archived stay: the newest change comes first, which would take them away.
import { useEffect, useMemo, useRef } from "react";
import { createStore, useStore } from "../../store.ts";
import type { SnippetPages, SnippetRow } from "../data.ts";

/** The snippets that the person has changed in lists. */
const changed = createStore<ReadonlySet<string>>(new Set());

/** To be called before the list is read again. */
export const holdInList = (ids: readonly string[]): void => changed.set(new Set([...changed.get(), ...ids]));

/** Puts the held rows back behind those that they followed before. @param before the IDs as they were listed */
export function holdRows<Row extends { readonly id: string }>(
  rows: Row[],
  before: readonly string[],
  held: ReadonlySet<string>,
): Row[] {
  const ids = new Set(rows.map(({ id }) => id));
  /** By the row that they follow; undefined at the beginning. */
  const followers = new Map<string | undefined, string[]>();
  let anchor: string | undefined;
  for (const id of before) {
    if (!ids.has(id)) continue;
    if (held.has(id)) followers.set(anchor, [...(followers.get(anchor) ?? []), id]);
    else anchor = id;
  }
  if (followers.size === 0) return rows;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isBack = new Set([...followers.values()].flat());
  const following = (id: string | undefined) =>
    (followers.get(id) ?? []).flatMap((follower) => byId.get(follower) ?? []);
  const others = rows.filter(({ id }) => !isBack.has(id));
  return [...following(undefined), ...others.flatMap((row) => [row, ...following(row.id)])];
}

/** The pages of a list, with what the person has changed where it was. @param listKey what is listed: another list has its own order */
export function useHeldPages(pages: SnippetPages, listKey: string): SnippetPages {
  const held = useStore(changed);
  const last = useRef<{ readonly listKey: string; readonly ids: readonly string[] }>(undefined);
  const { rows, isPlaceholderData } = pages;
  const shown = useMemo((): SnippetRow[] | undefined => {
    const before = last.current?.listKey === listKey && !isPlaceholderData ? last.current.ids : [];
    return rows && holdRows(rows, before, held);
  }, [rows, listKey, isPlaceholderData, held]);
  useEffect(() => {
    if (shown && !isPlaceholderData) last.current = { listKey, ids: shown.map(({ id }) => id) };
  }, [shown, listKey, isPlaceholderData]);
  return { ...pages, rows: shown };
}
