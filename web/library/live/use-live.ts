// Reads again what the page shows when somebody else has changed something.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useWorkspace } from "../../workspace.tsx";
import { snippetReads } from "../selection/use-acts.ts";
import { connectLive } from "./connect.ts";

const shownReads = [...snippetReads, "getLibraryHistory"] as const;
/** Changes that follow each other are shown together. A list of many pages is read page by page, so it waits longer. */
const secondsPerPage = 1;

/** The pages that are read again, of all lists that are shown. */
const countPages = (data: unknown): number =>
  typeof data === "object" && data !== null && "pages" in data && Array.isArray(data.pages) ? data.pages.length : 1;

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
      const pages = client
        .getQueryCache()
        .findAll({ queryKey: ["getLibrarySearch"], type: "active" })
        .reduce((sum, { state }) => sum + countPages(state.data), 0);
      const nextAt = refreshedAt + Math.max(1, pages) * secondsPerPage * 1000;
      timer ??= setTimeout(refresh, Math.max(0, nextAt - performance.now()));
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [client, workspaceId]);
}
