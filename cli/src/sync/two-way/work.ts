// What the steps of a two-way sync work with, and what they have in common.
import { createHash } from "node:crypto";
import { InvalidRequestError, NotFoundError } from "../../../../sdk/src/index.ts";
import { mainField } from "../../../../src/library/formats/markdown.ts";
import { baseOf, type Document, folderOf, nameOf } from "./document.ts";
import type { Outcome } from "./outcome.ts";
import type { Places } from "./places.ts";
import type { Files, FoundFile, Item, Library } from "./ports.ts";
import type { Known } from "./state.ts";

export interface Work {
  readonly files: Files;
  readonly library: Library;
  readonly known: Known;
  readonly places: Places;
  readonly outcome: Outcome;
  /** Files that keep a version from an earlier conflict. */
  readonly conflicts: readonly FoundFile[];
  /** Paths that an earlier one-way sync wrote. */
  readonly formerPaths: ReadonlySet<string>;
  /** The paths of all files that the pass has seen. */
  readonly seen: ReadonlySet<string>;
  /** A snippet was sent. */
  readonly pushed: (id: string) => void;
  readonly now: () => Date;
  readonly newKey: () => string;
}

export const hashOfContent = (content: string): string => createHash("sha256").update(content).digest("hex");

/** What the service says of an item, as its file would: a variation is beside its snippet. */
export function placed({ known }: Pick<Work, "known">, item: Item): Document {
  const path = item.of === null ? undefined : known.entry(item.of)?.path;
  if (path === undefined) return item.document;
  return { ...item.document, fields: { ...item.document.fields, folder: folderOf(path), [mainField]: nameOf(path) } };
}

export const keep = ({ known }: Work, { id, of }: Pick<Item, "id" | "of">, path: string, document: Document): void =>
  // A file that could not be moved is still to be moved.
  known.set({ id, of, path, ...baseOf({ ...document, fields: { ...document.fields, folder: folderOf(path) } }) });

/** Shortcuts do not have to be unique, so the service says nothing about it. */
export function warnOfShortcut({ known, outcome }: Work, id: string, path: string, { fields }: Document): void {
  const { shortcut = "" } = fields;
  const other = typeof shortcut === "string" && shortcut !== "" ? known.otherWith(shortcut, id) : undefined;
  if (!other) return;
  const message = `the shortcut "${String(shortcut)}" is also used by ${other.path}. Both snippets keep it, and a lookup by shortcut finds only the one that was changed last`;
  outcome.warnings.push({ path, message });
}

/** What the service will never accept is a problem of one file. @throws everything else */
export function refused(outcome: Outcome, path: string, error: unknown): void {
  if (error instanceof InvalidRequestError) outcome.problems.push({ path, message: error.message });
  else if (error instanceof NotFoundError) outcome.isAgain = true;
  else throw error;
}
