// The left pane: all snippets, archive and trash, and each team with its folders and tags.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { formatCount } from "../../components/format.ts";
import { Icon, type IconName } from "../../components/icons.tsx";
import { Loading, Skeleton } from "../../components/states.tsx";
import { emptyView, noFilters, type Shelf } from "../address.ts";
import { useLibrary } from "../library-context.tsx";
import { ShelfDrop } from "./shelf-drop.tsx";
import { TransferMenuButton, TreeMenuButton } from "./tree-menu.tsx";
import { TreeRows } from "./tree-rows.tsx";

export function TreePane({ onClose }: { onClose: (() => void) | undefined }) {
  const { tree, view, mayWrite, isDeletingFinal } = useLibrary();
  const isAll = view.teamId === undefined && view.folderId === undefined && view.tagIds.length === 0;
  const total = tree?.teams.reduce((sum, team) => sum + team.snippet_count - team.archived_count, 0);
  const archived = tree?.teams.reduce((sum, team) => sum + team.archived_count, 0);
  const trashed = tree?.teams.reduce((sum, team) => sum + team.trashed_count, 0);
  return (
    <>
      <div className="flex min-h-15 items-center gap-1.5 px-3">
        {onClose && (
          <IconButton label="Back to the list" onClick={onClose}>
            <Icon name="back" />
          </IconButton>
        )}
        <p aria-hidden="true" className="flex-1 px-1.5 font-semibold tracking-tight">
          Library
        </p>
        <TreeMenuButton />
        <TransferMenuButton />
      </div>
      <nav aria-label="Library" className="px-2 pb-2">
        <ul className="grid gap-px">
          <li>
            <ShelfLink
              label="All snippets"
              icon="library"
              shelf="current"
              count={total}
              isOpen={isAll && view.shelf === "current"}
            />
          </li>
          <ShelfDrop shelf="archived">
            <ShelfLink
              label="Archive"
              icon="archive"
              shelf="archived"
              count={archived}
              isOpen={isAll && view.shelf === "archived"}
            />
          </ShelfDrop>
          {mayWrite() && !isDeletingFinal && (
            <ShelfDrop shelf="trash">
              <ShelfLink label="Trash" icon="trash" shelf="trash" count={trashed} isOpen={view.shelf === "trash"} />
            </ShelfDrop>
          )}
          <li>
            <ShelfLink label="Activity" icon="history" shelf="activity" isOpen={view.shelf === "activity"} />
          </li>
        </ul>
      </nav>
      {tree ? (
        <TreeRows tree={tree} />
      ) : (
        <div className="p-4">
          <Loading label="Loading folders and tags">
            <Skeleton lines={6} />
          </Loading>
        </div>
      )}
    </>
  );
}

interface ShelfLinkProps {
  readonly label: string;
  readonly icon: IconName;
  readonly shelf: Shelf;
  readonly count?: number | undefined;
  readonly isOpen: boolean;
}

function ShelfLink({ label, icon, shelf, count, isOpen }: ShelfLinkProps): ReactNode {
  const { hrefOf } = useLibrary();
  return (
    <Link
      href={hrefOf({
        ...noFilters,
        query: emptyView.query,
        shelf,
        isBrowsing: false,
        mode: "read",
        snippetId: undefined,
      })}
      draggable={false}
      aria-current={isOpen ? "page" : undefined}
      className={classNames(
        "flex min-h-11 min-w-0 items-center gap-2 rounded-md pr-2.5 pl-2 md:min-h-7.5",
        isOpen ? "bg-accent-soft text-accent font-medium" : "hover:bg-hover",
      )}
    >
      <Icon name={icon} className={classNames("size-4.5", !isOpen && "text-quiet")} />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {count !== undefined && count > 0 && (
        <span className="text-quiet text-xs tabular-nums">{formatCount(count)}</span>
      )}
    </Link>
  );
}
