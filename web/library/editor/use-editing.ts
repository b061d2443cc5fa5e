// A snippet that is being written: its fields and texts, what of them is unsaved, its draft, and saving.
import type { EditorState } from "@codemirror/state";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { queryClient } from "../../api.ts";
import type { Snippet, Variation } from "../data.ts";
import { useDraftPlace } from "./draft-notice.tsx";
import { type Draft, type Fields, hashText, readDraft, removeDraft, type TextBase, writeDraft } from "./drafts.ts";
import { handedOver } from "./handover.ts";
import { changedFields, type FieldName, fieldsOf, mergeFields } from "./model.ts";
import { nameOfNewTag, useCreateTags } from "./new-tags.ts";
import { type SaveOutcome, save, type WrittenText } from "./save.ts";
import { createText, relabelText } from "./text-editor.tsx";
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
/** Stands for a state that nobody read: the service refuses it, and the person sees both versions. */
const unreadState = "unread";

const textsOf = (draft: Draft | undefined): Map<string, OpenText> =>
  new Map(
    Object.entries(draft?.texts ?? {}).map(([id, { name, type, content, base }]) => [
      id,
      { name, state: createText(content, type, labelOfText(name)), type, base, revision: 0 },
    ]),
  );

const baseOf = (type: string, content: string, state: string): TextBase => ({
  type,
  hash: hashText(content),
  state,
});

export const labelOfText = (name: string): string => `Text of ${name}`;

export function useEditing(snippet: Snippet) {
  const place = useDraftPlace(snippet.id);
  const door = useDoor(snippet.id);
  const createTags = useCreateTags();
  const [first] = useState(() => readDraft(place));
  const [restoredAt, setRestoredAt] = useState(first?.at);
  const [restored] = useState(() => textsOf(first));
  const texts = useRef(restored);
  const lastRevision = useRef(0);
  const base = useRef({
    fields: first?.fields?.base ?? fieldsOf(snippet),
    state: first?.fields?.state ?? snippet.state,
  });
  const [fields, setFields] = useState<Fields>(first?.fields?.mine ?? base.current.fields);
  const latestFields = useRef(fields);
  latestFields.current = fields;
  const [unsavedTexts, setUnsavedTexts] = useState<ReadonlySet<string>>(new Set(Object.keys(first?.texts ?? {})));
  const [isKept, setIsKept] = useState(true);
  const [generation, setGeneration] = useState(0);
  const [, render] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const nextRevision = () => {
    lastRevision.current += 1;
    return lastRevision.current;
  };

  /** The text of a variation. @param content what is stored, for one that is opened for the first time */
  const openText = (variation: Variation, content: string): OpenText => {
    const known = texts.current.get(variation.id);
    if (known) return known;
    const { id, name, content_type: type, state } = variation;
    const written = handedOver(snippet.id)?.state;
    const label = labelOfText(name);
    const opened: OpenText = {
      name,
      state: written?.sliceDoc() === content ? relabelText(written, type, label) : createText(content, type, label),
      type,
      base: baseOf(type, content, state),
      revision: nextRevision(),
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
    setGeneration((count) => count + 1);
  };

  /**
   * After saving, what was sent is what further changes are made from. What somebody has stored since then was not seen here: it is taken
   * over where nothing was typed meanwhile, and otherwise found in conflict by the next save.
   */
  const accept = (outcome: SaveOutcome, sentFields: Fields, sent: readonly WrittenText[]) => {
    const { snippet: now, fieldConflicts, textConflicts, goneVariationIds } = outcome;
    if (fieldConflicts.length === 0) {
      base.current = { fields: sentFields, state: unreadState };
      rebaseFields(fieldsOf(now), now.state);
    }
    const failed = new Set([...textConflicts.map(({ mine }) => mine.variationId), ...goneVariationIds]);
    for (const { variationId, type, content } of sent) {
      const open = texts.current.get(variationId);
      const stored = now.variations.find(({ id }) => id === variationId);
      if (!open || !stored || failed.has(variationId)) continue;
      // A text that is too long for this response is known by who wrote it.
      const isMine =
        stored.content === null
          ? stored.changed_by.id === place.personId
          : stored.content === content && stored.content_type === type;
      open.base = baseOf(type, content, isMine ? stored.state : unreadState);
    }
    queryClient.setQueryData(["getLibrarySnippet", { workspaceId: place.workspaceId, id: now.id }], { data: now });
    for (const name of ["getLibrarySearch", "getLibraryTree", "getLibraryHistory"])
      void queryClient.invalidateQueries({ queryKey: [name] });
    settle();
  };

  /** Takes over what somebody else has changed, where it does not touch what is unsaved here. */
  const adopt = useEffectEvent((stored: Snippet) => {
    if (stored.state === base.current.state) return;
    rebaseFields(fieldsOf(stored), stored.state);
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
        open.revision = nextRevision();
      }
    }
    settle();
    render((count) => count + 1);
  });
  useEffect(() => adopt(snippet), [snippet]);

  /** Joins the fields with what is stored now. Where that is a conflict, they stay, and saving finds it. */
  const rebaseFields = (stored: Fields, state: string) => {
    const { merged, conflicts } = mergeFields(base.current.fields, latestFields.current, stored);
    if (conflicts.length > 0) return;
    base.current = { fields: stored, state };
    latestFields.current = merged;
    setFields(merged);
  };

  const saveAll = async (): Promise<SaveOutcome> => {
    await createNewTags();
    const sent = writtenTexts();
    const written = { mine: latestFields.current, base: base.current.fields, state: base.current.state };
    const outcome = await save(door, written, sent);
    accept(outcome, written.mine, sent);
    return outcome;
  };

  const changeFields = (changes: Partial<Fields>) => {
    latestFields.current = { ...latestFields.current, ...changes };
    setFields(latestFields.current);
    settleSoon();
  };

  const createNewTags = async () => {
    const { tagIds } = latestFields.current;
    if (tagIds.every((id) => nameOfNewTag(id) === undefined)) return;
    const created = await createTags(snippet.team_id, tagIds);
    // Another tag may have been chosen meanwhile.
    const idOf = (id: string) => created[tagIds.indexOf(id)] ?? id;
    changeFields({ tagIds: [...new Set(latestFields.current.tagIds.map(idOf))] });
  };

  return {
    place,
    /** Another one after all was discarded: what is stored is opened again. */
    generation,
    fields,
    restoredAt,
    unsavedTexts,
    /** What is typed in a text counts a moment later. */
    isChanged: unsavedTexts.size > 0 || changedFields(base.current.fields, fields).length > 0,
    hasUnsaved: () => writtenTexts().length > 0 || changedFields(base.current.fields, latestFields.current).length > 0,
    /** False where this browser has no room for the draft. */
    isKept,
    openText,
    textOf: (id: string) => texts.current.get(id),
    changeFields,
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
      { snippet: now, fieldConflicts }: SaveOutcome,
      takesTheirs: ReadonlySet<FieldName>,
      chosenTexts: readonly ResolvedText[],
    ) => {
      if (fieldConflicts.length > 0) {
        const theirs = fieldsOf(now);
        const { merged } = mergeFields(base.current.fields, latestFields.current, theirs);
        const chosen = { ...merged, ...Object.fromEntries([...takesTheirs].map((name) => [name, theirs[name]])) };
        base.current = { fields: theirs, state: now.state };
        latestFields.current = chosen;
        setFields(chosen);
      }
      for (const { variationId, type, content, theirs } of chosenTexts) {
        const open = texts.current.get(variationId);
        if (!open) continue;
        open.state = createText(content, type, labelOfText(theirs.name));
        open.type = type;
        open.base = baseOf(theirs.content_type, theirs.content, theirs.state);
        open.revision = nextRevision();
      }
      settle();
    },
    /** Unsaved texts whose variations somebody has deleted. */
    lostTexts: [...unsavedTexts].filter((id) => !snippet.variations.some((variation) => variation.id === id)),
    dropText: (id: string) => {
      texts.current.delete(id);
      settle();
    },
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
