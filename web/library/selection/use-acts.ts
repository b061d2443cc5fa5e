// What can be done with many snippets at once, each with a way back.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { callConsole } from "../../api.ts";
import type { ReadOperation } from "../../call.ts";
import { quote } from "../../components/format.ts";
import { toast } from "../../components/toast.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { noFilters, parseView } from "../address.ts";
import type { SnippetRow } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { holdInList } from "../list/held-rows.ts";
import { duplicateSnippet } from "./duplicate.ts";
import { readWhole } from "./export.ts";
import { describeOutcome, type Move, type Outcome, type Say, undoOf } from "./plan.ts";
import { runPortions } from "./run.ts";
import { forgetDeletion, offerUndo } from "./undo.ts";

/** What an act needs to know of a snippet. */
export type Named = Pick<SnippetRow, "id" | "title">;

export interface Acts {
  /** @param say what has happened then @param label what happens meanwhile: "Moving snippets" */
  readonly change: (snippets: readonly Named[], change: Omit<Move, "id">, say: Say, label: string) => Promise<void>;
  /** Moves snippets into the trash. */
  readonly remove: (snippets: readonly Named[]) => Promise<void>;
  /** Makes a copy and opens it. */
  readonly duplicate: (snippet: Named) => Promise<void>;
  /** Takes snippets out of the trash. */
  readonly restore: (snippets: readonly Named[]) => Promise<void>;
}

/** What shows snippets. */
export const snippetReads = [
  "getLibrarySearch",
  "getLibrarySnippet",
  "getLibraryTree",
  "getLibraryTrash",
  "getLibraryActivity",
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
  const { snippetId: openId, variationId } = view;
  const refresh = useRefresh();
  return useMemo(() => {
    /** @param offer says it with a button, unless nothing was done */
    const report = (
      say: Say,
      snippets: readonly Named[],
      outcome: Outcome,
      offer: (text: string) => void = (text) => toast(text),
    ) => {
      const text = describeOutcome(say, outcome, snippets[0]?.title);
      if (outcome.ids.length > 0) offer(text);
      else toast(text, "danger");
    };
    const changeAll = (moves: readonly Move[], label: string) => {
      holdInList(moves.map(({ id }) => id));
      return runPortions(label, moves, async (portion) => {
        const { data } = await callConsole("putLibrarySnippets", { body: { snippets: [...portion] }, workspaceId });
        return {
          ids: data.updatedSnippets.map(({ snippetId }) => snippetId),
          undo: data.updatedSnippets.map(({ undo }) => undo),
          refusals: data.errors.map(({ message }) => message),
        };
      });
    };
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

    /** Taking back an act leads back to the snippet that was open at that time. @returns to be called then */
    const returnTo = (snippets: readonly Named[]) => {
      const { pathname } = location;
      return () => {
        if (openId === undefined || !snippets.some(({ id }) => id === openId)) return;
        // The person may be on another page by now, write, or look at the trash.
        const now = parseView(location.search);
        if (location.pathname !== pathname || now.mode !== "read" || now.shelf === "trash") return;
        if (now.snippetId !== openId) show({ snippetId: openId, variationId, isBrowsing: false });
      };
    };

    const acts: Acts = {
      change: async (snippets, change, say, label) => {
        const goBack = returnTo(snippets);
        const outcome = await changeAll(
          snippets.map(({ id }) => ({ id, ...change })),
          label,
        );
        let undo = undoOf(outcome);
        const undoAll = async () => {
          const undone = await changeAll(undo, "Undoing the change");
          await refresh();
          goBack();
          const isWhole = undone.ids.length === undo.length;
          // What was not reached can be undone later.
          undo = undo.slice(undone.ids.length + undone.refusals.length);
          if (undone.stop instanceof Error) throw undone.stop;
          toast(
            isWhole ? "Change undone" : describeOutcome((snippets) => `Undid the change to ${snippets}`, undone),
            isWhole ? "good" : "danger",
          );
        };
        await refresh();
        report(say, snippets, outcome, undo.length > 0 ? (text) => offerUndo(text, workspaceId, undoAll) : undefined);
      },
      remove: async (snippets) => {
        const ids = snippets.map(({ id }) => id);
        const goBack = returnTo(snippets);
        if (openId !== undefined && ids.includes(openId)) show({ snippetId: undefined, mode: "read" }, "replace");
        const { outcome, tried } = await removeAll(ids);
        await refresh();
        const removed = snippets.filter(({ id }) => tried.includes(id));
        report(
          (subject) => (isDeletingFinal ? `Deleted ${subject}` : `Moved ${subject} to the trash`),
          snippets,
          outcome,
          isDeletingFinal
            ? undefined
            : (text) =>
                offerUndo(
                  text,
                  workspaceId,
                  () => acts.restore(removed).then(goBack),
                  removed.map(({ id }) => id),
                ),
        );
      },
      duplicate: async ({ id, title }) => {
        const copyId = await duplicateSnippet(await readWhole(id, workspaceId), workspaceId);
        await refresh();
        show({ snippetId: copyId, variationId: undefined, mode: "read", isBrowsing: false });
        const text = `Duplicated ${quote(title)}`;
        if (isDeletingFinal) toast(text);
        else
          offerUndo(text, workspaceId, async () => {
            await callConsole("deleteLibrarySnippet", { query: { id: copyId }, workspaceId });
            if (parseView(location.search).snippetId === copyId) show({ snippetId: id }, "replace");
            await refresh();
            toast("Moved the copy to the trash");
          });
      },
      restore: async (snippets) => {
        const outcome = await restoreAll(snippets.map(({ id }) => id));
        forgetDeletion(outcome.ids);
        await refresh();
        const [id] = outcome.ids;
        const openIt = () =>
          show({ ...noFilters, shelf: "current", query: "", snippetId: id, variationId: undefined, mode: "read" });
        // In the list, its row is back where it was.
        const isFarFromIt = outcome.ids.length === 1 && parseView(location.search).shelf === "trash";
        report(
          (subject) => `Restored ${subject}`,
          snippets,
          outcome,
          isFarFromIt ? (text) => toast(text, "good", { action: { label: "Open", run: openIt } }) : undefined,
        );
      },
    };
    return acts;
  }, [workspaceId, refresh, openId, variationId, show, isDeletingFinal]);
}
