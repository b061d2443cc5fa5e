// What can be done with many snippets at once, each with a way back.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { callConsole } from "../../api.ts";
import type { ReadOperation } from "../../call.ts";
import { toast } from "../../components/toast.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { useLibrary } from "../library-context.tsx";
import { describeOutcome, type Move, type Outcome, type Say, undoOf } from "./plan.ts";
import { runPortions } from "./run.ts";
import { offerUndo } from "./undo.ts";

export interface Acts {
  /** @param say what has happened then @param label what happens meanwhile: "Moving snippets" */
  readonly change: (moves: readonly Move[], say: Say, label: string) => Promise<void>;
  /** Moves snippets into the trash. */
  readonly remove: (ids: readonly string[]) => Promise<void>;
  /** Takes snippets out of the trash. */
  readonly restore: (ids: readonly string[]) => Promise<void>;
}

/** What shows snippets. */
export const snippetReads = [
  "getLibrarySearch",
  "getLibrarySnippet",
  "getLibraryTree",
  "getLibraryTrash",
] as const satisfies readonly ReadOperation[];

/** Reads again what shows snippets. An address that was changed just before is shown by then: a folder that is gone is not asked for. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return useMemo(
    () => async () => {
      await new Promise((resolve) => setTimeout(resolve));
      await Promise.all(snippetReads.map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
    [client],
  );
}

export function useActs(): Acts {
  const { id: workspaceId } = useWorkspace();
  const { view, change: show, isDeletingFinal } = useLibrary();
  const openId = view.snippetId;
  const refresh = useRefresh();
  return useMemo(() => {
    const report = (say: Say, outcome: Outcome, undo: (() => void) | undefined) => {
      const text = describeOutcome(say, outcome);
      if (undo && outcome.ids.length > 0) offerUndo(text, undo);
      else toast(text, outcome.ids.length > 0 ? "good" : "danger");
    };
    const changeAll = (moves: readonly Move[], label: string) =>
      runPortions(label, moves, async (portion) => {
        const { data } = await callConsole("putLibrarySnippets", { body: { snippets: [...portion] }, workspaceId });
        return {
          ids: data.updatedSnippets.map(({ snippetId }) => snippetId),
          undo: data.updatedSnippets.map(({ undo }) => undo),
          refusals: data.errors.map(({ message }) => message),
        };
      });
    const restoreAll = (ids: readonly string[]) =>
      runPortions("Restoring snippets", ids, async (portion) => {
        const { data } = await callConsole("postLibrarySnippetsRestore", {
          body: { snippetIds: [...portion] },
          workspaceId,
        });
        return {
          ids: data.restoredSnippets.map(({ snippetId }) => snippetId),
          refusals: data.errors.map(({ message }) => message),
        };
      });
    const removeAll = async (ids: readonly string[]) => {
      const tried: string[] = [];
      const outcome = await runPortions("Deleting snippets", ids, async (portion) => {
        const { metadata } = await callConsole("deleteLibrarySnippets", {
          query: { snippetIds: [...portion] },
          workspaceId,
        });
        tried.push(...portion);
        // The service says how many, not which.
        return {
          ids: portion.slice(0, metadata.deletedCount),
          refusals: portion.slice(metadata.deletedCount).map(() => "Snippet not found"),
        };
      });
      return { outcome, tried };
    };

    const acts: Acts = {
      change: async (moves, say, label) => {
        const outcome = await changeAll(moves, label);
        const undo = undoOf(outcome);
        const undoAll = async () => {
          const undone = await changeAll(undo, "Undoing the change");
          await refresh();
          toast(
            undone.ids.length === undo.length
              ? "Change undone."
              : describeOutcome((snippets) => `Undid the change to ${snippets}`, undone),
            undone.ids.length === undo.length ? "good" : "danger",
          );
        };
        await refresh();
        report(say, outcome, undo.length > 0 ? () => void undoAll() : undefined);
      },
      remove: async (ids) => {
        if (openId !== undefined && ids.includes(openId)) show({ snippetId: undefined, mode: "read" }, "replace");
        const { outcome, tried } = await removeAll(ids);
        await refresh();
        report(
          (snippets) => `Deleted ${snippets}`,
          outcome,
          isDeletingFinal ? undefined : () => void acts.restore(tried),
        );
      },
      restore: async (ids) => {
        const outcome = await restoreAll(ids);
        await refresh();
        report((snippets) => `Restored ${snippets}`, outcome, undefined);
      },
    };
    return acts;
  }, [workspaceId, refresh, openId, show, isDeletingFinal]);
}
