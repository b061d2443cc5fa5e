// One snippet in the list: title and shortcut, its first line or the place that matches, tags, who changed it and when.
import { type DragEvent, type MouseEvent, memo } from "react";
import type { SearchQuery } from "../../../src/library/search/pieces.ts";
import { classNames } from "../../components/class-names.ts";
import { formatMoment, formatRecent } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import type { Folder, SnippetRow, Tag } from "../data.ts";
import { directionOf } from "../direction.ts";
import { Marked } from "../marks/marked.tsx";
import { placesIn } from "../marks/places.ts";
import { initialNameOfAuthor } from "../names.ts";
import { selectBoxAttribute } from "../selection/use-selection.ts";
import { endDrag } from "../tree/drag.ts";
import { rowHeightOf } from "./density.ts";
import { matchLineOf } from "./match.ts";
import { TagChip } from "./tag-chip.tsx";

const tagsMax = 2;

interface RowProps {
  readonly row: SnippetRow;
  /** What it finds is marked. */
  readonly query: SearchQuery;
  readonly id: string;
  readonly index: number;
  /** -1 while more rows follow. */
  readonly count: number;
  readonly top: number;
  readonly isCompact: boolean;
  /** The keys act on it. */
  readonly isActive: boolean;
  readonly isOpen: boolean;
  /** Among snippets that are not archived. */
  readonly isMarkedArchived: boolean;
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
  const { row, query, id, index, count, top, isCompact, isActive, isOpen, isSelected, isSelecting } = props;
  const { tags, folder, isMarkedArchived, onPick, onDragStart } = props;
  const isFound = ({ tag_name }: Tag) => placesIn("text", tag_name, query).length > 0;
  // Those that match are not left out.
  const own = row.tag_ids
    .flatMap((tagId) => tags.get(tagId) ?? [])
    .sort((left, right) => Number(isFound(right)) - Number(isFound(left)));
  const line = matchLineOf(row);
  const shortcut = row.shortcut !== null && row.shortcut !== "" && (
    <code className="bg-sunken text-text max-w-28 shrink-0 truncate rounded px-1 text-xs leading-[1.125rem]">
      <Marked what="name" text={row.shortcut} query={query} />
    </code>
  );
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
      style={{ transform: `translateY(${top}px)`, height: rowHeightOf(isCompact) }}
      className={classNames(
        "group border-line absolute inset-x-0 top-0 grid cursor-pointer content-center border-b pr-4 pl-8 select-none",
        isCompact ? "leading-tight" : "gap-1",
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
        <bdi className="min-w-0 flex-1 truncate font-medium">
          <Marked what="name" text={row.title} query={query} />
        </bdi>
        {isMarkedArchived && (
          <span title="Archived" className="text-quiet shrink-0 self-center">
            <Icon name="archive" className="size-3.5" />
            <span className="sr-only">Archived</span>
          </span>
        )}
        {isCompact && shortcut}
        <span className="text-quiet shrink-0 text-xs" title={`Changed ${formatMoment(row.updated_at)}`}>
          {formatRecent(row.updated_at)}
        </span>
      </span>
      <span
        dir={directionOf(line?.text ?? row.preview)}
        className={classNames("text-quiet min-w-0 truncate", isCompact && "text-xs")}
      >
        {line?.lead}
        {line || row.preview.trim() !== "" ? (
          <Marked what="text" text={row.preview.trim()} {...line} query={query} />
        ) : (
          <i>Empty</i>
        )}
      </span>
      {!isCompact && (
        <span className="text-quiet flex min-w-0 items-center gap-1.5 text-xs">
          {shortcut}
          {own.slice(0, tagsMax).map((tag) => (
            <TagChip key={tag.id} tag={tag} query={query} />
          ))}
          {own.length > tagsMax && <span className="shrink-0">+{own.length - tagsMax}</span>}
          {folder && own.length === 0 && (
            <span className="flex min-w-0 items-center gap-1">
              <Icon name="folder" className="size-3.5" />
              <span className="truncate">{folder.folder_name}</span>
            </span>
          )}
          <span className="ml-auto min-w-12 truncate pl-1 text-right">{initialNameOfAuthor(row.updated_by)}</span>
        </span>
      )}
    </div>
  );
});
