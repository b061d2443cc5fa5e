// In the reading view: the open snippet has unsaved changes in this browser.
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/layout.tsx";
import { Time } from "../../components/time.tsx";
import { useStore } from "../../store.ts";
import { usePerson, useWorkspace } from "../../workspace.tsx";
import { useLibrary } from "../library-context.tsx";
import { type DraftPlace, draftChanges, readDraft, removeDraft } from "./drafts.ts";

/** Where the draft of what is written belongs. @param snippetId undefined for a new snippet */
export function useDraftPlace(snippetId: string | undefined): DraftPlace {
  return { personId: usePerson().id, workspaceId: useWorkspace().id, snippetId };
}

export function DraftNotice({ snippetId }: { snippetId: string }) {
  const { change } = useLibrary();
  const place = useDraftPlace(snippetId);
  // An editor that closes keeps the draft a moment after this is rendered.
  useStore(draftChanges);
  const at = readDraft(place)?.at;
  if (at === undefined) return null;
  return (
    <UnsavedNotice
      text={
        <>
          You have unsaved changes, last edited <Time at={at} part="relative" />.
        </>
      }
      onContinue={() => change({ mode: "edit" })}
      onDiscard={() => removeDraft(place)}
    />
  );
}

export function UnsavedNotice({
  text,
  onContinue,
  onDiscard,
}: {
  text: ReactNode;
  /** Undefined where the person is writing already. */
  onContinue?: () => void;
  onDiscard: () => void;
}) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div role="status">
      <Notice>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-52">{text}</p>
          <div className="flex flex-wrap gap-2">
            {onContinue && (
              <Button size="small" onClick={onContinue}>
                Continue editing
              </Button>
            )}
            <Button variant={onContinue ? "quiet" : "plain"} size="small" onClick={() => setIsAsking(true)}>
              Discard changes
            </Button>
          </div>
        </div>
      </Notice>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Discard your unsaved changes?"
        confirmLabel="Discard changes"
        onConfirm={() => {
          setIsAsking(false);
          onDiscard();
        }}
      >
        <p>Saved text isn’t affected. You can’t undo this.</p>
      </ConfirmDialog>
    </div>
  );
}
