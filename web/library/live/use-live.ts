// Reads again what the page shows when somebody else has changed something.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ReadOperation } from "../../call.ts";
import { useWorkspace } from "../../workspace.tsx";
import type { Tree } from "../data.ts";
import { snippetReads } from "../selection/use-acts.ts";
import { connectLive } from "./connect.ts";

const shownReads = [...snippetReads, "getLibraryHistory"] as const;
/** Changes that follow each other are shown together. What takes long to read again is read less often. */
const pagesPerSecond = 1;
const foldersPerSecond = 1_000;

/** How long to wait after one refresh for the next, by what is shown. */
function pauseSeconds(client: QueryClient): number {
  const shown = (name: ReadOperation) => client.getQueryCache().findAll({ queryKey: [name], type: "active" });
  // A list is read page by page.
  const pages = shown("getLibrarySearch").map(
    ({ state }) => (state.data as Partial<SearchPages> | undefined)?.pages?.length,
  );
  const folders = shown("getLibraryTree").map(
    ({ state }) => (state.data as { data: Tree } | undefined)?.data.folders.length,
  );
  const most = (counts: readonly (number | undefined)[]) => Math.max(0, ...counts.map((count) => count ?? 0));
  return Math.max(1, most(pages) / pagesPerSecond, most(folders) / foldersPerSecond);
}

interface SearchPages {
  readonly pages: readonly unknown[];
}

export function useLive(): void {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refreshedAt = Number.NEGATIVE_INFINITY;
    const refresh = () => {
      timer = undefined;
      refreshedAt = performance.now();
      for (const name of shownReads) void client.invalidateQueries({ queryKey: [name] });
    };
    const end = connectLive(workspaceId, () => {
      const nextAt = refreshedAt + pauseSeconds(client) * 1000;
      timer ??= setTimeout(refresh, Math.max(0, nextAt - performance.now()));
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [client, workspaceId]);
}
