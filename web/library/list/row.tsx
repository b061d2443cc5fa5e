// One snippet in the list: title and shortcut, its first line or the place that matches, tags, who changed it and when.
import { type DragEvent, type MouseEvent, memo } from "react";
import { classNames } from "../../components/class-names.ts";
import { formatMoment, formatRecent } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import type { Folder, SnippetRow, Tag } from "../data.ts";
import { nameOfAuthor } from "../names.ts";
import { selectBoxAttribute } from "../selection/use-selection.ts";
import { endDrag } from "../tree/drag.ts";
import { MarkedMatch, matchIn, matchOfText, textOf } from "./match.tsx";
import { TagChip } from "./tag-chip.tsx";

/** In pixels; the same for all, so that thousands of rows need no measuring. */
export const rowHeight = 88;
const tagsMax = 2;

interface RowProps {
  readonly row: SnippetRow;
  readonly id: string;
  readonly index: number;
  /** -1 while more rows follow. */
  readonly count: number;
  readonly top: number;
  /** The keys act on it. */
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  /** Several can be selected: all rows show a box. */
  readonly isSelecting: boolean;
  /** Undefined for those who may not move it. */
  readonly onDragStart: ((row: SnippetRow, event: DragEvent) => void) | undefined;
  readonly tags: ReadonlyMap<string, Tag>;
  readonly folder: Folder | undefined;
  readonly onPick: (row: SnippetRow, event: MouseEvent) => void;
}

export const Row = memo(function Row(props: RowProps) {
  const { row, id, index, count, top, isActive, isOpen, isSelected, isSelecting, tags, folder, onPick, onDragStart } =
    props;
  const tagMatch = matchIn(row, "tags");
  const matchOf = (tag: Tag) => (tagMatch && textOf(tagMatch) === tag.tag_name ? tagMatch : undefined);
  // The one that matches is not left out.
  const own = row.tag_ids
    .flatMap((tagId) => tags.get(tagId) ?? [])
    .sort((left, right) => Number(matchOf(right) !== undefined) - Number(matchOf(left) !== undefined));
  const title = matchIn(row, "title");
  const shortcut = matchIn(row, "shortcut");
  const text = matchOfText(row);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      role="option"
      id={id}
      // The list is the one that takes the focus.
      tabIndex={-1}
      aria-selected={isSelecting ? isSelected : isOpen}
      aria-current={isOpen || undefined}
      data-active={isActive || undefined}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={(event) => onPick(row, event)}
      draggable={onDragStart !== undefined}
      onDragStart={onDragStart && ((event) => onDragStart(row, event))}
      onDragEnd={endDrag}
      style={{ transform: `translateY(${top}px)`, height: rowHeight }}
      className={classNames(
        "group border-line absolute inset-x-0 top-0 grid cursor-pointer content-center gap-1 border-b pr-4 pl-8 select-none",
        isOpen || isSelected ? "bg-accent-soft" : isActive ? "bg-hover" : "hover:bg-hover/60",
        isActive && "before:bg-accent before:absolute before:inset-y-0 before:left-0 before:w-[3px]",
      )}
    >
      <span
        {...selectBoxAttribute}
        aria-hidden="true"
        className={classNames(
          "absolute inset-y-0 left-0 grid w-8 place-items-center",
          // A finger selects the first row by a long press.
          !isSelecting && "invisible pointer-fine:group-hover:visible",
        )}
      >
        <span
          className={classNames(
            "grid size-4 place-items-center rounded border",
            isSelected ? "border-accent bg-accent text-on-accent" : "border-edge bg-surface",
          )}
        >
          {isSelected && <Icon name="check" className="size-3.5" />}
        </span>
      </span>
      <span className="flex min-w-0 items-baseline gap-3">
        <bdi className="min-w-0 flex-1 truncate font-medium">{title ? <MarkedMatch of={title} /> : row.title}</bdi>
        <span className="text-quiet shrink-0 text-xs" title={`Changed ${formatMoment(row.updated_at)}`}>
          {formatRecent(row.updated_at)}
        </span>
      </span>
      <span className="text-quiet min-w-0 truncate">
        {text ? <MarkedMatch of={text} /> : row.preview.trim() || <i>Empty</i>}
      </span>
      <span className="text-quiet flex min-w-0 items-center gap-1.5 text-xs">
        {row.shortcut !== null && row.shortcut !== "" && (
          <code className="bg-sunken text-text max-w-28 shrink-0 truncate rounded px-1 leading-[1.125rem]">
            {shortcut ? <MarkedMatch of={shortcut} /> : row.shortcut}
          </code>
        )}
        {own.slice(0, tagsMax).map((tag) => (
          <TagChip key={tag.id} tag={tag} match={matchOf(tag)} />
        ))}
        {own.length > tagsMax && <span className="shrink-0">+{own.length - tagsMax}</span>}
        {folder && own.length === 0 && (
          <span className="flex min-w-0 items-center gap-1">
            <Icon name="folder" className="size-3.5" />
            <span className="truncate">{folder.folder_name}</span>
          </span>
        )}
        <span className="ml-auto min-w-12 truncate pl-1 text-right">{nameOfAuthor(row.updated_by)}</span>
      </span>
    </div>
  );
});
