// The right pane: the open snippet to read, to edit, or with its history. The rare ones are loaded when they are needed.
import { useEffect, useEffectEvent } from "react";
import { ApiError } from "../../api.ts";
import { ButtonLink } from "../../components/button.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "../../components/states.tsx";
import { noFilters } from "../address.ts";
import type { Copying } from "../copy/use-copy.ts";
import { type Snippet, useSnippet } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { ChangedNotice } from "../live/changed-notice.tsx";
import { Editor, History, TrashedSnippet } from "../parts.tsx";
import { NothingOpen, ReadPane } from "./read.tsx";

interface RightPaneProps {
  readonly copying: Copying;
  /** There is nothing to select. */
  readonly isListEmpty: boolean;
  readonly onBack: (() => void) | undefined;
  /** Somebody goes into the snippet that is read. */
  readonly onFocus: () => void;
  readonly onRemoved: (snippet: Snippet) => void;
}

export function RightPane({ isListEmpty, ...pane }: RightPaneProps) {
  const { view, goBack } = useLibrary();
  const { data, error, refetch, isPlaceholderData } = useSnippet(view.shelf === "trash" ? undefined : view.snippetId);
  const close = () => goBack({ mode: "read" });
  useLeaveOtherTeams(isPlaceholderData ? undefined : data?.data);
  if (view.mode === "new") return <Editor snippet={undefined} onClose={close} />;
  if (view.shelf === "trash") return <TrashedSnippet id={view.snippetId} onBack={pane.onBack} />;
  if (view.snippetId === undefined) return <NothingOpen isListEmpty={isListEmpty} />;
  // What was read stays, and above all what is being written.
  if (error instanceof ApiError && error.status === 404 && !data) return <Deleted />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div className="p-6">
        <Loading label="Loading snippet">
          <Skeleton lines={6} />
        </Loading>
      </div>
    );
  const snippet = data.data;
  return (
    <>
      {!isPlaceholderData && <ChangedNotice key={snippet.id} snippet={snippet} error={error} />}
      <OpenSnippet snippet={snippet} isStale={isPlaceholderData} onClose={close} {...pane} />
    </>
  );
}

/** Beside the list of a team, no snippet of another team stays open. */
function useLeaveOtherTeams(snippet: Snippet | undefined): void {
  const { view, folders, change } = useLibrary();
  const folder = view.folderId === undefined ? undefined : folders.get(view.folderId);
  const teamId = folder?.team_id ?? view.teamId;
  const isElsewhere =
    snippet?.id === view.snippetId && teamId !== undefined && snippet?.team_id !== teamId && view.mode === "read";
  const leave = useEffectEvent(() => change({ snippetId: undefined, variationId: undefined }, "replace"));
  useEffect(() => {
    if (isElsewhere) leave();
  }, [isElsewhere]);
}

/** A link to a snippet outlives it. */
function Deleted() {
  const { hrefOf, mayWrite, isDeletingFinal } = useLibrary();
  const href = hrefOf({ ...noFilters, shelf: "trash", mode: "read" });
  return (
    <div className="grid flex-1 place-content-center">
      <EmptyState
        icon="trash"
        title="This snippet was deleted"
        action={mayWrite() && !isDeletingFinal && <ButtonLink href={href}>Open trash</ButtonLink>}
      >
        {!isDeletingFinal && "It can be restored while it’s in the trash."}
      </EmptyState>
    </div>
  );
}

interface OpenSnippetProps extends Omit<RightPaneProps, "isListEmpty"> {
  readonly snippet: Snippet;
  /** Another one is on its way. */
  readonly isStale: boolean;
  readonly onClose: () => void;
}

function OpenSnippet({ snippet, isStale, onClose, ...pane }: OpenSnippetProps) {
  const { view } = useLibrary();
  if (view.mode !== "read" && isStale) return <Loading label="Loading snippet" />;
  if (view.mode === "edit") return <Editor key={snippet.id} snippet={snippet} onClose={onClose} />;
  if (view.mode === "history") return <History key={snippet.id} snippet={snippet} onClose={onClose} />;
  return <ReadPane snippet={snippet} isStale={isStale} {...pane} />;
}
