// The left pane: all snippets, the archive, and each team with its folders and tags.
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { formatCount } from "../../components/format.ts";
import { Icon, type IconName } from "../../components/icons.tsx";
import { Loading, Skeleton } from "../../components/states.tsx";
import { emptyView, noFilters, type View } from "../address.ts";
import type { Folder, Tag } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { ColorDot } from "../list/tag-chip.tsx";

export function TreePane({ onClose }: { onClose: (() => void) | undefined }) {
  const { tree, view } = useLibrary();
  const isAll = view.teamId === undefined && view.folderId === undefined && view.tagIds.length === 0;
  return (
    <>
      <div className="flex min-h-15 items-center gap-1.5 px-3">
        {onClose && (
          <IconButton label="Back to the list" onClick={onClose}>
            <Icon name="back" />
          </IconButton>
        )}
        <p aria-hidden="true" className="px-1.5 font-semibold tracking-tight">
          Library
        </p>
      </div>
      <nav aria-label="Folders and tags" className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        <ul className="grid grid-cols-1 gap-px">
          <Entry label="All snippets" icon="library" to={{ ...noFilters }} isOpen={isAll && view.shelf === "current"} />
          <Entry
            label="Archive"
            icon="archive"
            to={{ ...noFilters, shelf: "archived" }}
            isOpen={isAll && view.shelf === "archived"}
          />
        </ul>
        {tree ? (
          tree.teams.map((team) => (
            <section key={team.id} aria-label={team.name} className="mt-4">
              <ul className="grid grid-cols-1 gap-px">
                <Entry
                  label={team.name}
                  count={team.snippet_count}
                  to={{ ...noFilters, teamId: team.id }}
                  isOpen={view.teamId === team.id && view.folderId === undefined && view.tagIds.length === 0}
                  isHeading
                />
                <Folders
                  parentId={null}
                  folders={tree.folders.filter(({ team_id }) => team_id === team.id)}
                  depth={0}
                />
                {tree.tags
                  .filter(({ team_id }) => team_id === team.id)
                  .map((tag) => (
                    <TagEntry key={tag.id} tag={tag} />
                  ))}
              </ul>
            </section>
          ))
        ) : (
          <div className="p-3">
            <Loading label="Folders and tags: loading">
              <Skeleton lines={6} />
            </Loading>
          </div>
        )}
      </nav>
    </>
  );
}

function Folders({ parentId, folders, depth }: { parentId: string | null; folders: readonly Folder[]; depth: number }) {
  return folders
    .filter(({ parent_folder_id }) => parent_folder_id === parentId)
    .map((folder) => <FolderEntry key={folder.id} folder={folder} folders={folders} depth={depth} />);
}

function FolderEntry({ folder, folders, depth }: { folder: Folder; folders: readonly Folder[]; depth: number }) {
  const { view } = useLibrary();
  const [isShut, setIsShut] = useState(true);
  const hasInner = folders.some(({ parent_folder_id }) => parent_folder_id === folder.id);
  return (
    <Entry
      label={folder.folder_name}
      lead={<ColorDot color={folder.folder_color} />}
      count={folder.snippet_count}
      depth={depth + 1}
      to={{ ...noFilters, folderId: folder.id }}
      isOpen={view.folderId === folder.id}
      toggle={
        hasInner && (
          <button
            type="button"
            aria-expanded={!isShut}
            aria-label={`Folders inside ${folder.folder_name}`}
            onClick={() => setIsShut(!isShut)}
            className="text-quiet hover:text-text grid size-6 shrink-0 place-items-center rounded"
          >
            <Icon name="chevron" className={classNames("size-3.5", isShut && "-rotate-90")} />
          </button>
        )
      }
    >
      {hasInner && !isShut && (
        <ul className="grid grid-cols-1 gap-px">
          <Folders parentId={folder.id} folders={folders} depth={depth + 1} />
        </ul>
      )}
    </Entry>
  );
}

function TagEntry({ tag }: { tag: Tag }) {
  const { view } = useLibrary();
  const isOpen = view.tagIds.includes(tag.id);
  return (
    <Entry
      label={tag.tag_name}
      lead={<Icon name="tag" className="text-quiet size-3.5" />}
      count={tag.snippet_count}
      depth={1}
      to={{ tagIds: isOpen ? view.tagIds.filter((id) => id !== tag.id) : [...view.tagIds, tag.id] }}
      isOpen={isOpen}
    />
  );
}

interface EntryProps {
  readonly label: string;
  readonly icon?: IconName;
  readonly lead?: ReactNode;
  readonly toggle?: ReactNode;
  readonly count?: number;
  readonly depth?: number;
  readonly to: Partial<View>;
  readonly isOpen: boolean;
  readonly isHeading?: boolean;
  readonly children?: ReactNode;
}

function Entry({ label, icon, lead, toggle, count, depth = 0, to, isOpen, isHeading = false, children }: EntryProps) {
  const { hrefOf } = useLibrary();
  return (
    <li>
      <div
        className={classNames(
          "flex items-center rounded-md pr-2",
          isOpen ? "bg-accent-soft text-accent" : "hover:bg-hover",
        )}
        style={{ paddingLeft: `${depth * 0.75}rem` }}
      >
        <span className="w-6 shrink-0">{toggle}</span>
        <Link
          href={hrefOf({ shelf: emptyView.shelf, isBrowsing: false, mode: "read", ...to })}
          aria-current={isOpen || undefined}
          className={classNames(
            "flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-md md:min-h-7.5",
            isHeading && "font-medium",
          )}
        >
          {icon ? <Icon name={icon} className="size-4.5" /> : lead}
          <span className="min-w-0 flex-1 truncate" title={label}>
            {label}
          </span>
          {count !== undefined && <span className="text-quiet text-xs tabular-nums">{formatCount(count)}</span>}
        </Link>
      </div>
      {children}
    </li>
  );
}
