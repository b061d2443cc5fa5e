// The changes that can be undone, in a dialog: opened from the activity and from the palette, on every page of the console.
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { undoStep, undoStepsMax, useUndoSteps } from "./undo.ts";

export default function UndoDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const steps = useUndoSteps().filter((step) => step.workspaceId === workspaceId);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Undo changes"
      description={`Your last ${undoStepsMax} changes since you opened this page. Reloading it clears the list.`}
    >
      {steps.length === 0 ? (
        <EmptyState icon="history" title="Nothing to undo">
          When you move, tag, archive, or delete snippets, you can undo it here.
        </EmptyState>
      ) : (
        <ol aria-label="Changes, newest first" className="divide-line -mx-2 divide-y">
          {steps.map(({ id, text, at }) => (
            <li key={id} className="flex items-center gap-3 px-2 py-2">
              <div className="min-w-0 flex-1">
                <p className="wrap-anywhere">{text}</p>
                <Time at={at} part="relative" className="text-quiet text-xs" />
              </div>
              <Button size="small" aria-label={`Undo: ${text}`} onClick={() => undoStep(id)}>
                Undo
              </Button>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}
