// What can be done with the selected snippets, above the end of the list.
import { useRef } from "react";
import { callConsole } from "../../api.ts";
import { IconButton } from "../../components/button.tsx";
import { formatCount } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { bottomBar, toastError } from "../../components/toast.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { type SnippetPages, searchOf, useSnippet } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { focusList } from "../list/list.tsx";
import { type Cursor, goOn } from "../list/use-cursor.ts";
import { useKeys } from "../use-keys.ts";
import { type ExportFormat, exportSnippets } from "./export.ts";
import { withPatience, withProgress } from "./run.ts";
import { useOrganize } from "./use-organize.tsx";
import { type SelectedRow, type Selection, selectedRows } from "./use-selection.ts";

/** So many snippets can be selected. */
const selectedMax = 10_000;

interface SelectionBarProps {
  readonly selection: Selection;
  readonly pages: SnippetPages;
  /** All that match; undefined where it is not known. */
  readonly total: number | undefined;
  /** The query of the list. */
  readonly query: string;
  /** The keys act on its row as long as nothing is selected, and without one on the open snippet. */
  readonly cursor: Cursor;
}

export function SelectionBar({ selection, pages, total, query, cursor }: SelectionBarProps) {
  const { view, folders, tags } = useLibrary();
  const { id: workspaceId } = useWorkspace();
  const loaded = pages.rows ?? [];
  const selected = selectedRows(selection, loaded);
  const open = useSnippet(view.snippetId).data?.data;
  const target = cursor.row ?? (open?.id === view.snippetId ? open : undefined);
  const chosen: readonly SelectedRow[] = selected.length > 0 ? selected : target ? [target] : [];
  const bar = useRef<HTMLFieldSetElement>(null);
  const organize = useOrganize(chosen, (what) => {
    // The bar is gone with the selection, and what was read with the snippet.
    if (what === "remove" || bar.current?.contains(document.activeElement)) focusList();
    selection.clear();
    if (what !== "other") goOn(cursor, loaded, chosen);
  });
  const { isArchived, move, tag, archive, remove } = organize;

  const save = (format: ExportFormat) => () =>
    void exportSnippets(
      chosen.map(({ id }) => id),
      format,
      workspaceId,
      (snippet) => ({
        folder: (snippet.folder_id !== null && folders.get(snippet.folder_id)?.folder_name) || null,
        tags: snippet.tag_ids.flatMap((id) => tags.get(id)?.tag_name ?? []),
      }),
    );
  const hasMore = pages.hasNextPage && selected.length < selectedMax;
  const selectAll = () => void selectEverything(view, query, workspaceId, total).then(selection.set, toastError);

  // A snippet that is being written, or whose history is open, is not deleted by a slip.
  const isReading = view.mode === "read";
  const ifMay = (act: () => void) => (organize.isAllowed && (selected.length > 0 || isReading) ? act : undefined);
  useKeys({
    move: ifMay(move),
    tag: ifMay(tag),
    archive: ifMay(archive),
    remove: ifMay(remove),
  });

  const items: readonly (MenuItem | "separator")[] = [
    { label: "Export as Markdown", onSelect: save("markdown") },
    { label: "Export as JSON", onSelect: save("json") },
  ];
  return (
    <>
      {selected.length > 0 && (
        <fieldset
          ref={bar}
          {...bottomBar}
          aria-label="Selected snippets"
          className="bg-surface border-line shadow-high animate-rise absolute inset-x-2 bottom-3 z-10 mx-auto grid max-w-md rounded-lg border px-1.5 py-1"
        >
          {hasMore && selected.length === loaded.length && (
            <div className="border-line mb-1 border-b px-2 py-1 text-xs">
              <button type="button" className="link min-h-8" onClick={selectAll}>
                {total === undefined || total > selectedMax
                  ? `Select all, up to ${formatCount(selectedMax)}`
                  : `Select all ${formatCount(total)}`}
              </button>
            </div>
          )}
          <div className="flex items-center">
            <IconButton label="Deselect all" onClick={selection.clear}>
              <Icon name="close" className="size-4" />
            </IconButton>
            <p role="status" className="min-w-0 flex-1 truncate px-1 font-medium tabular-nums">
              {formatCount(selected.length)} selected
            </p>
            {organize.isAllowed && (
              <>
                <IconButton label="Move to folder" aria-keyshortcuts="m" onClick={move}>
                  <Icon name="folder" />
                </IconButton>
                <IconButton label="Add or remove a tag" aria-keyshortcuts="t" onClick={tag}>
                  <Icon name="tag" />
                </IconButton>
                <IconButton label={isArchived ? "Unarchive" : "Archive"} aria-keyshortcuts="a" onClick={archive}>
                  <Icon name="archive" />
                </IconButton>
                <IconButton label="Delete" aria-keyshortcuts="Delete" onClick={remove}>
                  <Icon name="trash" />
                </IconButton>
              </>
            )}
            <Menu label="More actions for selected snippets" items={items} />
          </div>
        </fieldset>
      )}
      {organize.dialog}
    </>
  );
}

/** Reads which snippets a list has, page by page. */
function selectEverything(
  view: Parameters<typeof searchOf>[0],
  query: string,
  workspaceId: string,
  total: number | undefined,
): Promise<readonly SelectedRow[]> {
  return withProgress("Selecting snippets", total, async (signal, advance) => {
    const rows: SelectedRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await withPatience(
        () => callConsole("getLibrarySearch", { query: { ...searchOf(view, query), limit: 100, cursor }, workspaceId }),
        signal,
      );
      rows.push(...page.data);
      cursor = page.nextCursor ?? undefined;
      advance(rows.length);
    } while (cursor !== undefined && rows.length < selectedMax && !signal.aborted);
    return rows.slice(0, selectedMax);
  });
}
