// The dialog with what can be undone. Its script is loaded when it is first opened.
import { lazyPart } from "../../script.tsx";
import { createStore, useStore } from "../../store.ts";

/** The workspace whose changes are listed; undefined while the dialog is closed. */
const openIn = createStore<string | undefined>(undefined);
export const openUndo = (workspaceId: string): void => openIn.set(workspaceId);

const UndoDialog = lazyPart<{ workspaceId: string; onClose: () => void }>(() => import("./undo-dialog.tsx"), null);

/** Once on every page with a signed-in person. */
export function OpenUndoDialog() {
  const workspaceId = useStore(openIn);
  return workspaceId !== undefined && <UndoDialog workspaceId={workspaceId} onClose={() => openIn.set(undefined)} />;
}
