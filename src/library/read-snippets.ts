// Reads the texts of a list of snippets.
import { limits } from "../contract/limits.ts";
import type { Snippet } from "../contract/snippets.ts";
import type { Call } from "./call.ts";
import { fittingTexts, limitResponseText } from "./response-size.ts";
import { findSnippets, type ListedSnippet, measureTexts } from "./snippets.store.ts";

/** The bytes up to which a list of so many snippets reads a text with its row: together such texts never exceed the limit of one response. */
export const listedTextBytesMax = (snippetCount: number): number =>
  Math.floor(limits.responseTextBytesMax / Math.max(1, snippetCount));

/**
 * The snippets of a list that was read without the texts above `listedTextBytesMax`. Only a list with such texts is measured and read again.
 * @throws Refusal 400 if their texts exceed the limit of one response
 */
export async function readTexts({ transaction, caller }: Call, listed: readonly ListedSnippet[]): Promise<Snippet[]> {
  if (listed.every(hasText)) return [...listed];
  const ids = listed.map((snippet) => snippet.id);
  await limitResponseText(ids.length, async () => {
    const sizes = await measureTexts(transaction, caller.workspaceId, ids);
    return sizes.values().reduce((sum, bytes) => sum + bytes, 0);
  });
  const found = await findSnippets(transaction, caller.workspaceId, ids, limits.responseTextBytesMax);
  const byId = new Map(found.filter(hasText).map((snippet) => [snippet.id, snippet]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** How many of the first snippets of such a list fit into one response with their texts, at least one. */
export async function countFittingSnippets(
  { transaction, caller }: Call,
  listed: readonly ListedSnippet[],
): Promise<number> {
  if (listed.every(hasText)) return listed.length;
  const ids = listed.map((snippet) => snippet.id);
  const sizes = await measureTexts(transaction, caller.workspaceId, ids);
  return fittingTexts(ids.map((id) => sizes.get(id) ?? 0));
}

const hasText = (snippet: ListedSnippet): snippet is Snippet => snippet.content.content !== null;
