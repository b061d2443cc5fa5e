// The list of snippets. Only the visible rows are in the page; further ones load as one scrolls.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type DragEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { pluralize } from "../../components/format.ts";
import { ErrorState, Loading, Skeleton } from "../../components/states.tsx";
import { useStore } from "../../store.ts";
import type { SnippetPages, SnippetRow } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { useSearchQuery } from "../marks/places.ts";
import { hasMouse, useLongPress } from "../selection/select.ts";
import { type Selection, selectedRows } from "../selection/use-selection.ts";
import { startDrag } from "../tree/drag.ts";
import { useStable } from "../use-stable.ts";
import { areRowsCompact, rowHeightOf } from "./density.ts";
import { Row } from "./row.tsx";
import type { Cursor } from "./use-cursor.ts";

export const listId = "snippets";
export const focusList = (): void => document.getElementById(listId)?.focus();
export const rowId = (snippetId: string): string => `snippet-${snippetId}`;

/** The next page is asked for when this many rows are left below. */
const rowsAhead = 20;

interface ListProps {
  readonly pages: SnippetPages;
  readonly cursor: Cursor;
  /** What it finds is marked. */
  readonly query: string;
  /** What is listed, as a text. */
  readonly listKey: string;
  /** All that match; undefined where the service only says that it is many. */
  readonly total: number | undefined;
  /** Shown when there are no rows. */
  readonly empty: ReactNode;
  readonly onPick: (row: SnippetRow, event: MouseEvent) => void;
  readonly selection: Selection;
}

export function SnippetList({ pages, query, listKey, cursor, total, empty, onPick, selection }: ListProps) {
  const { view, tags, folders, mayWrite } = useLibrary();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, isPlaceholderData } = pages;
  const rows = pages.rows ?? [];
  const pieces = useSearchQuery(query);
  const scroller = useRef<HTMLDivElement>(null);
  const isCompact = useStore(areRowsCompact);
  const rowHeight = rowHeightOf(isCompact);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const items = virtual.getVirtualItems();
  const longPress = useLongPress((pressed) => {
    const row = rows.find(({ id }) => rowId(id) === pressed);
    if (row) selection.toggle(row);
  });
  const pick = useStable(onPick);
  const drag = useStable((dragged: SnippetRow, event: DragEvent) => dragSnippets(dragged, selection, rows, event));
  const lastShown = items.at(-1)?.index ?? 0;

  const needsMore = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && lastShown >= rows.length - rowsAhead;
  useEffect(() => {
    if (needsMore && !isPlaceholderData) void fetchNextPage();
  }, [needsMore, isPlaceholderData, fetchNextPage]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are in other places
  useEffect(() => virtual.measure(), [isCompact]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at the top
  useEffect(() => virtual.scrollToOffset(0), [listKey]);
  useEffect(() => {
    if (cursor.index >= 0) virtual.scrollToIndex(cursor.index, { align: "auto" });
  }, [cursor.index, virtual]);

  if (pages.rows === undefined)
    return pages.error ? (
      <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
    ) : (
      <div className="p-4">
        <Loading label="Loading snippets">
          <Skeleton lines={9} />
        </Loading>
      </div>
    );
  const count = total ?? (hasNextPage ? -1 : rows.length);
  return (
    <div
      ref={scroller}
      className={classNames(
        "min-h-0 flex-1 overflow-y-auto overscroll-contain",
        isPlaceholderData && "opacity-70",
        selection.rows.size > 0 && "pb-16",
      )}
    >
      <div
        id={listId}
        role="listbox"
        {...longPress}
        aria-label="Snippets"
        aria-multiselectable="true"
        tabIndex={0}
        aria-busy={isPlaceholderData || undefined}
        aria-activedescendant={
          items.some(({ index }) => index === cursor.index) && cursor.row ? rowId(cursor.row.id) : undefined
        }
        onKeyDown={(event) => moveFar(event, cursor, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight))}
        // The focus shows on the row that the keys act on, and without one on the list.
        className="focus-visible:[&_[data-active]]:outline-accent relative w-full -outline-offset-2 focus-visible:has-[[data-active]]:outline-none focus-visible:[&_[data-active]]:outline-2 focus-visible:[&_[data-active]]:-outline-offset-2"
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <Row
                key={row.id}
                row={row}
                query={pieces}
                id={rowId(row.id)}
                index={index}
                count={count}
                top={start}
                isCompact={isCompact}
                isActive={index === cursor.index}
                isOpen={row.id === view.snippetId}
                isMarkedArchived={row.is_archived && view.shelf === "all"}
                isSelected={selection.has(row.id)}
                isSelecting={selection.rows.size > 0}
                onDragStart={hasMouse && mayWrite(row.team_id) ? drag : undefined}
                tags={tags}
                folder={row.folder_id === null ? undefined : folders.get(row.folder_id)}
                onPick={pick}
              />
            )
          );
        })}
      </div>
      {rows.length === 0 && empty}
      {isFetchNextPageError && (
        <div className="grid justify-items-center gap-2 p-4" role="alert">
          Couldn’t load more.
          <Button size="small" onClick={() => void fetchNextPage()}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

/** Drags the selected snippets, or one that is not selected by itself. */
function dragSnippets(row: SnippetRow, selection: Selection, rows: readonly SnippetRow[], event: DragEvent): void {
  const snippets = selection.has(row.id) ? selectedRows(selection, rows) : [row];
  startDrag(
    event,
    { kind: "snippets", snippets },
    snippets.length === 1 ? row.title : pluralize(snippets.length, "snippet"),
  );
}

/** Page Up and Down, Home and End. The arrows are in the table of keys. */
function moveFar(event: KeyboardEvent, { index, moveTo }: Cursor, rowsInView: number): void {
  const targets: Readonly<Record<string, number>> = {
    PageDown: index + Math.max(1, rowsInView - 1),
    PageUp: index - Math.max(1, rowsInView - 1),
    Home: 0,
    End: Number.POSITIVE_INFINITY,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  moveTo(target);
}
