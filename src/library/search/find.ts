// Finds the snippets on one page of a search: candidates from the index in the order of the page, then the texts themselves.
import type { Transaction } from "../../platform/database/database.ts";
import { loadRequirements, newestDocuments, propose, takePortions } from "./candidates.ts";
import { countFound } from "./count.ts";
import { listPending, listSegments, type Segment } from "./index.store.ts";
import { type Found, Judge } from "./judge.ts";
import { knownDocuments } from "./known-documents.ts";
import { Matcher } from "./matching.ts";
import type { Order, Position } from "./orders.ts";
import { type Asked, hasPiece, Requirements, tiersOf } from "./requirements.ts";
import { findTagNames, listIdsByCreation, listTagNames } from "./search.store.ts";
import { type IndexedDocument, isNewer } from "./segment.ts";
import { inPortions, SegmentReads } from "./segment-reads.ts";
import { isBroad, type Requirement } from "./terms.ts";

export interface SearchRequest extends Asked {
  readonly workspaceId: string;
  readonly order: Order;
  /** Where the page begins. */
  readonly after: Position | undefined;
  /** The number of snippets wanted. */
  readonly count: number;
}

const judgedAtOnce = 100;
/** So many snippets are sorted by something else than their last change; where there are more, their own order is walked. */
const sortedMax = 5_000;
const pendingMax = 1_000_000;
/** The newest segments, which are read for all tiers at once. */
const preparedSegments = 24;

export class Search {
  readonly judge: Judge;
  readonly #transaction: Transaction;
  readonly #request: SearchRequest;
  readonly #segments: readonly Segment[];
  /** Found among the snippets that the index does not have yet, newest first. */
  readonly #pending: readonly Found[];
  readonly #pendingIds: ReadonlySet<string>;
  readonly #requirements: Requirements;
  readonly #reads: SegmentReads;
  readonly #since: number | undefined;

  private constructor(
    transaction: Transaction,
    request: SearchRequest,
    judge: Judge,
    segments: readonly Segment[],
    pending: readonly Found[],
    pendingIds: ReadonlySet<string>,
    requirements: Requirements,
  ) {
    this.#transaction = transaction;
    this.#request = request;
    this.judge = judge;
    this.#segments = segments;
    this.#pending = pending;
    this.#pendingIds = pendingIds;
    this.#requirements = requirements;
    this.#reads = new SegmentReads(transaction, request.workspaceId);
    const { updatedSince } = request.filter;
    this.#since = updatedSince === undefined ? undefined : Date.parse(updatedSince);
  }

  static async open(transaction: Transaction, request: SearchRequest): Promise<Search> {
    const { workspaceId, filter, query, fields } = request;
    const judge = new Judge(transaction, workspaceId, filter, query && new Matcher(query, fields));
    const [segments, changes, tagNames] = await Promise.all([
      listSegments(transaction, workspaceId),
      listPending(transaction, workspaceId, pendingMax),
      query && fields.includes("tags") ? findTagNames(transaction, workspaceId, filter.teamIds) : "",
    ]);
    const tags = hasPiece(tagNames, query) ? await listTagNames(transaction, workspaceId, filter.teamIds) : [];
    const pendingIds = new Set(changes.flatMap(({ snippetIds }) => snippetIds));
    const pending: Found[] = [];
    for (const ids of inPortions([...pendingIds], judgedAtOnce)) pending.push(...(await judge.judge(ids)));
    pending.sort((left, right) => (isNewer(left, right) ? -1 : 1));
    return new Search(transaction, request, judge, segments, pending, pendingIds, new Requirements(request, tags));
  }

  /** How many snippets are found, counted up to one more than the maximum. */
  async count(): Promise<number> {
    const requirements = this.#requirements.ofTier(4);
    if (!requirements) return 0;
    return countFound({
      reads: this.#reads,
      judge: this.judge,
      segments: this.#segments,
      wanted: { requirements, since: this.#since },
      isProving: this.#requirements.isProving,
      pendingIds: this.#pendingIds,
      pendingFound: this.#pending,
      knownDocuments: knownDocuments(this.#request.workspaceId, this.#segments, this.#request.filter),
    });
  }

  /** The snippets of the page. */
  async list(): Promise<Found[]> {
    const { order, after } = this.#request;
    switch (order.by) {
      case "relevance":
        return this.#listByTier();
      case "updated": {
        const position = after && { updatedAt: Date.parse(String(after[0])), id: String(after[1]) };
        return this.#take(this.#newest(this.#requirements.ofTier(4), position));
      }
      default:
        return this.#listSorted();
    }
  }

  async #listByTier(): Promise<Found[]> {
    const { after } = this.#request;
    // What the tiers and the total need is read at once.
    if (!after) await this.#prepare();
    const found: Found[] = [];
    const [afterTier = 1, updatedAt, id] = after ?? [];
    for (const tier of tiersOf(this.#request)) {
      if (tier < Number(afterTier)) continue;
      const position =
        after && tier === afterTier ? { updatedAt: Date.parse(String(updatedAt)), id: String(id) } : undefined;
      for await (const each of this.#newest(this.#requirements.ofTier(tier), position)) {
        if (each.tier !== tier) continue;
        found.push(each);
        if (found.length === this.#request.count) return found;
      }
    }
    return found;
  }

  async #prepare(): Promise<void> {
    const all = tiersOf(this.#request).flatMap((tier) => this.#requirements.ofTier(tier) ?? []);
    const narrow = all.filter((ranges) => !ranges.some(isBroad));
    await loadRequirements(this.#reads, this.#segments.slice(0, preparedSegments), narrow);
    const requirements = this.#requirements.ofTier(4);
    if (!requirements || requirements.some((ranges) => ranges.some(isBroad))) return;
    if (this.#segments.length > preparedSegments) return;
    // A few documents are judged together, whatever their tier will be.
    const proposals = await propose(this.#reads, this.#segments, { requirements, since: this.#since });
    const [few, more] = takePortions(proposals, judgedAtOnce);
    if (!few || more) return;
    await this.#reads.loadDocuments(few);
    const ids = few.flatMap(([segment, ordinals]) => ordinals.map((at) => this.#reads.documentAt(segment, at).id));
    await this.judge.judge(ids.filter((id) => !this.#pendingIds.has(id)));
  }

  async #listSorted(): Promise<Found[]> {
    const { order, after, count } = this.#request;
    const found: Found[] = [];
    for await (const each of this.#newest(this.#requirements.ofTier(4), undefined)) {
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
    let waiting = this.#pending.filter((found) => after === undefined || isNewer(after, found));
    const wanted = { requirements, after, since: this.#since };
    const documents = newestDocuments(this.#reads, this.#segments, wanted);
    let last: string | undefined;
    for (let isMore = true; isMore; ) {
      const chunk: IndexedDocument[] = [];
      while (chunk.length < Math.min(judgedAtOnce, this.#request.count)) {
        const { value } = await documents.next();
        isMore = value !== undefined;
        if (!value) break;
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
}
