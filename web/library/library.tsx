// The library: teams, folders and tags on the left, the list in the middle, the open snippet on the right.
import { memo, useRef } from "react";
import { useTitle } from "../components/layout.tsx";
import { useStore } from "../store.ts";
import { useWorkspace } from "../workspace.tsx";
import { listsSnippets } from "./address.ts";
import { PlaceholderDialog } from "./copy/placeholder-dialog.tsx";
import { type CopyWhat, useCopy } from "./copy/use-copy.ts";
import { type Snippet, searchOf, useFindSnippet, useSnippets } from "./data.ts";
import { LibraryProvider, useLibrary } from "./library-context.tsx";
import { useHeldPages } from "./list/held-rows.ts";
import { focusList } from "./list/list.tsx";
import { ListPane } from "./list/list-pane.tsx";
import { goOn, useCursor } from "./list/use-cursor.ts";
import { useFind } from "./list/use-find.ts";
import { useLive } from "./live/use-live.ts";
import { type PaneName, Panes, usePaneCount } from "./panes.tsx";
import { Feed, TransferDialogs, Trash, TreeDialogs } from "./parts.tsx";
import { RightPane } from "./read/right-pane.tsx";
import { ProgressCard } from "./selection/progress-card.tsx";
import { selectWith, useSelectionKeys } from "./selection/select.ts";
import { undoLast } from "./selection/undo.ts";
import { useSelection } from "./selection/use-selection.ts";
import { DropHint, useFileDrop } from "./transfer/file-drop.tsx";
import { transferDialog } from "./transfer/open-transfer.ts";
import { treeDialog } from "./tree/open-dialog.ts";
import { TreePane } from "./tree/tree.tsx";
import { useKeys } from "./use-keys.ts";
import { useStable } from "./use-stable.ts";

export default function LibraryPage() {
  return (
    <LibraryProvider>
      <Library />
    </LibraryProvider>
  );
}

function Library() {
  const library = useLibrary();
  const { view, change, goBack, mayWrite, isDeletingFinal } = library;
  const { id: workspaceId } = useWorkspace();
  const paneCount = usePaneCount();
  const field = useRef<HTMLInputElement>(null);
  const find = useFind(library);
  const pages = useHeldPages(useSnippets(view, find.query), JSON.stringify(searchOf(view, find.query)));
  const rows = listsSnippets(view.shelf) ? pages.rows : undefined;
  const copying = useCopy();
  const findSnippet = useFindSnippet();
  useTitle("Library");
  useLive();

  const open = (snippetId: string, how?: "push" | "replace") =>
    change({ snippetId, variationId: undefined, mode: "read", isBrowsing: false }, how);
  const cursor = useCursor({
    rows,
    openId: view.snippetId,
    query: find.query,
    // What the cursor passes is no step for the back button.
    opens: paneCount > 1 ? (id) => open(id, view.snippetId === undefined ? "push" : "replace") : undefined,
  });
  const selection = useSelection(view);
  const openTarget = () => {
    const target = cursor.row ?? rows?.[0];
    if (!target) return;
    cursor.setId(target.id);
    open(target.id);
    focusList();
  };
  const copyTarget = (what: CopyWhat) => {
    const snippetId = cursor.row?.id ?? view.snippetId;
    // What is in the trash has a button to copy it.
    if (snippetId === undefined || view.shelf === "trash") return;
    const open = snippetId === view.snippetId ? findSnippet(snippetId) : undefined;
    const variation = open?.variations.find(({ id }) => id === view.variationId) ?? open?.variations[0];
    const contentType = variation?.content_type ?? cursor.row?.content_type ?? "plaintext";
    copying.copy(what, { snippetId, variationId: variation?.id, contentType });
  };
  const browse = paneCount < 3 ? () => change({ isBrowsing: true }) : undefined;
  const backToList = useStable(() => goBack({ snippetId: undefined, variationId: undefined, mode: "read" }));
  const closeTree = useStable(() => goBack({ isBrowsing: false }));
  const back = paneCount === 1 ? backToList : undefined;
  const goOnFrom = useStable((removed: Snippet) => {
    goOn(cursor, rows ?? [], [removed]);
    focusList();
  });

  const pointToOpen = useStable(() => cursor.setId(view.snippetId));

  useKeys({
    find: () => {
      field.current?.focus();
      field.current?.select();
    },
    // The history moves through its versions, and nothing leaves it while it loads.
    ...(view.mode !== "history" && {
      next: () => cursor.moveTo(cursor.index + 1),
      previous: () => cursor.moveTo(cursor.index - 1),
    }),
    open: openTarget,
    back,
    copy: () => copyTarget("text"),
    copyRaw: () => copyTarget("raw"),
    copyLink: () => copyTarget("link"),
    create: mayWrite() ? () => change({ mode: "new", snippetId: undefined }) : undefined,
    undo: mayWrite() ? () => undoLast(workspaceId, !isDeletingFinal) : undefined,
  });
  useSelectionKeys(selection, cursor, rows ?? []);
  const drop = useFileDrop();

  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...drop.handlers}>
      {drop.isOver && <DropHint mayImport={drop.mayImport} />}
      <h1 id="page-title" tabIndex={-1} className="sr-only">
        Library
      </h1>
      <Panes
        shown={shownPanes(paneCount, view)}
        panes={{
          left: {
            label: "Folders and tags",
            content: <Left onClose={paneCount < 3 ? closeTree : undefined} />,
          },
          middle: {
            label: "List",
            content:
              view.shelf === "trash" ? (
                <Trash onBrowse={browse} />
              ) : view.shelf === "activity" ? (
                <Feed onBrowse={browse} />
              ) : (
                <ListPane
                  find={find}
                  field={field}
                  pages={pages}
                  cursor={cursor}
                  onBrowse={browse}
                  onPick={(row, event) => {
                    if (selectWith(event, selection, rows ?? [], row, cursor.index)) return;
                    cursor.setId(row.id);
                    open(row.id);
                  }}
                  selection={selection}
                  onOpen={openTarget}
                  onCopy={() => copyTarget("text")}
                  onLeaveField={focusList}
                />
              ),
          },
          right: {
            label: "Snippet",
            content: (
              <Right
                copying={copying}
                isListEmpty={rows?.length === 0}
                onBack={back}
                onFocus={pointToOpen}
                onRemoved={goOnFrom}
              />
            ),
          },
        }}
      />
      {copying.form && <PlaceholderDialog form={copying.form} />}
      <OpenTreeDialog />
      <OpenTransferDialog />
      <ProgressCard />
    </div>
  );
}

/** Not rendered again while one types. */
const [Left, Right] = [memo(TreePane), memo(RightPane)];

/** Its script is loaded with the first dialog. */
const OpenTreeDialog = () => useStore(treeDialog) && <TreeDialogs />;

const OpenTransferDialog = () => useStore(transferDialog) && <TransferDialogs />;

/** Which panes are shown: all, the right one with one beside it, or a single one. */
function shownPanes(
  count: 1 | 2 | 3,
  { isBrowsing, snippetId, mode }: ReturnType<typeof useLibrary>["view"],
): ReadonlySet<PaneName> {
  if (count === 3) return new Set(["left", "middle", "right"]);
  const beside = isBrowsing ? "left" : "middle";
  if (count === 2) return new Set([beside, "right"]);
  const isRight = !isBrowsing && (snippetId !== undefined || mode === "new");
  return new Set([isRight ? "right" : beside]);
}
