// What a format is.
import type { Code } from "./codes.ts";
import type { Column } from "./format-ids.ts";
import type { InputFile } from "./input-file.ts";
import type { Tree, WrittenFiles } from "./tree.ts";
import type { TreeBuilder } from "./tree-builder.ts";

export interface ReadOptions {
  /** The name of the archive that the files are from, without its ending. */
  readonly archiveName?: string | undefined;
  /** Which columns of a table have the fields of a snippet, by their headings or numbers, counted from 1. */
  readonly columns?: Readonly<Partial<Record<Column, string>>> | undefined;
}

export interface Format {
  /** As people read it. */
  readonly name: string;
  /** Where the format is described. */
  readonly source: string;
  /** Whether it is this format's file, by its content. */
  readonly claims: (file: InputFile) => boolean;
  /** Files that it reads too, once it is recognized by others. */
  readonly alsoReads?: (file: InputFile) => boolean;
  /**
   * Reads the files that it claims, in the order of their paths.
   * @param all all files, for those that only mean something together
   */
  readonly read: (
    claimed: readonly InputFile[],
    into: TreeBuilder,
    options: ReadOptions,
    all: readonly InputFile[],
  ) => void;
  /** What the tool replaces in a text when it inserts it. */
  readonly codes?: readonly Code[];
  /** Absent where the tool has no way to import a file. */
  readonly write?: (tree: Tree) => WrittenFiles;
}

const encoder = new TextEncoder();

export const textFile = (path: string, text: string) => ({ path, bytes: encoder.encode(text) });

/** Reads each file by itself. */
export const eachFile =
  (readOne: (file: InputFile, into: TreeBuilder, options: ReadOptions) => void): Format["read"] =>
  (claimed, into, options) => {
    for (const file of claimed) readOne(file, into, options);
  };
