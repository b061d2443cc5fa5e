// What a sync does with one file and its snippet, from what was the same on both sides before: a pure function, which its tests try in every order.
import {
  type Base,
  baseOf,
  type Document,
  type Fields,
  same,
  sameDocument,
  sameField,
  type Value,
} from "./document.ts";

export type Decision =
  /** Both sides say the same. */
  | { readonly action: "none" }
  /** The snippet's state goes into the file. */
  | { readonly action: "write"; readonly document: Document }
  /** The document goes to the service, and into the file where that differs from it. */
  | { readonly action: "push"; readonly document: Document; readonly isMerged: boolean }
  /** Both texts have changed, the fields go together: whether the texts do depends on the text before. */
  | { readonly action: "merge"; readonly fields: Fields }
  /** The snippet's state goes into the file, and what was in it into a file beside it. */
  | { readonly action: "conflict"; readonly document: Document }
  | { readonly action: "create"; readonly document: Document }
  | { readonly action: "trash" }
  /** The file goes. */
  | { readonly action: "remove" }
  /** The snippet is gone, and the file has changed: it is kept under another name. */
  | { readonly action: "set aside" }
  | { readonly action: "forget" };

/** @param base undefined if nothing is known from before */
export function decide(base: Base | undefined, local: Document | undefined, remote: Document | undefined): Decision {
  if (!local && !remote) return { action: "forget" };
  if (!local && remote) {
    const isUnchanged = base !== undefined && same(base, baseOf(remote));
    return isUnchanged ? { action: "trash" } : { action: "write", document: remote };
  }
  if (!local) return { action: "forget" };
  if (!remote) {
    if (base === undefined) return { action: "create", document: local };
    return same(base, baseOf(local)) ? { action: "remove" } : { action: "set aside" };
  }
  if (sameDocument(local, remote)) return { action: "none" };
  if (base === undefined) return { action: "conflict", document: remote };
  if (same(base, baseOf(local))) return { action: "write", document: remote };
  if (same(base, baseOf(remote))) return { action: "push", document: local, isMerged: false };
  const fields = mergeFields(base.fields, local.fields, remote.fields);
  if (!fields) return { action: "conflict", document: remote };
  const [ours, theirs] = [baseOf(local).hash, baseOf(remote).hash];
  if (ours === theirs || ours === base.hash) return settled({ fields, text: remote.text }, remote);
  if (theirs === base.hash) return settled({ fields, text: local.text }, remote);
  return { action: "merge", fields };
}

/** Nothing has to be pushed where the snippet already says all of it. */
const settled = (document: Document, remote: Document): Decision =>
  sameDocument(document, remote) ? { action: "write", document: remote } : { action: "push", document, isMerged: true };

/** Field by field; undefined if both changed one to different values. */
export function mergeFields(base: Fields, ours: Fields, theirs: Fields): Fields | undefined {
  const merged: Record<string, Value> = {};
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [before = "", own = "", their = ""] = [base[name], ours[name], theirs[name]];
    if (sameField(name, ours, theirs) || sameField(name, base, ours)) merged[name] = their;
    else if (sameField(name, base, theirs)) merged[name] = own;
    else if (name === "tags") merged[name] = mergeTags(listOf(before), listOf(own), listOf(their));
    else return undefined;
  }
  return merged;
}

const listOf = (value: Value): readonly string[] => (typeof value === "string" ? [value].filter(Boolean) : value);

/** Tags that either side added, without those that either side removed. */
const mergeTags = (base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] =>
  [...new Set([...ours, ...theirs])]
    .filter((tag) => !base.includes(tag) || (ours.includes(tag) && theirs.includes(tag)))
    .sort();
