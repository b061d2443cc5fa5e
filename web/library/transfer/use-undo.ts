// Undoes an import, and says what became of it.
import { useQueryClient } from "@tanstack/react-query";
import { pluralize } from "../../components/format.ts";
import { toast, toastError } from "../../components/toast.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { useRefresh } from "../selection/use-acts.ts";
import { undoImport } from "./import-run.ts";

export function useUndoImport(): (importId: string) => Promise<void> {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const refresh = useRefresh();
  return async (importId) => {
    try {
      const { deleted, restored, kept } = await undoImport(importId, workspaceId);
      const parts = [
        ...(deleted > 0 ? [`${pluralize(deleted, "snippet")} moved to the trash`] : []),
        ...(restored > 0 ? [`text of ${pluralize(restored, "snippet")} restored`] : []),
        ...(kept > 0 ? [`${pluralize(kept, "snippet")} kept because of later changes`] : []),
      ];
      toast(parts.length === 0 ? "Import undone" : `Import undone: ${parts.join(", ")}`);
    } catch (error) {
      toastError(error instanceof Error ? error : new Error("Something went wrong. Try again."));
    }
    await Promise.all([refresh(), client.invalidateQueries({ queryKey: ["getLibraryImports"] })]);
  };
}
