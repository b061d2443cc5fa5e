// The middle pane: the field, what narrows the list, its order, and the list.
import { type MouseEvent, type RefObject, useState } from "react";
import { buttonClass, IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { formatCount, quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { useStore } from "../../store.ts";
import { isNarrowed, type Shelf, type Sort, type View } from "../address.ts";
import { type SnippetPages, type SnippetRow, searchOf, type Team, type Tree } from "../data.ts";
import { ExamplesNotice } from "../first-time/examples-notice.tsx";
import { useLibrary } from "../library-context.tsx";
import { SelectionBar } from "../selection/selection-bar.tsx";
import type { Selection } from "../selection/use-selection.ts";
import { ArchiveHits } from "./archive-hits.tsx";
import { Chips } from "./chips.tsx";
import { areRowsCompact, setCompactRows } from "./density.ts";
import { FilterDialog } from "./filter-dialog.tsx";
import { FindField } from "./find.tsx";
import { SnippetList } from "./list.tsx";
import { NoSnippets } from "./no-snippets.tsx";
import type { Cursor } from "./use-cursor.ts";
import type { Find } from "./use-find.ts";

interface ListPaneProps {
  readonly find: Find;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly pages: SnippetPages;
  readonly cursor: Cursor;
  /** Shows the left pane; undefined where it is beside this one. */
  readonly onBrowse: (() => void) | undefined;
  readonly onPick: (row: SnippetRow, event: MouseEvent) => void;
  readonly selection: Selection;
  readonly onOpen: () => void;
  readonly onCopy: () => void;
  readonly onLeaveField: () => void;
}

export function ListPane({
  find,
  field,
  pages,
  cursor,
  onBrowse,
  onPick,
  selection,
  onOpen,
  onCopy,
  onLeaveField,
}: ListPaneProps) {
  const { view, tree, mayWrite, change } = useLibrary();
  const [isFiltering, setIsFiltering] = useState(false);
  const { totalCount = knownTotal(view, find.query, tree), correctedQuery } = pages.data?.pages[0]?.metadata ?? {};
  return (
    <>
      <div className="flex items-center gap-1.5 px-3 pt-3 pb-2 md:px-4">
        {onBrowse && (
          <IconButton label="Folders and tags" onClick={onBrowse}>
            <Icon name="sidebar" />
          </IconButton>
        )}
        <FindField find={find} cursor={cursor} ref={field} onOpen={onOpen} onCopy={onCopy} onLeave={onLeaveField} />
        <IconButton label="Filter" onClick={() => setIsFiltering(true)}>
          <Icon name="filter" />
        </IconButton>
        {mayWrite() && (
          <button
            type="button"
            aria-label="New snippet"
            title="New snippet"
            aria-keyshortcuts="n"
            onClick={() => change({ mode: "new", snippetId: undefined })}
            className={classNames(buttonClass("primary"), "w-11 shrink-0 px-0! md:w-9")}
          >
            <Icon name="plus" />
          </button>
        )}
      </div>
      <Chips />
      <div className="border-line text-quiet flex min-h-8 items-center justify-between gap-2 border-b px-4 pb-1 text-xs">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2">
          <p role="status">{describeCount(pages, find.query, totalCount)}</p>
          <ArchiveHits query={find.query} />
        </div>
        <div className="flex items-center gap-1">
          <DensityButton />
          <SortSelect hasQuery={find.query.trim() !== ""} />
        </div>
      </div>
      {correctedQuery !== undefined && (
        <p role="status" className="border-line text-quiet border-b px-4 py-2 text-[0.8125rem] wrap-anywhere">
          No matches for {quote(find.query.trim())}. Showing results for{" "}
          <button type="button" className="link" onClick={() => find.setText(correctedQuery)}>
            {correctedQuery}
          </button>
          .
        </p>
      )}
      <ExamplesNotice />
      <SnippetList
        pages={pages}
        query={correctedQuery ?? find.query}
        listKey={JSON.stringify(searchOf(view, find.query))}
        cursor={cursor}
        total={totalCount}
        onPick={onPick}
        selection={selection}
        empty={<NoSnippets onClear={() => find.setText("")} query={find.query} />}
      />
      <SelectionBar selection={selection} pages={pages} total={totalCount} query={find.query} cursor={cursor} />
      {isFiltering && <FilterDialog onClose={() => setIsFiltering(false)} />}
    </>
  );
}

/** Of a whole library or team, the tree knows how many snippets it has, where the list only says that they are many. */
function knownTotal(view: View, query: string, tree: Tree | undefined): number | undefined {
  if (!tree || query.trim() !== "" || isNarrowed({ ...view, query: "", teamId: undefined })) return undefined;
  return tree.teams
    .filter(({ id }) => view.teamId === undefined || id === view.teamId)
    .reduce((sum, team) => sum + countOn(view.shelf, team), 0);
}

/** @param counts `snippet_count` has the archived ones too */
function countOn(shelf: Shelf, { snippet_count, archived_count }: Team): number {
  if (shelf === "all") return snippet_count;
  return shelf === "archived" ? archived_count : snippet_count - archived_count;
}

function describeCount({ rows, data }: SnippetPages, query: string, totalCount: number | undefined): string {
  const { totalIsAtLeast } = data?.pages[0]?.metadata ?? {};
  if (rows === undefined) return "";
  const count = totalCount ?? totalIsAtLeast ?? rows.length;
  const number = `${formatCount(count)}${totalCount === undefined ? "+" : ""}`;
  const noun = query.trim() === "" ? "snippet" : "match";
  return `${number} ${count === 1 ? noun : noun === "match" ? "matches" : "snippets"}`;
}

const sortNames: Record<Sort, string> = {
  relevance: "Best match",
  updated: "Last changed",
  created: "Newest",
  title: "Title",
};

/** How the list is sorted. The best match comes first only where something is searched for. */
function SortSelect({ hasQuery }: { hasQuery: boolean }) {
  const { view, change } = useLibrary();
  const usual: Sort = hasQuery ? "relevance" : "updated";
  const sort = view.sort === undefined || (view.sort === "relevance" && !hasQuery) ? usual : view.sort;
  const offered = (Object.keys(sortNames) as Sort[]).filter((name) => hasQuery || name !== "relevance");
  return (
    <label className="hover:text-text relative flex items-center gap-1">
      <span className="sr-only">Sort by</span>
      <select
        value={sort}
        onChange={({ target }) => {
          // The options are sorts.
          const chosen = target.value as Sort;
          change({ sort: chosen === usual ? undefined : chosen });
        }}
        className="min-h-9 appearance-none rounded bg-transparent pr-5 pl-1 text-right md:min-h-7"
      >
        {offered.map((name) => (
          <option key={name} value={name} className="bg-surface text-text">
            {sortNames[name]}
          </option>
        ))}
      </select>
      <Icon name="chevron" className="pointer-events-none absolute right-0.5 size-3.5" />
    </label>
  );
}

function DensityButton() {
  const isCompact = useStore(areRowsCompact);
  return (
    <button
      type="button"
      aria-label="Compact rows"
      title="Compact rows"
      aria-pressed={isCompact}
      onClick={() => setCompactRows(!isCompact)}
      className="hover:bg-hover hover:text-text aria-pressed:text-accent grid size-9 place-items-center rounded md:size-7"
    >
      <Icon name="rows" className="size-4" />
    </button>
  );
}
