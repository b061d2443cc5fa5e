// The tree of folders and tags that an import makes or fills. Only the visible rows are in the page.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { classNames } from "../../components/class-names.ts";
import { formatCount } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { Badge } from "../../components/layout.tsx";
import { type GroupRow, listGroupRows, type PreviewGroup } from "./group-rows.ts";

/** With more than these, a tree begins closed. */
const openMax = 40;
const rowHeight = 36;

interface GroupTreeProps {
  readonly folders: readonly PreviewGroup[];
  readonly tags: readonly PreviewGroup[];
  /** New folders and tags that are not in the lists. */
  readonly moreCount: number;
}

export function GroupTree({ folders, tags, moreCount }: GroupTreeProps) {
  const id = useId();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const isOpenAtFirst = folders.length + tags.length <= openMax;
  const rows = useMemo(
    () => listGroupRows(folders, tags, (key) => isOpenAtFirst !== toggled.has(key)),
    [folders, tags, isOpenAtFirst, toggled],
  );
  const toggle = (key: string) =>
    setToggled((before) => new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key]));
  const [activeKey, setActiveKey] = useState<string>();
  const found = rows.findIndex(({ key }) => key === activeKey);
  const index = Math.max(0, found);
  const active = rows[index];
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  useEffect(() => {
    if (found >= 0) virtual.scrollToIndex(found, { align: "auto" });
  }, [found, virtual]);
  const press = (event: KeyboardEvent) => {
    if (!active || event.ctrlKey || event.metaKey || event.altKey) return;
    const moveTo = (target: number) => setActiveKey(rows.at(Math.max(0, Math.min(target, rows.length - 1)))?.key);
    const { key, isOpen, parentKey } = active;
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(index + 1),
      ArrowUp: () => moveTo(index - 1),
      ArrowRight: () => (isOpen === false ? toggle(key) : isOpen && moveTo(index + 1)),
      ArrowLeft: () => (isOpen ? toggle(key) : parentKey !== undefined && setActiveKey(parentKey)),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      Enter: () => isOpen !== undefined && toggle(key),
      " ": () => isOpen !== undefined && toggle(key),
    };
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  };
  const items = virtual.getVirtualItems();
  return (
    <div className="border-line grid max-h-56 min-w-0 content-start overflow-hidden rounded-md border">
      <div ref={scroller} className="min-h-0 overflow-y-auto overscroll-contain">
        <div
          role="tree"
          aria-label="Folders and tags in the file"
          tabIndex={0}
          aria-activedescendant={
            active && items.some((item) => item.index === index) ? `${id}${active.key}` : undefined
          }
          onKeyDown={press}
          className="relative w-full outline-none focus-visible:[&_[data-active]]:outline-accent focus-visible:[&_[data-active]]:outline-2 focus-visible:[&_[data-active]]:-outline-offset-2"
          style={{ height: virtual.getTotalSize() }}
        >
          {items.map(({ index: at, start }) => {
            const row = rows[at];
            return (
              row && (
                <GroupItem
                  key={row.key}
                  id={`${id}${row.key}`}
                  row={row}
                  top={start}
                  isActive={at === index}
                  onPress={() => {
                    setActiveKey(row.key);
                    if (row.isOpen !== undefined) toggle(row.key);
                  }}
                />
              )
            );
          })}
        </div>
      </div>
      {moreCount > 0 && (
        <p className="text-quiet border-line border-t px-3 py-2">
          and {formatCount(moreCount)} more new folders and tags
        </p>
      )}
    </div>
  );
}

interface GroupItemProps {
  readonly id: string;
  readonly row: GroupRow;
  readonly top: number;
  readonly isActive: boolean;
  readonly onPress: () => void;
}

const indentationMax = 10;

const GroupItem = ({ id, row, top, isActive, onPress }: GroupItemProps) => {
  const { kind, name, level, position, siblingCount, isOpen, isNew, count } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      role="treeitem"
      id={id}
      // The tree is the one that takes the focus.
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblingCount}
      aria-expanded={isOpen}
      aria-selected={false}
      data-active={isActive || undefined}
      onClick={onPress}
      style={{
        transform: `translateY(${top}px)`,
        height: rowHeight,
        paddingLeft: `${0.5 + Math.min(level - 1, indentationMax) * 0.875}rem`,
      }}
      className={classNames(
        "absolute inset-x-0 top-0 flex items-center gap-2 rounded-md pr-3 outline-none select-none",
        isOpen !== undefined && "hover:bg-hover cursor-pointer",
      )}
    >
      <Icon
        name="chevron"
        className={classNames("text-quiet size-3.5", isOpen === undefined ? "invisible" : !isOpen && "-rotate-90")}
      />
      {kind !== "tags" && <Icon name={kind} className="text-quiet size-4" />}
      <bdi className={classNames("min-w-0 flex-1 truncate", kind === "tags" && "text-quiet font-medium")} title={name}>
        {name}
      </bdi>{" "}
      {count > 0 && <span className="text-quiet text-xs tabular-nums">{formatCount(count)}</span>}{" "}
      {isNew !== undefined && (
        <span className="w-16 text-right">
          <Badge tone={isNew ? "good" : "neutral"}>{isNew ? "New" : "Existing"}</Badge>
        </span>
      )}
    </div>
  );
};
