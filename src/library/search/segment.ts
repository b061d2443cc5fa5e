// A segment of the index: which of its documents have which term. It is made once and never changes. Its documents are numbered in the order
// in which their snippets were changed. It lies in blocks of about a kilobyte, found by their first term.

import { isCoarseTerm } from "./terms.ts";

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

const blockBytes = 1_400;

/** The documents of a segment, and all of its blocks. */
export interface NewSegment {
  readonly documents: readonly IndexedDocument[];
  readonly blocks: readonly Block[];
  readonly hasCoarseTerms: boolean;
}

export const newSegment = (documents: readonly IndexedDocument[], writer: BlockWriter): NewSegment => ({
  documents,
  blocks: [...writeDocuments(documents), ...writer.finish()],
  hasCoarseTerms: writer.hasCoarseTerms,
});

/** Terms with the ordinals of their documents, which ascend. */
export type Postings = Iterable<readonly [string, readonly number[]]>;

/** Compares as both databases do: by code point, which differs from UTF-16 for the characters behind the surrogates. */
export function compareTerms(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one === other) continue;
    if (one >= 0xd800 && other >= 0xd800) {
      const [isOneAstral, isOtherAstral] = [one < 0xe000, other < 0xe000];
      if (isOneAstral !== isOtherAstral) return isOneAstral ? 1 : -1;
    }
    return one - other;
  }
  return left.length - right.length;
}

const hasLateCharacter = /[\ud800-\uffff]/;

/** Sorts in place, as `compareTerms` does. Without a comparison of its own, it is several times as fast. */
export const sortTerms = (terms: string[]): string[] =>
  terms.some((term) => hasLateCharacter.test(term)) ? terms.sort(compareTerms) : terms.sort();

/** Writes blocks. Terms come in their order. */
export class BlockWriter {
  readonly blocks: Block[] = [];
  hasCoarseTerms = false;
  #bytes = Buffer.allocUnsafe(8_192);
  #length = 0;
  #first: string | undefined;
  #last = "";
  #part = 0;

  add(term: string, ordinals: readonly number[]): void {
    let from = 0;
    this.hasCoarseTerms ||= isCoarseTerm(term);
    while (from < ordinals.length) {
      if (this.#length >= blockBytes) this.#end();
      if (this.#first === undefined) {
        this.#part = this.blocks.at(-1)?.first_term === term ? this.#part + 1 : 0;
        this.#first = term;
        this.#last = "";
      }
      const shared = sharedLength(this.#last, term);
      this.#number(shared);
      this.#text(term, shared);
      this.#last = term;
      from = this.#list(ordinals, from);
    }
  }

  /** @returns where the list goes on in the next block */
  #list(ordinals: readonly number[], from: number): number {
    const start = this.#length + 2;
    let at = start;
    let previous = 0;
    let index = from;
    const end = this.#length + blockBytes;
    for (; index < ordinals.length && at < end; index += 1) {
      const ordinal = ordinals[index] ?? 0;
      at = writeNumber(this.#bytes, at, ordinal - previous);
      previous = ordinal;
    }
    this.#bytes.writeUInt16LE(at - start, this.#length);
    this.#length = at;
    return index;
  }

  #text(term: string, from: number): void {
    let at = this.#length + 1;
    for (let index = from; index < term.length; index += 1) {
      const unit = term.charCodeAt(index);
      if (unit > 127) {
        at = this.#length + 1 + this.#bytes.write(term.slice(from), this.#length + 1);
        break;
      }
      this.#bytes[at] = unit;
      at += 1;
    }
    // A term has at most 97 bytes.
    this.#bytes[this.#length] = at - this.#length - 1;
    this.#length = at;
  }

  #number(value: number): void {
    this.#length = writeNumber(this.#bytes, this.#length, value);
  }

  #end(): void {
    if (this.#first === undefined) return;
    const data = this.#bytes.subarray(0, this.#length).toString("base64");
    this.blocks.push({ first_term: this.#first, part: this.#part, data });
    this.#length = 0;
    this.#first = undefined;
  }

  finish(): Block[] {
    this.#end();
    return this.blocks;
  }
}

function sharedLength(left: string, right: string): number {
  const length = Math.min(left.length, right.length, 127);
  let shared = 0;
  while (shared < length && left.charCodeAt(shared) === right.charCodeAt(shared)) shared += 1;
  const unit = left.charCodeAt(shared - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? shared - 1 : shared;
}

function writeNumber(bytes: Buffer, at: number, value: number): number {
  let position = at;
  let rest = value;
  while (rest > 127) {
    bytes[position] = (rest & 127) | 128;
    position += 1;
    rest >>>= 7;
  }
  bytes[position] = rest;
  return position + 1;
}

/** Reads the entries of a block one after the other. */
export class BlockReader {
  term = "";
  readonly #bytes: Buffer;
  #at = 0;
  #listStart = 0;
  #listEnd = 0;

  constructor(data: string) {
    this.#bytes = Buffer.from(data, "base64");
  }

  /** Goes to the next entry. @returns false at the end */
  next(): boolean {
    this.#at = this.#listEnd;
    if (this.#at >= this.#bytes.length) return false;
    const shared = this.#number();
    const length = this.#number();
    this.term = this.term.slice(0, shared) + this.#bytes.toString("utf8", this.#at, this.#at + length);
    this.#listStart = this.#at + length + 2;
    this.#listEnd = this.#listStart + this.#bytes.readUInt16LE(this.#at + length);
    return true;
  }

  /** Calls `take` with each ordinal of the entry. */
  visit(take: (ordinal: number) => void): void {
    this.#at = this.#listStart;
    let ordinal = 0;
    while (this.#at < this.#listEnd) {
      ordinal += this.#number();
      take(ordinal);
    }
  }

  #number(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = bytes[at] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      at += 1;
      byte = bytes[at] ?? 0;
      value |= (byte & 127) << shift;
    }
    this.#at = at + 1;
    return value;
  }
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
