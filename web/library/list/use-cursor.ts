// The row of the list that the keys act on. Where the snippet is shown beside the list, it is opened a moment after the cursor stops.
import { useEffect, useRef, useState } from "react";
import type { SnippetRow } from "../data.ts";

/** Holding an arrow key must not read every snippet that it passes, nor write every address. */
const openAfterMilliseconds = 90;

export interface Cursor {
  /** -1 without a row. */
  readonly index: number;
  readonly row: SnippetRow | undefined;
  /** Moves to a row, or to the nearest one there is. */
  readonly moveTo: (index: number) => void;
  readonly setId: (id: string | undefined) => void;
}

interface CursorOptions {
  readonly rows: readonly SnippetRow[] | undefined;
  /** The open snippet; the cursor goes where that goes. */
  readonly openId: string | undefined;
  /** Another query puts the cursor on the first row. */
  readonly query: string;
  /** Opens the row that the cursor has moved to; undefined where a key opens it. */
  readonly opens: ((id: string) => void) | undefined;
}

export function useCursor({ rows, openId, query, opens }: CursorOptions): Cursor {
  const [id, setId] = useState(openId);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (openId !== undefined) setId(openId);
  }, [openId]);
  const lastQuery = useRef(query);
  useEffect(() => {
    if (lastQuery.current === query) return;
    lastQuery.current = query;
    setId(undefined);
  }, [query]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const found = rows?.findIndex((row) => row.id === id) ?? -1;
  // An open snippet that the query does not find has no row; the keys must not act on another one instead.
  const index = id === undefined && query !== "" && rows && rows.length > 0 ? 0 : found;
  return {
    index,
    row: rows?.[index],
    setId: (next) => {
      clearTimeout(timer.current);
      setId(next);
    },
    moveTo: (target) => {
      const row = rows?.at(Math.max(0, Math.min(target, rows.length - 1)));
      if (!row) return;
      setId(row.id);
      clearTimeout(timer.current);
      if (opens) timer.current = setTimeout(() => opens(row.id), openAfterMilliseconds);
    },
  };
}

/** To the next row that stays, or the one before. */
export function goOn(
  cursor: Cursor,
  rows: readonly Pick<SnippetRow, "id">[],
  leaving: readonly Pick<SnippetRow, "id">[],
): void {
  const gone = new Set(leaving.map(({ id }) => id));
  const next = rows.findIndex(({ id }, index) => index > cursor.index && !gone.has(id));
  const previous = rows.findLastIndex(({ id }, index) => index < cursor.index && !gone.has(id));
  if (cursor.index < 0 || Math.max(next, previous) < 0) cursor.setId(undefined);
  else cursor.moveTo(next >= 0 ? next : previous);
}
