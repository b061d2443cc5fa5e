// Reads the texts of a list of snippets.
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Snippet } from "../contract/snippets.ts";
import { jsonBytesMin } from "../platform/json-bytes.ts";
import type { Call } from "./call.ts";
import { fittingTexts, reserveResponseText } from "./response-size.ts";
import { findSnippets, type ListedSnippet } from "./snippets.store.ts";

/** A longer text is read only when the size of the whole list is known. */
const listedTextBytesLimit = 64 * 1024;

/** The bytes up to which a list of so many snippets reads a text with its row: together such texts never exceed the limit of one response. */
export const listedTextBytesMax = (snippetCount: number): number =>
  Math.min(listedTextBytesLimit, Math.floor(limits.responseTextBytesMax / Math.max(1, snippetCount)));

/** Texts of so many bytes are read at once. JSON may make six times as much of them, and then more would be read in vain. */
const portionBytes = 1024 * 1024;

/**
 * The snippets of a list that was read without the texts above `listedTextBytesMax`.
 * @throws Refusal 400 if their texts exceed the limit of one response, 503 if there is no room for them now
 */
export async function readTexts(call: Call, listed: readonly ListedSnippet[]): Promise<Snippet[]> {
  const long = listed.filter((snippet) => !hasText(snippet));
  if (long.length === 0) return listed.filter(hasText);
  reserveResponseText(call, sumTextBytes(listed));
  const { transaction, caller } = call;
  const byId = new Map<string, Snippet>();
  let bytes = 0;
  for (const ids of portionsOf(long)) {
    const found = await findSnippets(transaction, caller.workspaceId, ids, limits.responseTextBytesMax);
    for (const snippet of found.filter(hasText)) {
      byId.set(snippet.id, snippet);
      bytes += jsonBytesMin(snippet.content.content);
    }
    if (bytes > limits.responseBytesMax) throw errors.responseTooLarge(limits.responseBytesMax);
  }
  return listed.flatMap((snippet) => (hasText(snippet) ? snippet : (byId.get(snippet.id) ?? [])));
}

function portionsOf(listed: readonly ListedSnippet[]): string[][] {
  const portions: string[][] = [];
  let bytes = portionBytes;
  for (const snippet of listed) {
    if (bytes >= portionBytes) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)?.push(snippet.id);
    bytes += bytesOf(snippet);
  }
  return portions;
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
