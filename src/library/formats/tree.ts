// What every format reads into and writes from: snippets with their folders and tags, and what could not be kept.

/** Where something is in what was read. */
export interface Place {
  /** The path of the file, as it was given; of a file in an archive, its path there. */
  readonly file: string;
  /** Counted from 1; undefined for the file as a whole. */
  readonly line?: number | undefined;
}

/** What a person should know about a file before it is imported, or about an export. */
export interface Warning {
  readonly place?: Place;
  readonly message: string;
  /** How many this one stands for, where it says only their number; otherwise 1. */
  readonly count?: number;
}

/** How many there are, also of those that are not listed. */
export const countWarnings = (warnings: readonly Warning[]): number =>
  warnings.reduce((sum, { count = 1 }) => sum + count, 0);

/** A folder or a tag. */
export interface TreeGroup {
  /** Names it within the tree. */
  readonly key: string;
  readonly name: string;
  /** Null where the source has no colors. */
  readonly color: string | null;
  /** The key of a group before this one, or null. */
  readonly parent: string | null;
  /** Null in what is read of other formats than the archive: the group gets the time of the import. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

export interface TreeVersion {
  readonly type: string;
  readonly content: string;
  /** Null where the source does not say when it was written. */
  readonly changedAt: string | null;
}

export interface TreeVariation extends TreeVersion {
  readonly name: string;
  /** The texts that it had before, the oldest first. */
  readonly formerVersions: readonly TreeVersion[];
}

export interface TreeSnippet {
  readonly title: string;
  readonly note: string | null;
  readonly shortcut: string | null;
  /** The key of its folder, or null. */
  readonly folder: string | null;
  /** The keys of its tags. */
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  /** The first one has the text of the snippet. There is at least one. */
  readonly variations: readonly TreeVariation[];
  /** Null in what is read of other formats than the archive: the snippet gets the time of the import. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

export interface Tree {
  readonly folders: readonly TreeGroup[];
  readonly tags: readonly TreeGroup[];
  readonly snippets: readonly TreeSnippet[];
}

/** Snippets in their order: an array, or those of an archive that is read part by part. */
export interface SnippetList extends Iterable<TreeSnippet> {
  readonly length: number;
  /** Quick where one is asked for after the other. */
  at(index: number): TreeSnippet | undefined;
}

/** What an import needs of a tree. */
export interface ImportTree extends Pick<Tree, "folders" | "tags"> {
  readonly snippets: SnippetList;
}

/** What a format has read. */
export interface Reading {
  readonly tree: Tree;
  /** Where each snippet of the tree is, in the same order. */
  readonly places: readonly Place[];
  /** Snippets and files of snippets that could not be read. */
  readonly problems: readonly Warning[];
  /** What the tree has differently from the files, or not at all. */
  readonly warnings: readonly Warning[];
}

export interface OutputFile {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Code in a file that another tool runs. Text from the library is code only where a note marks it as a template of that tool. */
export interface WrittenCode {
  /** The title of the snippet. */
  readonly title: string;
  /** Where the snippet begins in the file. */
  readonly place: Place;
  /** The beginning of the code. */
  readonly example: string;
}

/** What a format has written. */
export interface Writing {
  readonly files: readonly OutputFile[];
  /** What the format cannot say. */
  readonly warnings: readonly Warning[];
  /** What the tool runs. */
  readonly code: readonly WrittenCode[];
}

/** The same of a format that may have no code. */
export type WrittenFiles = Omit<Writing, "code"> & Partial<Pick<Writing, "code">>;

export const firstVariationName = "Default";

export const noTree: Tree = { folders: [], tags: [], snippets: [] };
