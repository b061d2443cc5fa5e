// Adds a segment to the index: its blocks in transactions so short that no request waits long for one, and then, at once, what makes
// searches use it.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { addSeconds, hourSeconds } from "../../platform/time.ts";
import { BlockWriter, type Units } from "./blocks.ts";
import * as store from "./index.store.ts";
import { type Block, type IndexedDocument, writeDocuments } from "./segment.ts";
import { termsAtOnce, type WorkspaceIndexing } from "./segments.ts";

const blocksAtOnce = 64;
/** What a segment was made of has changed meanwhile. */
const outdated = new Error("another node was faster");

export class SegmentMaker {
  readonly #indexing: WorkspaceIndexing;
  readonly #writer = new BlockWriter();
  #terms = 0;
  /** Known once blocks are stored. */
  #segment: number | undefined;

  constructor(indexing: WorkspaceIndexing) {
    this.#indexing = indexing;
  }

  /** Adds a term. Terms come in their order. */
  add(term: Units, ordinals: Int32Array, from: number, to: number): Promise<void> | undefined {
    this.#writer.add(term, ordinals, from, to);
    this.#terms += 1;
    if (this.#terms % termsAtOnce > 0) return undefined;
    return this.#writer.size < blocksAtOnce ? this.#indexing.breathe() : this.#store(this.#writer.take());
  }

  /**
   * Makes searches use the segment. Even an empty one: that the segments are the same tells searches that nothing was indexed in between.
   * @param replace does in the same transaction what the segment stands for. @returns false where that was done already: then nothing happens
   */
  async publish(
    documents: readonly IndexedDocument[],
    replace: (transaction: Transaction) => Promise<boolean>,
  ): Promise<boolean> {
    const blocks = [...writeDocuments(documents), ...this.#writer.finish()];
    while (blocks.length > blocksAtOnce) await this.#store(blocks.splice(0, blocksAtOnce));
    const { database, workspaceId } = this.#indexing;
    try {
      await database.transaction(async (transaction) => {
        lockForWorkspaceChange(transaction, workspaceId);
        if (!(await replace(transaction))) throw outdated;
        const timeOf = (document: IndexedDocument | undefined) =>
          document ? new Date(document.updatedAt).toISOString() : transaction.now;
        const made = {
          document_count: documents.length,
          has_coarse_terms: this.#writer.hasCoarseTerms,
          oldest_at: timeOf(documents[0]),
          newest_at: timeOf(documents.at(-1)),
          state: "ready",
        } as const;
        const segment = this.#segment ?? (await store.findNextSegment(transaction, workspaceId));
        if (this.#segment === undefined)
          store.insertSegment(transaction, workspaceId, { id: transaction.newId(), segment, ...made });
        else if (!(await store.publishSegment(transaction, workspaceId, segment, made))) throw outdated;
        store.insertBlocks(transaction, workspaceId, segment, blocks);
      });
      return true;
    } catch (error) {
      if (error !== outdated) throw error;
      if (this.#segment !== undefined) await removeSegment(this.#indexing, this.#segment);
      return false;
    }
  }

  async #store(blocks: readonly Block[]): Promise<void> {
    const { database, workspaceId, breathe } = this.#indexing;
    this.#segment ??= await database.transaction(async (transaction) => {
      lockForWorkspaceChange(transaction, workspaceId);
      const segment = await store.findNextSegment(transaction, workspaceId);
      store.insertSegment(transaction, workspaceId, {
        id: transaction.newId(),
        segment,
        document_count: 0,
        has_coarse_terms: false,
        oldest_at: transaction.now,
        newest_at: transaction.now,
        state: "making",
      });
      return segment;
    });
    const segment = this.#segment;
    await database.transaction(async (transaction) => store.insertBlocks(transaction, workspaceId, segment, blocks));
    await breathe();
  }
}

/** Removes a segment that no search uses any more, in short transactions. */
export async function removeSegment(
  { database, workspaceId, breathe }: WorkspaceIndexing,
  segment: number,
): Promise<void> {
  // From here on, nobody publishes it.
  await database.transaction((transaction) =>
    store.retireSegments(transaction, workspaceId, [segment], ["making", "ready", "outdated"]),
  );
  for (let isMore = true; isMore; await breathe())
    isMore = await database.transaction((transaction) =>
      store.removeBlocks(transaction, workspaceId, segment, blocksAtOnce),
    );
  await database.transaction(async (transaction) => store.removeSegment(transaction, workspaceId, segment));
}

/** Removes what a process that ended left behind. */
export async function removeAbandoned(indexing: WorkspaceIndexing): Promise<void> {
  const segments = await indexing.read((transaction) =>
    store.listAbandoned(transaction, indexing.workspaceId, addSeconds(transaction.now, -hourSeconds)),
  );
  for (const { segment } of segments) await removeSegment(indexing, segment);
}
