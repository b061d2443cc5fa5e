// Asks the index for the snippets that may match, newest first.
import type { Transaction } from "../../platform/database/database.ts";
import { findBlocks, listDocumentBlocks, type Segment } from "./index.store.ts";
import { BlockReader, DocumentReader, documentsInBlock, type IndexedDocument, isNewer, OrdinalSet } from "./segment.ts";
import type { Requirement, TermRange } from "./terms.ts";

/** A document that meets all requirements. */
export interface ProposedDocument extends IndexedDocument {
  /** It meets each of them by a term that is not coarse. */
  readonly isProven: boolean;
}

/** Segments that are asked at once: the newest alone, because it may be enough. */
const askedAtOnce = [2, 6, 24];
const documentBlocksAtOnce = 4;

/**
 * The documents of these segments that meet all requirements, newest first. A snippet may come up several times, and as it was before it was
 * changed.
 * @param segments in the order of their newest document
 * @param after only documents older than this one
 */
export async function* newestDocuments(
  transaction: Transaction,
  workspaceId: string,
  segments: readonly Segment[],
  requirements: readonly Requirement[],
  after: IndexedDocument | undefined,
): AsyncGenerator<ProposedDocument, void> {
  const waiting = segments.filter(({ oldest_at }) => after === undefined || Date.parse(oldest_at) <= after.updatedAt);
  const ready: { segment: Segment; documents: Promise<Proposed | undefined> }[] = [];
  let asked = 0;
  const askMore = () => {
    const count = askedAtOnce[asked] ?? askedAtOnce.at(-1) ?? 1;
    asked += 1;
    for (const segment of waiting.splice(0, count)) {
      const documents = findDocuments(transaction, workspaceId, segment, requirements);
      // A caller that stops before this point never sees the failure.
      documents.catch(() => undefined);
      ready.push({ segment, documents });
    }
  };
  const open: { documents: AsyncGenerator<ProposedDocument, void>; head: ProposedDocument }[] = [];
  for (;;) {
    // A segment is opened as soon as its newest document may be the next.
    const next = () => {
      const segment = ready[0]?.segment ?? waiting[0];
      return segment && Date.parse(segment.newest_at);
    };
    let best = newestOf(open);
    for (let time = next(); time !== undefined && (!best || time >= best.head.updatedAt); time = next()) {
      if (ready.length === 0) askMore();
      const opened = ready.shift();
      const set = await opened?.documents;
      if (opened && set) {
        const documents = documentsOf(transaction, workspaceId, opened.segment, set, after);
        const head = (await documents.next()).value;
        if (head) open.push({ documents, head });
      }
      best = newestOf(open);
    }
    if (!best) return;
    yield best.head;
    const following = (await best.documents.next()).value;
    if (following) best.head = following;
    else open.splice(open.indexOf(best), 1);
  }
}

const newestOf = <Item extends { readonly head: IndexedDocument }>(open: readonly Item[]): Item | undefined =>
  open.reduce<Item | undefined>((best, item) => (best && !isNewer(item.head, best.head) ? best : item), undefined);

/** The documents of a segment that meet all requirements, and those of them that do by terms that are not coarse. */
interface Proposed {
  readonly all: OrdinalSet;
  readonly proven: OrdinalSet;
}

/** Undefined for no documents. */
async function findDocuments(
  transaction: Transaction,
  workspaceId: string,
  segment: Segment,
  requirements: readonly Requirement[],
): Promise<Proposed | undefined> {
  const sets = await Promise.all(
    requirements.map(async (ranges) => {
      const [all, proven] = [new OrdinalSet(segment.document_count), new OrdinalSet(segment.document_count)];
      await Promise.all(
        ranges
          .filter((range) => !range.isCoarse || segment.has_coarse_terms)
          .map((range) =>
            addDocuments(transaction, workspaceId, segment, range, range.isCoarse ? [all] : [all, proven]),
          ),
      );
      return { all, proven };
    }),
  );
  const found = { all: OrdinalSet.all(segment.document_count), proven: OrdinalSet.all(segment.document_count) };
  for (const { all, proven } of sets) {
    found.all.intersect(all);
    found.proven.intersect(proven);
  }
  return found.all.lastBelow(segment.document_count) < 0 ? undefined : found;
}

async function addDocuments(
  transaction: Transaction,
  workspaceId: string,
  { segment }: Segment,
  range: TermRange,
  sets: readonly OrdinalSet[],
): Promise<void> {
  const { term, isPrefix } = range;
  for (const { data } of await findBlocks(transaction, workspaceId, segment, range)) {
    const reader = new BlockReader(data);
    while (reader.next())
      if (isPrefix ? reader.term.startsWith(term) : reader.term === term)
        for (const set of sets) reader.visit((ordinal) => set.add(ordinal));
  }
}

/** These documents of a segment, newest first. */
async function* documentsOf(
  transaction: Transaction,
  workspaceId: string,
  { segment, document_count, newest_at }: Segment,
  { all, proven }: Proposed,
  after: IndexedDocument | undefined,
): AsyncGenerator<ProposedDocument, void> {
  let below = document_count;
  if (after && Date.parse(newest_at) >= after.updatedAt)
    below = await findOrdinal(transaction, workspaceId, segment, document_count, after);
  let blocks: DocumentReader[] = [];
  let from = document_count;
  for (;;) {
    const ordinal = all.lastBelow(below);
    if (ordinal < 0) return;
    if (ordinal < from) {
      const lastPart = Math.floor(ordinal / documentsInBlock);
      const firstPart = Math.max(0, lastPart - documentBlocksAtOnce + 1);
      const rows = await listDocumentBlocks(transaction, workspaceId, segment, firstPart, lastPart);
      blocks = rows.map(({ data }) => new DocumentReader(data));
      from = firstPart * documentsInBlock;
    }
    const place = ordinal - from;
    const document = blocks[Math.floor(place / documentsInBlock)]?.at(place % documentsInBlock);
    if (document) yield { ...document, isProven: proven.has(ordinal) };
    below = ordinal;
  }
}

/** How many documents of a segment are older than this one. */
async function findOrdinal(
  transaction: Transaction,
  workspaceId: string,
  segment: number,
  documentCount: number,
  { id, updatedAt }: IndexedDocument,
): Promise<number> {
  let [low, high] = [0, Math.ceil(documentCount / documentsInBlock)];
  while (low < high) {
    const part = (low + high) >>> 1;
    const [block] = await listDocumentBlocks(transaction, workspaceId, segment, part, part);
    const documents = block ? new DocumentReader(block.data).all() : [];
    const older = documents.filter((document) => isNewer({ id, updatedAt }, document)).length;
    if (older > 0 && older < documents.length) return part * documentsInBlock + older;
    if (older === 0) high = part;
    else low = part + 1;
  }
  return Math.min(documentCount, low * documentsInBlock);
}
