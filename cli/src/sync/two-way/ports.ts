// What a two-way sync works on: the files of a folder and the snippets of a team. Its tests put others in their place, which fail at every point.
import type { Document } from "./document.ts";

export interface FoundFile {
  /** Relative to the team's folder, with `/` between its parts. */
  readonly path: string;
  /** Undefined where it is not UTF-8 text. */
  readonly content: string | undefined;
  /** Of its bytes. */
  readonly hash: string;
  /** Why it cannot be read. */
  readonly problem?: string;
}

/** Every change names the hash of what it replaces, and does nothing, and returns false, where that is no longer there. */
export interface Files {
  /** All Markdown files. @throws where any folder or file cannot be read: what was not seen is not gone */
  readonly scan: () => Promise<readonly FoundFile[]>;
  readonly exists: (path: string) => boolean;
  /** @param expected undefined for a new file */
  readonly write: (path: string, content: string, expected: string | undefined) => boolean;
  readonly move: (from: string, to: string, expected: string) => boolean;
  readonly remove: (path: string, expected: string) => boolean;
}

/** A snippet, or a further variation of one. */
export interface Item {
  readonly id: string;
  /** The snippet of a further variation. */
  readonly of: string | null;
  /** Without `folder` and `of` for a variation: they follow from the snippet's file. */
  readonly document: Document;
}

export type Changed =
  | { readonly is: "changed" }
  /** Changed, while someone else saved another text in the same moment. */
  | { readonly is: "overtaken" }
  /** Not changed, because someone else has changed it since it was seen, or has deleted it. */
  | { readonly is: "stale"; readonly now: Item | undefined };

export interface Library {
  /** As they were last read, each snippet before its variations, the oldest first. */
  readonly items: () => readonly Item[];
  /** Reads it again, with its variations. */
  readonly fresh: (item: Pick<Item, "id" | "of">) => Promise<Item | undefined>;
  /**
   * @param key makes it happen once, however often it is sent
   * @param of the snippet that gets a variation
   * @returns for each document its ID, or why it is refused
   */
  readonly create: (
    documents: readonly Document[],
    of: string | null,
    key: string,
  ) => Promise<readonly (string | { readonly message: string })[]>;
  /** @param seen what `fresh` has just returned */
  readonly change: (seen: Item, document: Document) => Promise<Changed>;
  readonly trash: (id: string) => Promise<void>;
  /** An earlier text with this hash; undefined if it is not found. */
  readonly formerText: (item: Pick<Item, "id" | "of">, hash: string) => Promise<string | undefined>;
}
