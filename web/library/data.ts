// What the library page reads.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { callConsole, type DataOf, type RowOf, useConsolePages, useConsoleQuery } from "../api.ts";
import type { QueryOf } from "../call.ts";
import { isDay } from "../time.ts";
import { useWorkspaceId } from "../workspace.tsx";
import { listsSnippets, type View } from "./address.ts";

/** A snippet in the list. */
export type SnippetRow = RowOf<"getLibrarySearch">;
/** The open snippet, with all its variations. */
export type Snippet = DataOf<"getLibrarySnippet">;
export type Variation = Snippet["variations"][number];
export type Author = Snippet["created_by"];
export type Tree = DataOf<"getLibraryTree">;
export type Team = Tree["teams"][number];
export type Folder = Tree["folders"][number];
export type Tag = Tree["tags"][number];

/** What the service is asked for. @param query what is typed, which the address says a moment later */
export const searchOf = (view: View, query: string): QueryOf<"getLibrarySearch"> => ({
  query: query.trim() || undefined,
  teamId: view.teamId,
  folderId: view.folderId,
  inside: view.folderId !== undefined && view.isInside ? true : undefined,
  tagIds: view.tagIds.length > 0 ? [...view.tagIds] : undefined,
  contentType: view.contentType,
  createdBy: view.authorId,
  isArchived: view.shelf === "archived" ? true : undefined,
  includeArchived: view.shelf === "all" ? true : undefined,
  updatedSince: view.since !== undefined && isDay(view.since) ? new Date(view.since) : undefined,
  // The service refuses an order by relevance without a query.
  sort: view.sort === "relevance" ? undefined : view.sort,
  // What one types next makes these rows old.
  limit: query.trim() === "" ? undefined : 30,
});

/** The snippets of a view, page by page. What was found before stays until the new rows are here. */
export const useSnippets = (view: View, query: string) =>
  useConsolePages("getLibrarySearch", { query: searchOf(view, query), isEnabled: listsSnippets(view.shelf) });
export type SnippetPages = ReturnType<typeof useSnippets>;

/** The open snippet. The one before it stays until it is here. */
export const useSnippet = (id: string | undefined) =>
  useConsoleQuery("getLibrarySnippet", { query: { id }, isEnabled: id !== undefined, keepsPreviousData: true });

const snippetKey = (workspaceId: string | undefined, id: string) => ["getLibrarySnippet", { workspaceId, id }] as const;

/** Finds a snippet that was read before. */
export function useFindSnippet(): (id: string) => Snippet | undefined {
  const client = useQueryClient();
  const workspaceId = useWorkspaceId();
  return (id) => client.getQueryData<{ readonly data: Snippet }>(snippetKey(workspaceId, id))?.data;
}

/** Reads a snippet for an act on it, from the cache if it was read a moment ago. */
export function useReadSnippet(): (id: string) => Promise<Snippet> {
  const client = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useCallback(
    async (id) => {
      const { data } = await client.fetchQuery({
        queryKey: snippetKey(workspaceId, id),
        queryFn: ({ signal }) => callConsole("getLibrarySnippet", { query: { id }, workspaceId, signal }),
      });
      return data;
    },
    [client, workspaceId],
  );
}

/** Reads the text of a variation. That of a snippet whose texts are too long for one response is read by itself. */
export function useReadText(): (variation: Variation) => Promise<string> {
  const workspaceId = useWorkspaceId();
  return useCallback(
    async ({ id, content }) => {
      if (content !== null) return content;
      const { data } = await callConsole("getLibrarySnippetVariation", { query: { variationId: id }, workspaceId });
      return data.content.content;
    },
    [workspaceId],
  );
}
