// The snippets in what was fetched, for when the service cannot be reached and for completion.
import type { Snippet } from "../../sdk/src/index.ts";
import type { Cache } from "./cache.ts";

export type CachedSnippet = Snippet & { readonly ageMilliseconds: number };

/** Each snippet once, as it was fetched last. */
export function cachedSnippets(cache: Cache): CachedSnippet[] {
  const found = new Map<string, CachedSnippet>();
  const responses = cache.entries().filter(({ headers }) => headers["content-type"]?.startsWith("application/json"));
  for (const { body, ageMilliseconds } of responses)
    for (const snippet of snippetsIn(body))
      if (!found.has(snippet.id)) found.set(snippet.id, { ...snippet, ageMilliseconds });
  return [...found.values()];
}

/** Responses have one snippet, a list of them, or an object with a list. */
function snippetsIn(body: string): Snippet[] {
  try {
    const { data } = JSON.parse(body);
    return [data?.snippets ?? data].flat().filter(isSnippet);
  } catch {
    return [];
  }
}

const isSnippet = (value: unknown): value is Snippet =>
  typeof value === "object" && value !== null && "title" in value && "content" in value && !("deleted_at" in value);
