// The tree of teams, folders and tags. Only the visible rows are in the page.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { toastError } from "../../components/toast.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { noFilters } from "../address.ts";
import type { Tree } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { buildForest, folderKey, keysAround, listRows, type TreeRow, tagKey, teamKey } from "./build-tree.ts";
import { openTreeDialog } from "./open-dialog.ts";
import { itemsOfRow } from "./tree-menu.tsx";
import { TreeItem } from "./tree-row.tsx";
import { useExpansion } from "./use-expansion.ts";
import { useTreeDrop } from "./use-tree-drop.ts";

const treeId = "tree";
const rowId = (key: string): string => `row-${key}`;

// A finger needs higher rows.
const wideQuery = matchMedia("(min-width: 768px)");
const subscribe = (listener: () => void) => {
  wideQuery.addEventListener("change", listener);
  return () => wideQuery.removeEventListener("change", listener);
};
const useRowHeight = (): number => useSyncExternalStore(subscribe, () => (wideQuery.matches ? 30 : 44));

export function TreeRows({ tree }: { tree: Tree }) {
  const { view, change, hrefOf } = useLibrary();
  const expansion = useExpansion(useWorkspace().id);
  const isArchive = view.shelf === "archived";
  const forest = useMemo(() => buildForest(tree, isArchive), [tree, isArchive]);
  const rows = useMemo(() => listRows(forest, expansion.toggled), [forest, expansion.toggled]);
  const rowsByKey = useMemo(() => new Map(rows.map((row) => [row.key, row])), [rows]);
  const shownKey = keyOfView(view);
  const [activeKey, setActiveKey] = useState(shownKey);
  const [menuKey, setMenuKey] = useState<string>();
  const dropOnRow = useTreeDrop();

  const rowHeight = useRowHeight();
  const scroller = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is measured anew
  useEffect(() => virtual.measure(), [virtual, rowHeight]);

  const found = rows.findIndex(({ key }) => key === activeKey);
  const index = found < 0 ? 0 : found;
  const active = rows[index];
  useEffect(() => {
    if (found >= 0) virtual.scrollToIndex(found, { align: "auto" });
  }, [found, virtual]);

  // What the address shows has a row. One may close what is around it again, as long as it stays where it is.
  const { open } = expansion;
  const { folderId, tagIds } = view;
  const [tagId] = tagIds;
  const revealed = useRef("");
  useEffect(() => {
    const [kind, id] = folderId !== undefined ? (["folder", folderId] as const) : (["tag", tagId] as const);
    const around = id === undefined ? [] : keysAround(tree, kind, id);
    const place = [shownKey, ...around].join();
    if (revealed.current === place) return;
    revealed.current = place;
    setActiveKey(shownKey);
    open(around);
  }, [shownKey, folderId, tagId, tree, open]);

  const changesOf = (row: TreeRow) => {
    const shown = row.key === shownKey;
    if (row.kind === "folder") return { folderId: row.folder.id };
    // A second click shows all again.
    return row.kind === "tag" ? { tagIds: shown ? [] : [row.tag.id] } : { teamId: row.team.id };
  };
  const toView = (row: TreeRow) =>
    ({
      ...noFilters,
      // A folder of the archive shows what is archived in it.
      shelf: isArchive ? "archived" : "current",
      isBrowsing: false,
      mode: "read",
      ...changesOf(row),
    }) as const;

  const typed = useRef({ text: "", at: 0 });
  const press = (event: KeyboardEvent) => {
    if (!active || event.target !== container.current) return;
    const act = keyAct(event);
    if (!act) return;
    event.preventDefault();
    act();
  };
  const moveTo = (target: number) => setActiveKey(rows.at(Math.max(0, Math.min(target, rows.length - 1)))?.key);
  const keyAct = (event: KeyboardEvent): (() => void) | undefined => {
    if (!active || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const { key, isOpen, parentKey } = active;
    const isMenuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
    if (isMenuKey) return itemsOfRow(active).length > 0 ? () => setMenuKey(key) : undefined;
    const inner = () => (isOpen === false ? expansion.toggle(key) : isOpen && moveTo(index + 1));
    const outer = () => (isOpen ? expansion.toggle(key) : parentKey !== undefined && setActiveKey(parentKey));
    const acts: Readonly<Record<string, (() => void) | undefined>> = {
      ArrowDown: () => moveTo(index + 1),
      ArrowUp: () => moveTo(index - 1),
      ArrowRight: inner,
      ArrowLeft: outer,
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      PageDown: () => moveTo(index + 10),
      PageUp: () => moveTo(index - 10),
      Enter: active.kind === "tags" ? () => expansion.toggle(key) : () => change(toView(active)),
      F2: dialogOf(active, "edit"),
      Delete: dialogOf(active, "delete"),
    };
    if (Object.hasOwn(acts, event.key)) {
      typed.current = { text: "", at: 0 };
      return acts[event.key];
    }
    // Others, such as ? and /, are keys of the page.
    return /^[\p{L}\p{N}]$/u.test(event.key) ? () => findByName(event.key) : undefined;
  };
  /** Typing letters goes to the next row that begins with them. */
  const findByName = (letter: string) => {
    const now = performance.now();
    const { text, at } = typed.current;
    const wanted = (now - at < 700 ? text : "") + letter.toLowerCase();
    typed.current = { text: wanted, at: now };
    const start = wanted.length === 1 ? index + 1 : index;
    const match = [...rows.slice(start), ...rows.slice(0, start)].find(({ name }) =>
      name.toLowerCase().startsWith(wanted),
    );
    if (match) setActiveKey(match.key);
  };

  const items = virtual.getVirtualItems();
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-4">
      <div
        ref={container}
        id={treeId}
        role="tree"
        aria-label="Folders and tags"
        tabIndex={0}
        aria-activedescendant={active && items.some((item) => item.index === index) ? rowId(active.key) : undefined}
        onKeyDown={press}
        className="group/tree relative w-full outline-none focus-visible:[&_[data-active]]:outline-accent focus-visible:[&_[data-active]]:outline-2 focus-visible:[&_[data-active]]:-outline-offset-2"
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index: at, start }) => {
          const row = rows[at];
          return (
            row && (
              <TreeItem
                key={row.key}
                id={rowId(row.key)}
                row={row}
                top={start}
                height={rowHeight}
                href={row.kind === "tags" ? undefined : hrefOf(toView(row))}
                isActive={at === index}
                isShown={row.key === shownKey}
                items={itemsOfRow(row)}
                isMenuOpen={menuKey === row.key}
                onMenuOpenChange={(isOpen) => setMenuKey(isOpen ? row.key : undefined)}
                onMenuClosed={() => container.current?.focus({ preventScroll: true })}
                onPoint={() => setActiveKey(row.key)}
                onToggle={() => expansion.toggle(row.key)}
                acceptDrop={(what) => {
                  const drop = dropOnRow(what, row, keysOver(row, rowsByKey));
                  return drop && (() => void drop().catch(toastError));
                }}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

/** The rows that a row is in. They are shown, since it is. */
function keysOver({ parentKey }: TreeRow, rows: ReadonlyMap<string, TreeRow>): readonly string[] {
  if (parentKey === undefined) return [];
  const parent = rows.get(parentKey);
  return parent ? [parentKey, ...keysOver(parent, rows)] : [parentKey];
}

/** The row of what the list shows. */
function keyOfView({ teamId, folderId, tagIds }: ReturnType<typeof useLibrary>["view"]): string | undefined {
  if (folderId !== undefined) return folderKey(folderId);
  const [tagId] = tagIds;
  if (tagId !== undefined) return tagKey(tagId);
  return teamId === undefined ? undefined : teamKey(teamId);
}

function dialogOf(row: TreeRow, act: "edit" | "delete"): (() => void) | undefined {
  if (!row.team.may_manage) return undefined;
  if (row.kind === "folder") return () => openTreeDialog({ act, kind: "folder", id: row.folder.id });
  return row.kind === "tag" ? () => openTreeDialog({ act, kind: "tag", id: row.tag.id }) : undefined;
}
