// Which snippets of the list are selected. Another list begins without any.
import { useMemo, useState } from "react";
import { formatView, type View } from "../address.ts";
import type { SnippetRow } from "../data.ts";

/** Of the part of a row that selects it. */
export const selectBoxAttribute = { "data-select": true };
export const isSelectBox = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("[data-select]") !== null;

/** What acts on many snippets need to know of each. */
export type SelectedRow = Pick<SnippetRow, "id" | "team_id" | "folder_id" | "tag_ids" | "is_archived" | "title">;

export interface Selection {
  readonly rows: ReadonlyMap<string, SelectedRow>;
  readonly has: (id: string) => boolean;
  readonly toggle: (row: SelectedRow) => void;
  /** Selects from the row that was toggled last, or from `from`, to this one. */
  readonly extend: (rows: readonly SelectedRow[], to: number, from?: number) => void;
  readonly set: (rows: readonly SelectedRow[]) => void;
  readonly clear: () => void;
}

interface State {
  /** The list in which the rows are selected. */
  readonly list: string;
  readonly rows: ReadonlyMap<string, SelectedRow>;
  /** Where a range begins. */
  readonly anchorId: string | undefined;
}

const nothing: Omit<State, "list"> = { rows: new Map(), anchorId: undefined };

/** What a list is: all of the address but what is open. */
const listOf = (view: View): string =>
  formatView({
    ...view,
    snippetId: undefined,
    variationId: undefined,
    mode: "read",
    isBrowsing: false,
    sort: undefined,
  });

export function useSelection(view: View): Selection {
  const list = listOf(view);
  const [state, setState] = useState<State>({ list, ...nothing });
  const { rows } = state.list === list ? state : nothing;
  return useMemo(() => {
    const update = (change: (before: Omit<State, "list">) => Omit<State, "list">) =>
      setState((before) => ({ list, ...change(before.list === list ? before : nothing) }));
    return {
      rows,
      has: (id) => rows.has(id),
      toggle: (row) =>
        update((before) => {
          const after = new Map(before.rows);
          if (!after.delete(row.id)) after.set(row.id, row);
          return { rows: after, anchorId: row.id };
        }),
      extend: (listed, to, from) =>
        update((before) => {
          const anchored = listed.findIndex(({ id }) => id === before.anchorId);
          const start = anchored >= 0 ? anchored : (from ?? to);
          const added = listed.slice(Math.min(start, to), Math.max(start, to) + 1);
          return {
            rows: new Map([...before.rows, ...added.map((row) => [row.id, row] as const)]),
            anchorId: listed[start]?.id,
          };
        }),
      set: (chosen) => update(() => ({ rows: new Map(chosen.map((row) => [row.id, row])), anchorId: undefined })),
      clear: () => update(() => nothing),
    };
  }, [list, rows]);
}

/** The selected rows as the list has them now: they may have been moved or tagged since. */
export function selectedRows({ rows }: Selection, listed: readonly SelectedRow[]): readonly SelectedRow[] {
  if (rows.size === 0) return [];
  const latest = new Map(listed.map((row) => [row.id, row]));
  return [...rows.values()].map((row) => latest.get(row.id) ?? row);
}
