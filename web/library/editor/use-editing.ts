// A snippet that is being written: its fields and texts, what of them is unsaved, its draft, and saving.
import type { EditorState } from "@codemirror/state";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { queryClient } from "../../api.ts";
import type { Snippet, Variation } from "../data.ts";
import { useDraftPlace } from "./draft-notice.tsx";
import { type Draft, type Fields, hashText, readDraft, removeDraft, type TextBase, writeDraft } from "./drafts.ts";
import { changedFields, fieldsOf, mergeFields } from "./model.ts";
import { type SaveOutcome, save, type WrittenText } from "./save.ts";
import { createText } from "./text-editor.tsx";
import { useDoor } from "./use-door.ts";
import { useSettleOnLeave } from "./use-settle-on-leave.ts";

/** A text that was opened or has a draft. */
export interface OpenText {
  name: string;
  state: EditorState;
  type: string;
  base: TextBase;
  /** Another one after the text was replaced from outside, so that the editor begins anew. */
  revision: number;
}

const settleMilliseconds = 400;

const baseOf = (type: string, content: string, state: string): TextBase => ({
  type,
  hash: hashText(content),
  state,
});

export const labelOfText = (name: string): string => `Text of ${name}`;

export function useEditing(snippet: Snippet) {
  const place = useDraftPlace(snippet.id);
  const door = useDoor(snippet.id);
  const [first] = useState(() => readDraft(place));
  const [restoredAt, setRestoredAt] = useState(first?.at);
  const texts = useRef(new Map<string, OpenText>());
  const base = useRef({
    fields: first?.fields?.base ?? fieldsOf(snippet),
    state: first?.fields?.state ?? snippet.state,
  });
  const [fields, setFields] = useState<Fields>(first?.fields?.mine ?? base.current.fields);
  const latestFields = useRef(fields);
  latestFields.current = fields;
  const [unsavedTexts, setUnsavedTexts] = useState<ReadonlySet<string>>(new Set(Object.keys(first?.texts ?? {})));
  const [isKept, setIsKept] = useState(true);
  const [, render] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  if (texts.current.size === 0 && first)
    for (const [id, { name, type, content, base: from }] of Object.entries(first.texts))
      texts.current.set(id, {
        name,
        state: createText(content, type, labelOfText(name)),
        type,
        base: from,
        revision: 0,
      });

  /** The text of a variation. @param content what is stored, for one that is opened for the first time */
  const openText = (variation: Variation, content: string): OpenText => {
    const known = texts.current.get(variation.id);
    if (known) return known;
    const { id, name, content_type: type, state } = variation;
    const opened: OpenText = {
      name,
      state: createText(content, type, labelOfText(name)),
      type,
      base: baseOf(type, content, state),
      revision: 0,
    };
    texts.current.set(id, opened);
    return opened;
  };

  const writtenTexts = (): readonly WrittenText[] =>
    [...texts.current]
      .map(([variationId, { name, state, type, base: from }]) => ({
        variationId,
        name,
        type,
        content: state.sliceDoc(),
        base: from,
      }))
      .filter((text) => text.type !== text.base.type || hashText(text.content) !== text.base.hash);

  /** Finds out what is unsaved, and keeps it. */
  const settle = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const unsaved = writtenTexts();
    setUnsavedTexts(new Set(unsaved.map(({ variationId }) => variationId)));
    const mine = latestFields.current;
    const isChanged = changedFields(base.current.fields, mine).length > 0;
    if (!isChanged && unsaved.length === 0) {
      removeDraft(place);
      setIsKept(true);
      setRestoredAt(undefined);
      return;
    }
    const draft: Draft = {
      at: new Date().toISOString(),
      ...(isChanged && { fields: { mine, base: base.current.fields, state: base.current.state } }),
      texts: Object.fromEntries(
        unsaved.map(({ variationId, base: from, ...text }) => [
          variationId,
          { name: text.name, type: text.type, content: text.content, base: from },
        ]),
      ),
    };
    setIsKept(writeDraft(place, draft));
  };
  const settleSoon = () => {
    timer.current ??= setTimeout(settle, settleMilliseconds);
  };
  useSettleOnLeave(timer, settle);

  const discard = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    removeDraft(place);
    const stored = fieldsOf(snippet);
    base.current = { fields: stored, state: snippet.state };
    setFields(stored);
    // Opened again, with what is stored.
    texts.current = new Map();
    setUnsavedTexts(new Set());
    setRestoredAt(undefined);
    setIsKept(true);
    render((count) => count + 1);
  };

  /** After saving, what was saved is the new state to change from. What could not be saved stays as it was changed. */
  const accept = async (outcome: SaveOutcome, sent: readonly WrittenText[]) => {
    const { snippet: now, fieldConflicts, textConflicts, goneVariationIds } = outcome;
    if (fieldConflicts.length === 0) rebaseFields(fieldsOf(now), now.state);
    const failed = new Set([...textConflicts.map(({ mine }) => mine.variationId), ...goneVariationIds]);
    for (const { variationId, type, content } of sent) {
      const open = texts.current.get(variationId);
      const variation = now.variations.find(({ id }) => id === variationId);
      if (!open || !variation || failed.has(variationId)) continue;
      open.base = baseOf(type, content, variation.state);
    }
    queryClient.setQueryData(["getLibrarySnippet", { workspaceId: place.workspaceId, id: now.id }], { data: now });
    for (const name of ["getLibrarySearch", "getLibraryTree", "getLibraryHistory"])
      void queryClient.invalidateQueries({ queryKey: [name] });
    settle();
  };

  /** Takes over what somebody else has changed, where it does not touch what is unsaved here. */
  const adopt = useEffectEvent((stored: Snippet) => {
    if (stored.state === base.current.state) return;
    const theirs = fieldsOf(stored);
    const { conflicts } = mergeFields(base.current.fields, latestFields.current, theirs);
    if (conflicts.length === 0) rebaseFields(theirs, stored.state);
    for (const variation of stored.variations) {
      const open = texts.current.get(variation.id);
      const { content, content_type: type, state, name } = variation;
      if (!open || content === null || state === open.base.state) continue;
      const next = baseOf(type, content, state);
      const isUnsaved = open.type !== open.base.type || hashText(open.state.sliceDoc()) !== open.base.hash;
      const isSame = next.hash === open.base.hash && type === open.base.type;
      if (isSame) open.base = next;
      else if (!isUnsaved) {
        open.state = createText(content, type, labelOfText(name));
        open.type = type;
        open.base = next;
        open.revision += 1;
      }
    }
    settle();
    render((count) => count + 1);
  });
  useEffect(() => adopt(snippet), [snippet]);

  const rebaseFields = (stored: Fields, state: string) => {
    const { merged } = mergeFields(base.current.fields, latestFields.current, stored);
    base.current = { fields: stored, state };
    latestFields.current = merged;
    setFields(merged);
  };

  const saveAll = async (): Promise<SaveOutcome> => {
    const sent = writtenTexts();
    const written = { mine: latestFields.current, base: base.current.fields, state: base.current.state };
    const outcome = await save(door, written, sent);
    // What was sent is stored now; what was typed meanwhile is unsaved.
    const isStored = outcome.fieldConflicts.length === 0;
    if (isStored) base.current = { fields: written.mine, state: outcome.snippet.state };
    await accept(outcome, sent);
    return outcome;
  };

  return {
    place,
    fields,
    restoredAt,
    unsavedTexts,
    isChanged: unsavedTexts.size > 0 || changedFields(base.current.fields, fields).length > 0,
    /** False where this browser has no room for the draft. */
    isKept,
    openText,
    textOf: (id: string) => texts.current.get(id),
    changeFields: (changes: Partial<Fields>) => {
      latestFields.current = { ...latestFields.current, ...changes };
      setFields(latestFields.current);
      settleSoon();
    },
    changeText: (id: string, state: EditorState, isChanged: boolean) => {
      const open = texts.current.get(id);
      if (open) open.state = state;
      if (isChanged) settleSoon();
    },
    changeType: (id: string, type: string) => {
      const open = texts.current.get(id);
      if (open) open.type = type;
      render((count) => count + 1);
      settleSoon();
    },
    /** Puts what the person has chosen in place of what is in conflict. */
    resolve: (
      choice: { readonly snippet: Snippet; readonly chosen: Fields } | undefined,
      chosenTexts: readonly ResolvedText[],
    ) => {
      if (choice) {
        base.current = { fields: fieldsOf(choice.snippet), state: choice.snippet.state };
        latestFields.current = choice.chosen;
        setFields(choice.chosen);
      }
      for (const { variationId, type, content, theirs } of chosenTexts) {
        const open = texts.current.get(variationId);
        if (!open) continue;
        open.state = createText(content, type, labelOfText(theirs.name));
        open.type = type;
        open.base = baseOf(theirs.content_type, theirs.content, theirs.state);
        open.revision += 1;
      }
      settle();
    },
    /** Unsaved texts whose variations somebody has deleted. */
    lostTexts: [...unsavedTexts].filter((id) => !snippet.variations.some((variation) => variation.id === id)),
    dropText: (id: string) => {
      texts.current.delete(id);
      settle();
    },
    settle,
    discard,
    saveAll,
  };
}

export interface ResolvedText {
  readonly variationId: string;
  readonly type: string;
  readonly content: string;
  readonly theirs: Variation & { readonly content: string };
}

export type Editing = ReturnType<typeof useEditing>;
