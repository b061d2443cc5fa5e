// Finds the snippets on one page of a search: candidates from the index in the order of the page, then the texts themselves.
import { limits } from "../../contract/limits.ts";
import { type SearchedField, searchedFields } from "../../contract/search.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { newestDocuments, type ProposedDocument } from "./candidates.ts";
import { listPending, listSegments, type Segment } from "./index.store.ts";
import { type Found, Judge } from "./judge.ts";
import { Matcher, occursIn, type Tier } from "./matching.ts";
import type { Order, Position } from "./orders.ts";
import type { SearchQuery } from "./query.ts";
import { listIdsByCreation, listTagNames, type SearchFilter } from "./search.store.ts";
import { type IndexedDocument, isNewer } from "./segment.ts";
import {
  filterTerm,
  isProvenByTerms,
  type Requirement,
  requirementsOf,
  signRequirements,
  startRequirement,
  wholeRequirement,
} from "./terms.ts";

export interface SearchRequest {
  readonly workspaceId: string;
  readonly filter: SearchFilter;
  readonly query: SearchQuery | undefined;
  readonly fields: readonly SearchedField[];
  readonly order: Order;
  /** Where the page begins. */
  readonly after: Position | undefined;
  /** The number of snippets wanted. */
  readonly count: number;
}

/** Alternatives beyond this are not asked for: the texts decide. */
const alternativesMax = 32;
const judgedAtOnce = 100;
const countedAtOnce = 512;
/** So many snippets are sorted by something else than their last change; where there are more, their own order is walked. */
const sortedMax = 5_000;
const pendingMax = 1_000_000;

export class Search {
  readonly judge: Judge;
  readonly #transaction: Transaction;
  readonly #request: SearchRequest;
  readonly #segments: readonly Segment[];
  /** Found among the snippets that the index does not have yet, newest first. */
  readonly #pending: readonly Found[];
  readonly #pendingIds: ReadonlySet<string>;
  readonly #tags: readonly { id: string; tag_name: string }[];

  private constructor(
    transaction: Transaction,
    request: SearchRequest,
    judge: Judge,
    segments: readonly Segment[],
    pending: readonly Found[],
    pendingIds: ReadonlySet<string>,
    tags: readonly { id: string; tag_name: string }[],
  ) {
    this.#transaction = transaction;
    this.#request = request;
    this.judge = judge;
    this.#segments = segments;
    this.#pending = pending;
    this.#pendingIds = pendingIds;
    this.#tags = tags;
  }

  static async open(transaction: Transaction, request: SearchRequest): Promise<Search> {
    const { workspaceId, filter, query, fields } = request;
    const judge = new Judge(transaction, workspaceId, filter, query && new Matcher(query, fields));
    const [segments, changes, tags] = await Promise.all([
      listSegments(transaction, workspaceId),
      listPending(transaction, workspaceId, pendingMax),
      query && fields.includes("tags") ? listTagNames(transaction, workspaceId, filter.teamIds) : [],
    ]);
    const pendingIds = new Set(changes.map((change) => change.snippet_id));
    const pending: Found[] = [];
    for (const ids of chunks([...pendingIds], judgedAtOnce)) pending.push(...(await judge.judge(ids)));
    pending.sort((left, right) => (isNewer(left, right) ? -1 : 1));
    return new Search(transaction, request, judge, segments, pending, pendingIds, tags);
  }

  /** How many snippets are found, counted up to one more than the maximum. Texts are read only where the index proves nothing. */
  async count(): Promise<number> {
    const requirements = this.#requirements(4);
    if (!requirements) return 0;
    const { workspaceId, filter, query, fields } = this.#request;
    const since = filter.updatedSince === undefined ? undefined : Date.parse(filter.updatedSince);
    const isProving =
      !query ||
      (query.excluded.length === 0 && fields.length === searchedFields.length && query.wanted.every(isProvenByTerms));
    const documents = newestDocuments(this.#transaction, workspaceId, this.#segments, requirements, undefined);
    const counted = new Set(this.#pending.map(({ id }) => id));
    for (let isMore = true; isMore && counted.size <= limits.searchTotalMax; ) {
      const chunk: ProposedDocument[] = [];
      while (chunk.length < countedAtOnce) {
        const { value } = await documents.next();
        isMore = value !== undefined && (since === undefined || value.updatedAt >= since);
        if (!value || !isMore) break;
        if (!this.#pendingIds.has(value.id)) chunk.push(value);
      }
      const [proven, open] = [
        chunk.filter(({ isProven }) => isProving && isProven),
        chunk.filter(({ isProven }) => !isProving || !isProven),
      ];
      const times = await this.judge.pass(proven.map(({ id }) => id));
      for (const { id, updatedAt } of proven) if (times.get(id) === updatedAt) counted.add(id);
      for (const some of chunks(open, judgedAtOnce)) {
        const found = await this.judge.judge(some.map(({ id }) => id));
        const times = new Map(found.map(({ id, updatedAt }) => [id, updatedAt]));
        for (const { id, updatedAt } of some) if (times.get(id) === updatedAt) counted.add(id);
      }
    }
    return Math.min(counted.size, limits.searchTotalMax + 1);
  }

  /** The snippets of the page. */
  async list(): Promise<Found[]> {
    const { order, after } = this.#request;
    switch (order.by) {
      case "relevance":
        return this.#listByTier();
      case "updated": {
        const position = after && { updatedAt: Date.parse(String(after[0])), id: String(after[1]) };
        return this.#take(this.#newest(this.#requirements(4), position));
      }
      default:
        return this.#listSorted();
    }
  }

  async #listByTier(): Promise<Found[]> {
    const { after } = this.#request;
    const found: Found[] = [];
    const [afterTier = 1, updatedAt, id] = after ?? [];
    for (const tier of this.#tiers()) {
      if (tier < Number(afterTier)) continue;
      const position =
        after && tier === afterTier ? { updatedAt: Date.parse(String(updatedAt)), id: String(id) } : undefined;
      for await (const each of this.#newest(this.#requirements(tier), position)) {
        if (each.tier !== tier) continue;
        found.push(each);
        if (found.length === this.#request.count) return found;
      }
    }
    return found;
  }

  /** The tiers that can have snippets. */
  #tiers(): Tier[] {
    const { query, fields } = this.#request;
    if (!query || query.wanted.length === 0) return [4];
    const names: Tier[] = fields.some((field) => field === "title" || field === "shortcut") ? [1, 2] : [];
    return [...names, 3, 4];
  }

  async #listSorted(): Promise<Found[]> {
    const { order, after, count } = this.#request;
    const found: Found[] = [];
    for await (const each of this.#newest(this.#requirements(4), undefined)) {
      found.push(each);
      if (order.by === "created" && found.length > sortedMax) return this.#walkByCreation();
    }
    return found
      .map((each) => ({ each, position: order.positionOf(each) }))
      .sort((left, right) => order.compare(left.position, right.position))
      .filter(({ position }) => after === undefined || order.compare(position, after) > 0)
      .slice(0, count)
      .map(({ each }) => each);
  }

  async #walkByCreation(): Promise<Found[]> {
    const { workspaceId, count, after } = this.#request;
    const found: Found[] = [];
    let last = after && { created_at: String(after[0]), id: String(after[1]) };
    for (;;) {
      const ids = await listIdsByCreation(this.#transaction, workspaceId, last, judgedAtOnce);
      found.push(...(await this.judge.judge(ids.map(({ id }) => id))));
      last = ids.at(-1);
      if (!last || found.length >= count) return found.slice(0, count);
    }
  }

  async #take(newest: AsyncGenerator<Found, void>): Promise<Found[]> {
    const found: Found[] = [];
    for await (const each of newest) {
      found.push(each);
      if (found.length === this.#request.count) break;
    }
    return found;
  }

  /** What is found among the documents that meet the requirements, and among what waits for the index, newest first. */
  async *#newest(
    requirements: readonly Requirement[] | undefined,
    after: IndexedDocument | undefined,
  ): AsyncGenerator<Found, void> {
    if (!requirements) return;
    const { workspaceId, filter } = this.#request;
    const since = filter.updatedSince === undefined ? undefined : Date.parse(filter.updatedSince);
    let waiting = this.#pending.filter((found) => after === undefined || isNewer(after, found));
    const documents = newestDocuments(this.#transaction, workspaceId, this.#segments, requirements, after);
    let last: string | undefined;
    for (let isMore = true; isMore; ) {
      const chunk: IndexedDocument[] = [];
      while (chunk.length < Math.min(judgedAtOnce, this.#request.count)) {
        const { value } = await documents.next();
        isMore = value !== undefined && (since === undefined || value.updatedAt >= since);
        if (!value || !isMore) break;
        if (!this.#pendingIds.has(value.id)) chunk.push(value);
      }
      const found = await this.judge.judge(chunk.map(({ id }) => id));
      const byId = new Map(found.map((each) => [each.id, each]));
      for (const { id, updatedAt } of chunk) {
        const each = byId.get(id);
        // A document from before the last change, or one that is in two segments.
        if (!each || each.updatedAt !== updatedAt || id === last) continue;
        last = id;
        const newer = waiting.findIndex((other) => isNewer(each, other));
        yield* waiting.slice(0, newer < 0 ? waiting.length : newer);
        waiting = newer < 0 ? [] : waiting.slice(newer);
        yield each;
      }
    }
    yield* waiting;
  }

  /** What the index is asked for the snippets of a tier, or, for the last one, for all; undefined where none can be. */
  #requirements(tier: Tier): Requirement[] | undefined {
    const { query, filter, fields } = this.#request;
    const found = filterRequirements(filter);
    if (query && tier === 1) return [...found, wholeRequirement(query.whole)];
    if (query && tier === 2) return [...found, startRequirement(query.whole)];
    for (const piece of query?.wanted ?? []) {
      if (query?.isInNamesOnly) {
        found.push(...signRequirements(piece));
        continue;
      }
      if (!piece.hasLetterOrDigit) continue;
      const isName = tier < 4 || !fields.some((field) => field === "note" || field === "content");
      const hasText = fields.some((field) => field !== "tags");
      const tagged = this.#tags
        .filter(({ tag_name }) => occursIn(tag_name, piece))
        .map(({ id }) => ({ term: filterTerm("tag", id), isPrefix: false }));
      if (tagged.length > alternativesMax) continue;
      if (!hasText && tagged.length === 0) return undefined;
      found.push(...(hasText ? requirementsOf(piece, isName).map((ranges) => [...ranges, ...tagged]) : [tagged]));
    }
    return found;
  }
}

/** What the index knows of the properties that snippets are filtered by. */
function filterRequirements(filter: SearchFilter): Requirement[] {
  const { teamIds, folderIds, tagIds, contentType, createdBy, isArchived } = filter;
  const oneOf = (property: "team" | "folder", ids: readonly string[] | undefined): Requirement[] =>
    ids && ids.length <= alternativesMax
      ? [ids.map((id) => ({ term: filterTerm(property, id), isPrefix: false }))]
      : [];
  const exactly = (property: "tag" | "type" | "author" | "archived", value: string): Requirement => [
    { term: filterTerm(property, value), isPrefix: false },
  ];
  return [
    ...oneOf("team", teamIds),
    ...oneOf("folder", folderIds),
    ...tagIds.map((id) => exactly("tag", id)),
    ...(contentType === undefined ? [] : [exactly("type", contentType)]),
    ...(createdBy === undefined ? [] : [exactly("author", createdBy)]),
    ...(isArchived ? [exactly("archived", "yes")] : []),
  ];
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
