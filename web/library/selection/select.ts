// Selecting with the keyboard and with clicks.
import { type MouseEvent, type PointerEvent, useRef } from "react";
import type { SnippetRow } from "../data.ts";
import type { Cursor } from "../list/use-cursor.ts";
import { useKeys } from "../use-keys.ts";
import { isSelectBox, type Selection } from "./use-selection.ts";

/** Without a mouse: a long press selects the first row, and then each tap selects or deselects one. */
export const hasMouse = matchMedia("(pointer: fine)").matches;

/** A click with Shift selects a range; one with ⌘ or Ctrl, or on the box, a single row. @returns false for any other click */
export function selectWith(
  event: MouseEvent,
  selection: Selection,
  rows: readonly SnippetRow[],
  row: SnippetRow,
  cursorIndex: number,
): boolean {
  if (event.shiftKey) selection.extend(rows, rows.indexOf(row), Math.max(0, cursorIndex));
  else if (event.ctrlKey || event.metaKey || isSelectBox(event.target) || (!hasMouse && selection.rows.size > 0))
    selection.toggle(row);
  else return false;
  return true;
}

const longPressMilliseconds = 450;

/** Selects the row under a finger that rests on it. The tap that ends the press does nothing more. */
export function useLongPress(select: (rowId: string) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isPressed = useRef(false);
  const end = () => clearTimeout(timer.current);
  return {
    onPointerDown: ({ pointerType, target }: PointerEvent) => {
      isPressed.current = false;
      const row = target instanceof Element && target.closest("[role=option]");
      if (pointerType !== "touch" || !row) return;
      timer.current = setTimeout(() => {
        isPressed.current = true;
        select(row.id);
      }, longPressMilliseconds);
    },
    onPointerUp: end,
    // The finger scrolls.
    onPointerCancel: end,
    onClickCapture: (event: MouseEvent) => {
      if (isPressed.current) event.stopPropagation();
    },
  };
}

/** The keys that select. Escape deselects. */
export function useSelectionKeys(selection: Selection, cursor: Cursor, rows: readonly SnippetRow[]): void {
  const extendTo = (index: number) => {
    if (rows[index] === undefined) return;
    selection.extend(rows, index, Math.max(0, cursor.index));
    cursor.moveTo(index);
  };
  useKeys({
    select: () => cursor.row && selection.toggle(cursor.row),
    selectNext: () => extendTo(cursor.index + 1),
    selectPrevious: () => extendTo(cursor.index - 1),
    selectAll: rows.length > 0 ? () => selection.set(rows) : undefined,
    back: selection.rows.size > 0 ? selection.clear : undefined,
  });
}
