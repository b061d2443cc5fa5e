// The trash in place of the list: what was deleted, by whom, and how long it can be restored.
import { useState } from "react";
import { Link } from "wouter";
import { type DataOf, useConsolePages } from "../../api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { formatDate, formatMoment } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { Pager } from "../../components/pager.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { toastError } from "../../components/toast.tsx";
import { directionOf } from "../direction.ts";
import { useLibrary } from "../library-context.tsx";
import { nameOfAuthor, pathOfFolder } from "../names.ts";
import { useActs } from "../selection/use-acts.ts";
import { EmptyTrashDialog } from "./empty-trash.tsx";

type TrashedRow = DataOf<"getLibraryTrash">[number];

export interface TrashProps {
  /** Shows the left pane; undefined where it is beside this one. */
  readonly onBrowse: (() => void) | undefined;
}

export default function Trash({ onBrowse }: TrashProps) {
  const { tree, view, teams, folders, mayWrite, change, hrefOf } = useLibrary();
  const acts = useActs();
  const pages = useConsolePages("getLibraryTrash", { query: { teamId: view.teamId } });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isEmptying, setIsEmptying] = useState(false);
  const rows = pages.rows ?? [];
  // What was restored meanwhile is not selected anymore.
  const chosen = rows.filter(({ id }) => selected.has(id));
  const manageable = tree?.teams.filter(({ may_manage }) => may_manage) ?? [];
  /** Team, where there are several, and folder, unless it is deleted too. */
  const placeOf = ({ team_id, folder_id }: TrashedRow): string =>
    [
      (tree?.teams.length ?? 0) > 1 ? teams.get(team_id)?.name : undefined,
      ...(folder_id === null ? [] : pathOfFolder(folders, folder_id).map((folder) => folder.folder_name)),
    ]
      .filter(Boolean)
      .join(" / ");
  const restore = (snippets: readonly TrashedRow[]) => {
    setSelected(new Set());
    if (snippets.some(({ id }) => id === view.snippetId)) change({ snippetId: undefined }, "replace");
    acts.restore(snippets).catch(toastError);
  };
  const toggle = (id: string) =>
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <>
      <div className="border-line flex min-h-15 items-center gap-1.5 border-b px-3 md:px-4">
        {onBrowse && (
          <IconButton label="Folders and tags" onClick={onBrowse}>
            <Icon name="sidebar" />
          </IconButton>
        )}
        <h2 className="min-w-0 flex-1 truncate font-semibold">Trash</h2>
        {chosen.length > 0 ? (
          <Button size="small" variant="primary" onClick={() => restore(chosen)}>
            Restore {chosen.length}
          </Button>
        ) : (
          manageable.length > 0 &&
          rows.length > 0 && (
            <Button size="small" onClick={() => setIsEmptying(true)}>
              Empty trash
            </Button>
          )
        )}
      </div>
      {pages.rows === undefined ? (
        pages.error ? (
          <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
        ) : (
          <div className="p-4">
            <Loading label="Loading trash">
              <Skeleton lines={6} />
            </Loading>
          </div>
        )
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {rows.length === 0 ? (
            <EmptyState icon="trash" title="The trash is empty">
              Deleted snippets stay here for a while and can be restored.
            </EmptyState>
          ) : (
            <ul aria-label="Deleted snippets" className="divide-line divide-y">
              {rows.map((row) => (
                <TrashRow
                  key={row.id}
                  row={row}
                  href={hrefOf({ snippetId: row.id, variationId: undefined, mode: "read", isBrowsing: false })}
                  isOpen={row.id === view.snippetId}
                  place={placeOf(row)}
                  isSelected={selected.has(row.id)}
                  onToggle={mayWrite(row.team_id) ? () => toggle(row.id) : undefined}
                  onRestore={() => restore([row])}
                />
              ))}
            </ul>
          )}
          <Pager pages={pages} noun="deleted snippet" />
        </div>
      )}
      {isEmptying && <EmptyTrashDialog teams={manageable} teamId={view.teamId} onClose={() => setIsEmptying(false)} />}
    </>
  );
}

interface TrashRowProps {
  readonly row: TrashedRow;
  /** Opens it beside the list. */
  readonly href: string;
  readonly isOpen: boolean;
  /** Where it was; empty where that says nothing. */
  readonly place: string;
  readonly isSelected: boolean;
  /** Undefined for those who may not restore it. */
  readonly onToggle: (() => void) | undefined;
  readonly onRestore: () => void;
}

const TrashRow = ({ row, href, isOpen, place, isSelected, onToggle, onRestore }: TrashRowProps) => (
  <li
    className={classNames(
      "flex items-start gap-3 px-4 py-3",
      isSelected || isOpen ? "bg-accent-soft" : "hover:bg-hover",
    )}
  >
    {onToggle && (
      <input
        type="checkbox"
        aria-label={`Select ${row.title}`}
        checked={isSelected}
        onChange={onToggle}
        className="accent-accent mt-0.5 size-4 shrink-0"
      />
    )}
    <div className="grid min-w-0 flex-1 gap-1">
      <div className="flex items-start justify-between gap-2">
        <p className="line-clamp-2 font-medium wrap-anywhere" title={row.title}>
          <Link href={href} className="hover:underline">
            <bdi>{row.title}</bdi>
          </Link>
        </p>
        {onToggle && (
          <Button
            size="small"
            variant="quiet"
            className="-my-1.5 -mr-3 shrink-0 max-sm:-my-3"
            onClick={onRestore}
            aria-label={`Restore ${row.title}`}
          >
            Restore
          </Button>
        )}
      </div>
      {row.preview.trim() !== "" && (
        <p dir={directionOf(row.preview)} className="text-quiet truncate">
          {row.preview.trim()}
        </p>
      )}
      <p className="text-quiet text-xs">
        Deleted <Time at={row.deleted_at} part="relative" /> by {nameOfAuthor(row.deleted_by)}
      </p>
      <p className="text-quiet text-xs">
        Kept until{" "}
        {row.ends_at === null ? (
          "the trash is emptied"
        ) : (
          <time dateTime={row.ends_at} title={formatMoment(row.ends_at)}>
            {formatDate(row.ends_at)}
          </time>
        )}
        {place !== "" && ` · ${place}`}
      </p>
    </div>
  </li>
);
