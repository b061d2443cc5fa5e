// Reads snippets by ID for the operations that list them.
import type { Snippet } from "../contract/snippets.ts";
import type { Call } from "./call.ts";
import { limitResponseText } from "./response-size.ts";
import { findSnippets, sumTextBytes } from "./snippets.store.ts";

/** The snippets with these IDs, in this order. @throws Refusal 400 if their texts exceed the limit of one response */
export async function readSnippets({ transaction, caller }: Call, ids: readonly string[]): Promise<Snippet[]> {
  await limitResponseText(ids.length, () => sumTextBytes(transaction, caller.workspaceId, ids));
  const snippets = await findSnippets(transaction, caller.workspaceId, ids);
  const byId = new Map(snippets.map((snippet) => [snippet.id, snippet]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
