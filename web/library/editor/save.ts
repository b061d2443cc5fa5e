// Saves what has changed, part by part: the fields, then each text. What somebody else saved in between is never overwritten: it is joined
// where both changed different things, and otherwise comes back as a conflict.
import { ApiError } from "../../call.ts";
import type { Snippet, Variation } from "../data.ts";
import { type Fields, hashText, type TextBase } from "./drafts.ts";
import { bodyOf, changedFields, type FieldName, fieldsOf, mergeFields } from "./model.ts";

export interface WrittenFields {
  readonly mine: Fields;
  readonly base: Fields;
  readonly state: string;
}

export interface WrittenText {
  readonly variationId: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly base: TextBase;
}

export interface TextConflict {
  readonly mine: WrittenText;
  readonly theirs: Variation & { readonly content: string };
}

/** What saving needs of the service. */
export interface Door {
  readonly read: () => Promise<Snippet>;
  readonly readText: (variation: Variation) => Promise<string>;
  readonly putFields: (changes: ReturnType<typeof bodyOf>, ifState: string) => Promise<unknown>;
  readonly putText: (
    variationId: string,
    content: { type: string; content: string },
    ifState: string,
  ) => Promise<unknown>;
}

export interface SaveOutcome {
  /** As it is now. */
  readonly snippet: Snippet;
  /** Somebody else had changed it, and both changes are kept. */
  readonly isJoined: boolean;
  readonly fieldConflicts: readonly FieldName[];
  readonly textConflicts: readonly TextConflict[];
  /** Variations that somebody has deleted. */
  readonly goneVariationIds: readonly string[];
}

/** Somebody else may save again and again; a person decides then. */
const attemptsMax = 5;

const hasCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

export async function save(door: Door, fields: WrittenFields, texts: readonly WrittenText[]): Promise<SaveOutcome> {
  const savedFields = await saveFields(door, fields);
  const savedTexts: TextOutcome[] = [];
  for (const text of texts) savedTexts.push(await saveText(door, text));
  return {
    snippet: await door.read(),
    isJoined: savedFields.isJoined || savedTexts.some(({ isJoined }) => isJoined),
    fieldConflicts: savedFields.conflicts,
    textConflicts: savedTexts.flatMap(({ conflict }) => conflict ?? []),
    goneVariationIds: savedTexts.flatMap(({ goneId }) => goneId ?? []),
  };
}

async function saveFields(
  door: Door,
  written: WrittenFields,
): Promise<{ readonly isJoined: boolean; readonly conflicts: readonly FieldName[] }> {
  let { mine, base, state } = written;
  for (let attempt = 1; ; attempt += 1) {
    const changed = changedFields(base, mine);
    if (changed.length === 0) return { isJoined: attempt > 1, conflicts: [] };
    try {
      await door.putFields(bodyOf(changed, mine), state);
      return { isJoined: attempt > 1, conflicts: [] };
    } catch (error) {
      if (!hasCode(error, "changed_meanwhile") || attempt === attemptsMax) throw error;
    }
    const current = await door.read();
    const theirs = fieldsOf(current);
    const { merged, conflicts } = mergeFields(base, mine, theirs);
    if (conflicts.length > 0) return { isJoined: false, conflicts };
    [mine, base, state] = [merged, theirs, current.state];
  }
}

interface TextOutcome {
  readonly isJoined?: boolean;
  readonly conflict?: TextConflict;
  readonly goneId?: string;
}

async function saveText(door: Door, mine: WrittenText): Promise<TextOutcome> {
  const { variationId, type, content, base } = mine;
  let { state } = base;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await door.putText(variationId, { type, content }, state);
      return { isJoined: attempt > 1 };
    } catch (error) {
      if (!hasCode(error, "changed_meanwhile") && !hasCode(error, "variation_not_found")) throw error;
      if (attempt === attemptsMax) throw error;
    }
    const { variations } = await door.read();
    const current = variations.find(({ id }) => id === variationId);
    if (!current) return { goneId: variationId };
    const theirs = await door.readText(current);
    if (theirs === content && current.content_type === type) return { isJoined: true };
    const isTextChanged = current.content_type !== base.type || hashText(theirs) !== base.hash;
    if (isTextChanged) return { conflict: { mine, theirs: { ...current, content: theirs } } };
    // Somebody gave the variation another name or place.
    state = current.state;
  }
}
