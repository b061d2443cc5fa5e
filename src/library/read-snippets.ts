// Reads the texts of a list of snippets.
import { limits } from "../contract/limits.ts";
import type { Snippet } from "../contract/snippets.ts";
import type { Call } from "./call.ts";
import { fittingTexts, reserveResponseText } from "./response-size.ts";
import { findSnippets, type ListedSnippet } from "./snippets.store.ts";

/** A longer text is read only when the size of the whole list is known. */
const listedTextBytesLimit = 64 * 1024;

/** The bytes up to which a list of so many snippets reads a text with its row: together such texts never exceed the limit of one response. */
export const listedTextBytesMax = (snippetCount: number): number =>
  Math.min(listedTextBytesLimit, Math.floor(limits.responseTextBytesMax / Math.max(1, snippetCount)));

/**
 * The snippets of a list that was read without the texts above `listedTextBytesMax`.
 * @throws Refusal 400 if their texts exceed the limit of one response, 503 if there is no room for them now
 */
export async function readTexts(call: Call, listed: readonly ListedSnippet[]): Promise<Snippet[]> {
  const longIds = listed.flatMap((snippet) => (hasText(snippet) ? [] : [snippet.id]));
  if (longIds.length === 0) return listed.filter(hasText);
  reserveResponseText(call, sumTextBytes(listed));
  const { transaction, caller } = call;
  const found = await findSnippets(transaction, caller.workspaceId, longIds, limits.responseTextBytesMax);
  const byId = new Map(found.filter(hasText).map((snippet) => [snippet.id, snippet]));
  return listed.flatMap((snippet) => (hasText(snippet) ? snippet : (byId.get(snippet.id) ?? [])));
}

/** How many of the first snippets of such a list fit into one response with their texts, at least one. */
export const countFittingSnippets = (listed: readonly ListedSnippet[]): number =>
  listed.every(hasText) ? listed.length : fittingTexts(listed.map(bytesOf));

const hasText = (snippet: ListedSnippet): snippet is Snippet => snippet.content.content !== null;

/** The bytes of their texts and notes, read or not. */
export const sumTextBytes = (listed: readonly ListedSnippet[]): number =>
  listed.reduce((sum, snippet) => sum + bytesOf(snippet), 0);

const bytesOf = (snippet: ListedSnippet): number =>
  hasText(snippet)
    ? Buffer.byteLength(snippet.content.content) + Buffer.byteLength(snippet.snippet_note ?? "")
    : snippet.textBytes;
