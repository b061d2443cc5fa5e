// What shows variations, and is read again after each change of them.
import { queryClient } from "../../api.ts";

export const refreshed = ["getLibrarySnippet", "getLibrarySearch"] as const;

export const refresh = () => Promise.all(refreshed.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
