// Says that somebody else has changed the open snippet while it is read or edited. What one writes is not touched by that.
import { useState } from "react";
import { ApiError } from "../../api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icons.tsx";
import { usePerson } from "../../workspace.tsx";
import type { Snippet } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { nameOfAuthor } from "../names.ts";

interface ChangedNoticeProps {
  readonly snippet: Snippet;
  /** Why it could not be read again. */
  readonly error: Error | null;
}

export function ChangedNotice({ snippet, error }: ChangedNoticeProps) {
  const { id: personId } = usePerson();
  const { view, change, isDeletingFinal } = useLibrary();
  // Begins anew with another snippet: its key says so.
  const [seen, setSeen] = useState(snippet.state);
  const { state, updated_by } = snippet;
  const isOwn = updated_by.id === personId;
  // One's own change is known.
  if (isOwn && seen !== state) setSeen(state);
  const isGone = error instanceof ApiError && error.status === 404;
  const isShown = !isGone && !isOwn && seen !== state && view.mode !== "history";
  return (
    <div role="status" className="empty:hidden">
      {isGone && (
        <p className="bg-warn-soft text-warn px-4 py-2 md:px-6">
          Someone deleted this snippet.{!isDeletingFinal && " Team editors can restore it from the trash."}
        </p>
      )}
      {isShown && (
        <div className="bg-accent-soft text-text animate-appear flex items-center gap-2 py-1 pr-1.5 pl-4 md:pl-6">
          <p className="min-w-0 flex-1 truncate">
            Changed by {nameOfAuthor(updated_by)}
            {view.mode === "edit" ? ". Your unsaved edits stay; the rest is up to date." : "."}
          </p>
          <Button
            size="small"
            variant="quiet"
            onClick={() => {
              setSeen(state);
              change({ mode: "history" });
            }}
          >
            Show history
          </Button>
          <IconButton label="Dismiss" onClick={() => setSeen(state)}>
            <Icon name="close" className="size-4" />
          </IconButton>
        </div>
      )}
    </div>
  );
}
