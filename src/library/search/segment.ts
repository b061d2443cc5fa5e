// A segment of the index: which of its documents have which term. It is made once and never changes. Its documents are numbered in the order
// in which their snippets were changed. Its terms lie in blocks (blocks.ts), found by their first term.

/** A snippet as it was when it was indexed. */
export interface IndexedDocument {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

export interface Block {
  /** The first term in the block; the empty one for a block of documents. */
  readonly first_term: string;
  /** Numbers the blocks that begin with the same term. */
  readonly part: number;
  readonly data: string;
}

/** Documents in one block, and the bytes of each: its ID, and the milliseconds of its change. */
export const documentsInBlock = 64;
const documentBytes = 22;

/** The blocks of the documents, in the order of their ordinals. */
export const writeDocuments = (documents: readonly IndexedDocument[]): Block[] =>
  Array.from({ length: Math.ceil(documents.length / documentsInBlock) }, (_, part) => {
    const inBlock = documents.slice(part * documentsInBlock, (part + 1) * documentsInBlock);
    const bytes = Buffer.allocUnsafe(inBlock.length * documentBytes);
    for (const [index, { id, updatedAt }] of inBlock.entries()) {
      bytes.write(id.replaceAll("-", ""), index * documentBytes, "hex");
      bytes.writeUIntBE(updatedAt, index * documentBytes + 16, 6);
    }
    return { first_term: "", part, data: bytes.toString("base64") };
  });

/** What tells a snippet from all others; cheaper than its ID. */
export const documentKey = (id: string): string => Buffer.from(id.replaceAll("-", ""), "hex").toString("latin1");

/** The documents in blocks that follow each other. Each is read when it is asked for. */
export class DocumentReader {
  readonly #bytes: Buffer;

  constructor(...blocks: readonly string[]) {
    this.#bytes = Buffer.concat(blocks.map((data) => Buffer.from(data, "base64")));
  }

  get bytes(): number {
    return this.#bytes.length;
  }

  get size(): number {
    return this.#bytes.length / documentBytes;
  }

  at(index: number): IndexedDocument {
    const at = index * documentBytes;
    const hex = this.#bytes.toString("hex", at, at + 16);
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    return { id, updatedAt: this.#bytes.readUIntBE(at + 16, 6) };
  }

  keyAt(index: number): string {
    return this.#bytes.toString("latin1", index * documentBytes, index * documentBytes + 16);
  }

  all(): IndexedDocument[] {
    return Array.from({ length: this.size }, (_, index) => this.at(index));
  }
}

/** Whether the left one comes first: newest first; snippets changed at the same time by id, descending. */
export const isNewer = (left: IndexedDocument, right: IndexedDocument): boolean =>
  left.updatedAt === right.updatedAt ? left.id > right.id : left.updatedAt > right.updatedAt;
