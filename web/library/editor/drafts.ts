// Unsaved texts, kept in this browser until they are saved or discarded. Each belongs to one person.

import { createStore } from "../../store.ts";

/** What a person can write in a snippet besides its texts. */
export interface Fields {
  readonly title: string;
  readonly note: string;
  readonly shortcut: string;
  readonly folderId: string | null;
  readonly tagIds: readonly string[];
}

/** The state that a text was changed from. Its hash is enough to see whether somebody else has changed it since. */
export interface TextBase {
  readonly type: string;
  readonly hash: string;
  readonly state: string;
}

export interface DraftText {
  /** The name of its variation, which somebody may have deleted since. */
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly base: TextBase;
}

/** The unsaved changes of a snippet: only what differs from what is stored. */
export interface Draft {
  /** When it was last typed in. */
  readonly at: string;
  readonly teamId?: string;
  readonly fields?: { readonly mine: Fields; readonly base: Fields; readonly state: string };
  /** By variation. */
  readonly texts: Readonly<Record<string, DraftText>>;
}

/** What is being written: a snippet, or a new one. */
export interface DraftPlace {
  readonly personId: string;
  readonly workspaceId: string;
  readonly snippetId: string | undefined;
}

/** Another value after each change of a draft in this tab. */
export const draftChanges = createStore(0);
const report = () => draftChanges.set(draftChanges.get() + 1);

const prefix = "commonplace-draft/";
const keyOf = ({ personId, workspaceId, snippetId = "new" }: DraftPlace): string =>
  `${prefix}${personId}/${workspaceId}/${snippetId}`;

/** The storage of the browser; undefined where it is turned off. */
function browserStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

export function readDraft(place: DraftPlace, storage = browserStorage()): Draft | undefined {
  const stored = storage?.getItem(keyOf(place));
  if (!stored) return undefined;
  try {
    // Only this file writes such a key.
    return JSON.parse(stored) as Draft;
  } catch {
    return undefined;
  }
}

/** Keeps a draft. @returns false where the browser has no room for it, or no storage */
export function writeDraft(place: DraftPlace, draft: Draft, storage = browserStorage()): boolean {
  try {
    storage?.setItem(keyOf(place), JSON.stringify(draft));
    report();
    return storage !== undefined;
  } catch {
    // An older one must not come back in place of what was typed last.
    removeDraft(place, storage);
    return false;
  }
}

export function removeDraft(place: DraftPlace, storage = browserStorage()): void {
  storage?.removeItem(keyOf(place));
  report();
}

const draftKeys = (storage: Storage): readonly string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "").filter((key) =>
    key.startsWith(prefix),
  );

/** True where anything is unsaved in this browser. */
export const hasDrafts = (storage = browserStorage()): boolean =>
  storage !== undefined && draftKeys(storage).length > 0;

/** Removes all drafts, at sign-out: the next person at this browser finds nothing. */
export function removeDrafts(storage = browserStorage()): void {
  if (storage) for (const key of draftKeys(storage)) storage.removeItem(key);
}

/** A number of 53 bits that differs for texts that differ (cyrb53). Fast, and not for secrets. */
export function hashText(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return `${text.length}-${(4294967296 * (2097151 & low) + (high >>> 0)).toString(36)}`;
}
