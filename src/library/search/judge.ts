// Decides about snippets that may match: by their rows and texts, as they are now.
import type { Transaction } from "../../platform/database/database.ts";
import { listTexts } from "./index.store.ts";
import { type Matcher, type SearchedTexts, searchedLengthMax, type Tier } from "./matching.ts";
import { type CandidateRow, findCandidates, type SearchFilter } from "./search.store.ts";

/** A snippet that the search finds. */
export interface Found {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly createdAt: string;
  readonly title: string;
  readonly tier: Tier;
}

/** Longer texts are read one by one. */
export const rowTextBytesMax = 32_768;

export class Judge {
  readonly #transaction: Transaction;
  readonly #workspaceId: string;
  readonly #filter: SearchFilter;
  readonly #matcher: Matcher | undefined;
  readonly #known = new Map<string, Found | undefined>();

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
      const rows = await findCandidates(
        this.#transaction,
        this.#workspaceId,
        this.#filter,
        unknown,
        this.#matcher ? rowTextBytesMax : undefined,
      );
      for (const row of rows) {
        const tier = this.#matcher ? this.#matcher.tierOf(await this.#textsOf(row)) : 4;
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

  /** Those of the snippets that pass the filter, whatever their texts are, by when they were changed. */
  async pass(ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await findCandidates(this.#transaction, this.#workspaceId, this.#filter, ids, undefined);
    return new Map(rows.map((row) => [row.id, Date.parse(row.updated_at)]));
  }

  /** Where the query occurs in these snippets. */
  async matchesOf(ids: readonly string[]) {
    const matcher = this.#matcher;
    if (!matcher || ids.length === 0) return new Map<string, ReturnType<Matcher["matchesOf"]>>();
    const rows = await findCandidates(this.#transaction, this.#workspaceId, this.#filter, ids, rowTextBytesMax);
    const matches = new Map<string, ReturnType<Matcher["matchesOf"]>>();
    for (const row of rows) matches.set(row.id, matcher.matchesOf(await this.#textsOf(row)));
    return matches;
  }

  async #textsOf(row: CandidateRow): Promise<SearchedTexts> {
    const contents = row.contents ?? (await listTexts(this.#transaction, this.#workspaceId, row.id, searchedLengthMax));
    return { ...row, contents };
  }
}
