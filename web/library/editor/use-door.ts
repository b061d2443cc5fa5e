// What saving a snippet asks of the service.
import { callConsole } from "../../api.ts";
import { useWorkspace } from "../../workspace.tsx";
import { useReadText } from "../data.ts";
import type { Door } from "./save.ts";

export function useDoor(snippetId: string): Door {
  const workspaceId = useWorkspace().id;
  const readText = useReadText();
  return {
    read: async () => (await callConsole("getLibrarySnippet", { query: { id: snippetId }, workspaceId })).data,
    readText,
    putFields: (body, ifState) =>
      callConsole("putLibrarySnippet", {
        query: { id: snippetId, ifState },
        body,
        workspaceId,
      }),
    putText: (variationId, content, ifState) =>
      callConsole("putLibrarySnippetVariation", {
        query: { variationId, ifState },
        body: { content },
        workspaceId,
      }),
  };
}
