// The names in what was fetched, for completion.
import type { Cache } from "./cache.ts";
import { withPaths } from "./references.ts";

export const nameKinds = ["teams", "folders", "tags"] as const;
export type NameKind = (typeof nameKinds)[number];

/** Teams and tags by name, and folders by path, each once. */
export function cachedNames(cache: Cache, kind: NameKind): string[] {
  const names = cache
    .entries()
    .filter(({ headers }) => headers["content-type"]?.startsWith("application/json"))
    .flatMap(({ body }) => namesIn(body, kind));
  return [...new Set(names)].sort();
}

/** The fields that have the names. */
const fields = { teams: "name", folders: "folder_name", tags: "tag_name" } as const;

function namesIn(body: string, kind: NameKind): string[] {
  try {
    const list = JSON.parse(body).data?.[kind];
    const named = Array.isArray(list) ? list.filter((each) => typeof each?.[fields[kind]] === "string") : [];
    return kind === "folders" ? withPaths(named).map(({ path }) => path) : named.map((each) => each[fields[kind]]);
  } catch {
    return [];
  }
}
