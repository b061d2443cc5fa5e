// One row of the tree: a team, a folder, the heading of tags, or a tag.
import { type DragEvent, useEffect } from "react";
import { Link } from "wouter";
import { classNames } from "../../components/class-names.ts";
import { formatCount } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { listId } from "../list/list.tsx";
import { ColorDot } from "../list/tag-chip.tsx";
import { hasMouse } from "../selection/select.ts";
import type { TreeRow } from "./build-tree.ts";
import { endDrag, startDrag } from "./drag.ts";
import type { Dragged } from "./drop.ts";
import { useDrop } from "./use-drop.ts";

interface TreeRowProps {
  readonly id: string;
  readonly row: TreeRow;
  readonly top: number;
  readonly height: number;
  /** Undefined for a row that only opens and closes. */
  readonly href: string | undefined;
  /** The keys act on it. */
  readonly isActive: boolean;
  /** The list shows it. */
  readonly isShown: boolean;
  readonly items: readonly (MenuItem | "separator")[];
  readonly isMenuOpen: boolean;
  readonly onMenuOpenChange: (isOpen: boolean) => void;
  readonly onMenuClosed: () => void;
  readonly onPoint: () => void;
  readonly onToggle: () => void;
  readonly acceptDrop: (what: Dragged) => (() => void) | undefined;
}

const openAfterMilliseconds = 700;

const draggedOf = (row: TreeRow): Dragged | undefined => {
  // A finger that rests on a row opens its menu instead.
  if (!row.team.may_manage || !hasMouse) return undefined;
  if (row.kind === "folder") return { kind: "folder", folder: row.folder };
  return row.kind === "tag" ? { kind: "tag", tag: row.tag } : undefined;
};

export function TreeItem({
  id,
  row,
  top,
  height,
  href,
  isActive,
  isShown,
  items,
  isMenuOpen,
  onMenuOpenChange,
  onMenuClosed,
  onPoint,
  onToggle,
  acceptDrop,
}: TreeRowProps) {
  const { isOver, handlers } = useDrop(acceptDrop);
  const { kind, name, level, isOpen, count } = row;
  // What is dragged stays over a closed row: it opens.
  const opens = isOver && isOpen === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time begins when the drag arrives, not when the row renders
  useEffect(() => {
    if (!opens) return;
    const timer = setTimeout(onToggle, openAfterMilliseconds);
    return () => clearTimeout(timer);
  }, [opens]);
  const draggable = draggedOf(row);
  const isHeading = kind === "team" || kind === "tags";
  const content = (
    <>
      {row.kind === "folder" && <ColorDot color={row.folder.folder_color} shape="folder" />}
      {row.kind === "tag" && <ColorDot color={row.tag.tag_color} className="mx-1 size-2.5" />}
      <bdi className="min-w-0 flex-1 truncate" title={name}>
        {name}
      </bdi>{" "}
      {count > 0 && kind !== "tags" && (
        <span
          className={classNames(
            "text-xs tabular-nums",
            !isShown && "text-quiet",
            items.length > 0 && "md:group-hover:hidden md:group-focus/tree:group-data-active:hidden",
          )}
        >
          {formatCount(count)}
        </span>
      )}
    </>
  );
  const contentClass = "flex min-w-0 flex-1 items-center gap-2 self-stretch rounded-md";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      role="treeitem"
      id={id}
      // The tree is the one that takes the focus.
      tabIndex={-1}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.siblingCount}
      aria-expanded={isOpen}
      aria-selected={isShown}
      aria-label={count > 0 && kind !== "tags" ? `${name} ${formatCount(count)}` : name}
      data-active={isActive || undefined}
      draggable={draggable !== undefined}
      onDragStart={draggable && ((event: DragEvent) => startDrag(event, draggable, name))}
      onDragEnd={endDrag}
      {...handlers}
      onPointerDown={onPoint}
      onContextMenu={(event) => {
        if (items.length === 0) return;
        event.preventDefault();
        onMenuOpenChange(true);
      }}
      onClick={href === undefined ? onToggle : undefined}
      style={{ transform: `translateY(${top}px)`, height, paddingLeft: `${Math.min(level - 1, 12) * 0.75}rem` }}
      className={classNames(
        "group absolute inset-x-2 top-0 flex items-center rounded-md pr-1 outline-none select-none",
        isHeading && (kind === "team" ? "font-semibold" : "text-quiet text-xs font-medium"),
        isOver
          ? "bg-accent-soft ring-accent ring-2 ring-inset"
          : isShown
            ? "bg-accent-soft text-accent"
            : "hover:bg-hover",
      )}
    >
      {isOpen === undefined ? (
        <span className="w-6 shrink-0" />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
          className="text-quiet hover:text-text grid h-full w-6 shrink-0 place-items-center rounded"
        >
          <Icon name="chevron" className={classNames("size-3.5", !isOpen && "-rotate-90")} />
        </button>
      )}
      {href === undefined ? (
        <span className={classNames(contentClass, "cursor-pointer")}>{content}</span>
      ) : (
        <Link
          href={href}
          tabIndex={-1}
          draggable={false}
          // Who clicks goes on in the list.
          onClick={() => document.getElementById(listId)?.focus({ preventScroll: true })}
          className={contentClass}
        >
          {content}
        </Link>
      )}
      {items.length > 0 && (
        <Menu
          label={`Actions for ${name}`}
          items={items}
          align="start"
          isPortaled
          tabIndex={-1}
          isOpen={isMenuOpen}
          onOpenChange={onMenuOpenChange}
          onClosed={onMenuClosed}
          className={classNames(
            "size-11 md:-my-px md:size-6.5",
            !isMenuOpen && "md:hidden md:group-hover:grid md:group-focus/tree:group-data-active:grid",
          )}
        />
      )}
    </div>
  );
}
