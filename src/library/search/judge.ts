// Decides about snippets that may match: by their rows and texts, as they are now.
import type { Snippet } from "../../contract/snippets.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { toSnippet } from "../snippets.store.ts";
import { listTexts } from "./index.store.ts";
import { type Matcher, type SearchedTexts, searchedLengthMax, type Tier } from "./matching.ts";
import { type CandidateRow, findCandidates, listPassing, type SearchFilter } from "./search.store.ts";
import { inPortions } from "./segment-reads.ts";

/** A snippet that the search finds. */
export interface Found {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly createdAt: string;
  readonly title: string;
  readonly tier: Tier;
}

/** Longer texts are read one by one. With a note, shorter ones are never too long for a list of as many as are kept. */
export const rowTextBytesMax = 32_768;
const textsKeptMax = 200;
const passedAtOnce = 256;

export class Judge {
  readonly #transaction: Transaction;
  readonly #workspaceId: string;
  readonly #filter: SearchFilter;
  readonly #matcher: Matcher | undefined;
  readonly #known = new Map<string, Found | undefined>();
  /** Of the first snippets that were found, for the marks of a page; without long ones. */
  readonly #texts = new Map<string, SearchedTexts>();
  /** The rows that these texts lie in. */
  readonly #rows = new Map<string, CandidateRow>();

  /** @param matcher undefined where every snippet that passes the filter is found */
  constructor(transaction: Transaction, workspaceId: string, filter: SearchFilter, matcher: Matcher | undefined) {
    this.#transaction = transaction;
    this.#workspaceId = workspaceId;
    this.#filter = filter;
    this.#matcher = matcher;
  }

  /** Those of the snippets that are found, in the same order. */
  async judge(ids: readonly string[]): Promise<Found[]> {
    const unknown = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (unknown.length > 0) {
      for (const id of unknown) this.#known.set(id, undefined);
      const rows = await this.#read(unknown);
      for (const row of rows) {
        const texts = this.#matcher && (await this.#textsOf(row));
        const tier = this.#matcher && texts ? this.#matcher.tierOf(texts) : 4;
        if (tier && texts && row.contents && this.#texts.size < textsKeptMax) {
          this.#texts.set(row.id, texts);
          this.#rows.set(row.id, row);
        }
        if (tier)
          this.#known.set(row.id, {
            id: row.id,
            updatedAt: Date.parse(row.updated_at),
            createdAt: row.created_at,
            title: row.title,
            tier,
          });
      }
    }
    return ids.flatMap((id) => this.#known.get(id) ?? []);
  }

  /** When those of the snippets that pass the filter, whatever their texts are, were changed. */
  async pass(ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await Promise.all(
      inPortions(ids, passedAtOnce).map((some) =>
        listPassing(this.#transaction, this.#workspaceId, this.#filter, some),
      ),
    );
    return new Map(rows.flat().map((row) => [row.id, Date.parse(row.updated_at)]));
  }

  /** A snippet, if its row was read with its texts to find it, and whether it has tags. */
  snippetOf(id: string): { readonly snippet: Snippet; readonly hasTags: boolean } | undefined {
    const row = this.#rows.get(id);
    const [content] = row?.contents ?? [];
    if (!row || content === undefined) return undefined;
    return { snippet: toSnippet({ ...row, content, snippet_note: row.note }), hasTags: row.tags.length > 0 };
  }

  /** Where the query occurs in these snippets. */
  async matchesOf(ids: readonly string[]) {
    const matches = new Map<string, ReturnType<Matcher["matchesOf"]>>();
    const matcher = this.#matcher;
    if (!matcher) return matches;
    const unread = ids.filter((id) => !this.#texts.has(id));
    const rows = unread.length > 0 ? await this.#read(unread) : [];
    for (const row of rows) this.#texts.set(row.id, await this.#textsOf(row));
    for (const id of ids) {
      const texts = this.#texts.get(id);
      if (texts) matches.set(id, matcher.matchesOf(texts));
    }
    return matches;
  }

  #read = (ids: readonly string[]): Promise<CandidateRow[]> =>
    findCandidates(
      this.#transaction,
      this.#workspaceId,
      this.#filter,
      ids,
      this.#matcher ? rowTextBytesMax : undefined,
    );

  async #textsOf(row: CandidateRow): Promise<SearchedTexts> {
    const contents = row.contents ?? (await listTexts(this.#transaction, this.#workspaceId, row.id, searchedLengthMax));
    return { ...row, contents };
  }
}
