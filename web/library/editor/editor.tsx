// Writes a snippet: a new one, or the open one.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError, callConsole, useConsoleMutation } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { FormError } from "../../components/field.tsx";
import { quote } from "../../components/format.ts";
import { Notice } from "../../components/layout.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import type { Snippet, Variation } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { panelId, VariationTabs } from "../read/tabs.tsx";
import { VariationContent } from "../read/variation-content.tsx";
import { VariationsButton } from "../variations/variations-button.tsx";
import { Conflict, hasConflict } from "./conflict.tsx";
import { UnsavedNotice } from "./draft-notice.tsx";
import { DetailFields, TitleField } from "./fields.tsx";
import { Frame } from "./frame.tsx";
import { endHandover, handedOver, isWriting } from "./handover.ts";
import { NewSnippet } from "./new-snippet.tsx";
import type { SaveOutcome } from "./save.ts";
import { SaveStatus } from "./save-status.tsx";
import { TextPane } from "./text-pane.tsx";
import { type Editing, useEditing } from "./use-editing.ts";
import { useKeptNotice } from "./use-kept-notice.ts";

export interface EditorProps {
  /** Undefined for a new one. */
  readonly snippet: Snippet | undefined;
  /** Back to reading. */
  readonly onClose: () => void;
}

export default function Editor({ snippet, onClose }: EditorProps) {
  const { tree, mayWrite } = useLibrary();
  if (tree && !mayWrite(snippet?.team_id))
    return (
      <EmptyState icon="lock" title="You don’t have edit access" action={<Button onClick={onClose}>Go back</Button>}>
        Ask a team admin to make you an editor.
      </EmptyState>
    );
  return snippet ? <EditSnippet snippet={snippet} onClose={onClose} /> : <NewSnippet onClose={onClose} />;
}

function EditSnippet({ snippet, onClose }: { snippet: Snippet; onClose: () => void }) {
  const { view, change, isDeletingFinal } = useLibrary();
  const editing = useEditing(snippet);
  const { fields, unsavedTexts } = editing;
  const [conflict, setConflict] = useState<SaveOutcome>();
  const [isSaving, setIsSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  /** Somebody has deleted the snippet. */
  const [isGone, setIsGone] = useState(false);
  const [isTitleMissing, setIsTitleMissing] = useState(false);
  const title = useRef<HTMLInputElement>(null);
  const [wasInFields] = useState(() => handedOver(snippet.id)?.isWriting === false);
  const takesFocus = useRef(!wasInFields);
  const variation = snippet.variations.find(({ id }) => id === view.variationId) ?? snippet.variations[0];
  useEffect(() => {
    if (wasInFields) title.current?.focus();
    return endHandover;
  }, [wasInFields]);
  useKeptNotice(editing.place, editing.isChanged && !editing.isKept, snippet.title);

  const save = async (how: "stay" | "close") => {
    if (isSaving) return;
    if (how === "close" && !editing.hasUnsaved()) {
      onClose();
      return;
    }
    if (fields.title.trim() === "") {
      setIsTitleMissing(true);
      title.current?.focus();
      return;
    }
    setIsSaving(true);
    setError(undefined);
    try {
      const outcome = await editing.saveAll();
      if (hasConflict(outcome)) {
        setConflict(outcome);
        return;
      }
      setConflict(undefined);
      if (outcome.goneVariationIds.length > 0) return;
      toast(outcome.isJoined ? "Saved and merged with someone else’s changes" : "Saved");
      if (how === "close") onClose();
    } catch (cause) {
      setIsGone(cause instanceof ApiError && cause.code === "snippet_not_found");
      setError(cause);
    } finally {
      setIsSaving(false);
    }
  };
  const restore = async () => {
    setError(undefined);
    setIsGone(false);
    try {
      await callConsole("postLibrarySnippetsRestore", {
        body: { snippetIds: [snippet.id] },
        workspaceId: editing.place.workspaceId,
      });
      await save("stay");
    } catch (cause) {
      setError(cause);
    }
  };

  if (conflict)
    return (
      <Conflict
        outcome={conflict}
        editing={editing}
        onResolved={() => {
          setConflict(undefined);
          void save("close");
        }}
        onClose={() => setConflict(undefined)}
      />
    );
  return (
    <Frame
      title={`Edit ${snippet.title}`}
      isSaving={isSaving}
      isDone={!editing.isChanged}
      status={<SaveStatus isChanged={editing.isChanged} isKept={editing.isKept} />}
      onSave={(how) => void save(how)}
      onClose={onClose}
    >
      <div className="grid gap-3 px-3 py-3 md:px-6">
        {editing.restoredAt !== undefined && <Restored at={editing.restoredAt} onDiscard={editing.discard} />}
        {isGone ? (
          <div role="alert">
            <Notice tone="danger">
              <p>
                Someone deleted this snippet. Your changes are still here
                {isDeletingFinal ? ": copy them before you leave." : "."}
              </p>
              {!isDeletingFinal && (
                <Button size="small" onClick={() => void restore()} className="justify-self-start">
                  Restore it and save
                </Button>
              )}
            </Notice>
          </div>
        ) : (
          <FormError error={error} />
        )}
        {editing.lostTexts.map((id) => (
          <LostText key={id} id={id} editing={editing} />
        ))}
        <TitleField
          ref={title}
          value={fields.title}
          isMissing={isTitleMissing && fields.title.trim() === ""}
          onChange={(next) => editing.changeFields({ title: next })}
        />
        <DetailFields teamId={snippet.team_id} fields={fields} onChange={editing.changeFields} />
      </div>
      {snippet.variations.length > 1 && (
        <div className="flex min-w-0 items-end gap-2 px-3 md:px-6">
          <div className="min-w-0 flex-1">
            <VariationTabs
              isOnLine
              variations={snippet.variations.map((row) => ({
                ...row,
                name: unsavedTexts.has(row.id) ? `${row.name} •` : row.name,
              }))}
              openId={variation?.id ?? ""}
              onOpen={(id) => change({ variationId: id === snippet.variations[0]?.id ? undefined : id }, "replace")}
            />
          </div>
          <VariationsButton snippet={snippet} />
        </div>
      )}
      {variation && (
        <div
          className="flex min-h-0 flex-1 flex-col"
          {...(snippet.variations.length > 1 && {
            role: "tabpanel",
            id: panelId,
            "aria-labelledby": `variation-${variation.id}`,
          })}
        >
          <OpenVariation
            key={`${variation.id} ${editing.generation}`}
            variation={variation}
            editing={editing}
            takesFocus={takesFocus}
          >
            {snippet.variations.length === 1 && <VariationsButton snippet={snippet} />}
          </OpenVariation>
        </div>
      )}
    </Frame>
  );
}

interface OpenVariationProps {
  readonly variation: Variation;
  readonly editing: Editing;
  /** True until a text is open: with another tab, the focus stays on the tabs. */
  readonly takesFocus: { current: boolean };
  /** Beside the language. */
  readonly children: ReactNode;
}

function OpenVariation(props: OpenVariationProps) {
  // Decided once: an editor that begins anew would lose the focus.
  const [isOpen] = useState(() => props.editing.textOf(props.variation.id) !== undefined);
  return isOpen ? (
    <WriteVariation {...props} content="" />
  ) : (
    <VariationContent variation={props.variation}>
      {(content) => <WriteVariation {...props} content={content} />}
    </VariationContent>
  );
}

function WriteVariation({
  variation,
  editing,
  takesFocus,
  content,
  children,
}: OpenVariationProps & {
  /** What is stored, if the text was not opened before. */
  readonly content: string;
}) {
  const open = editing.openText(variation, content);
  useEffect(() => {
    takesFocus.current = false;
  }, [takesFocus]);
  return (
    <TextPane
      key={open.revision}
      initial={open.state}
      contentType={open.type}
      onState={(state, isChanged) => editing.changeText(variation.id, state, isChanged)}
      onType={(type) => editing.changeType(variation.id, type)}
      // A text that was replaced from outside keeps it: what is typed next must not become keys of the page.
      hasFocus={takesFocus.current || isWriting()}
    >
      {children}
    </TextPane>
  );
}

/** Somebody has deleted the variation of an unsaved text. */
function LostText({ id, editing: { place, textOf, dropText } }: { id: string; editing: Editing }) {
  const { change } = useLibrary();
  const text = textOf(id);
  const add = useConsoleMutation("postLibrarySnippetVariations", {
    query: { snippetId: place.snippetId },
    invalidates: ["getLibrarySnippet", "getLibrarySearch"],
    onSuccess: ({ variations: [added] }) => {
      dropText(id);
      if (added) change({ variationId: added.id }, "replace");
    },
  });
  if (!text) return null;
  const content = { type: text.type, content: text.state.sliceDoc() };
  return (
    <div role="alert">
      <Notice tone="warn">
        <p>Someone deleted the variation {quote(text.name)} while you had unsaved changes in it.</p>
        <FormError error={add.error} />
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            isBusy={add.isPending}
            onClick={() => add.mutate({ body: { variations: [{ variationName: text.name, content }] } })}
          >
            Add it back
          </Button>
          <Button size="small" variant="quiet" onClick={() => dropText(id)}>
            Discard my changes
          </Button>
        </div>
      </Notice>
    </div>
  );
}

/** The unsaved changes of an earlier visit are back. */
export const Restored = ({ at, onDiscard }: { at: string; onDiscard: () => void }) => (
  <UnsavedNotice
    text={
      <>
        Your unsaved changes were restored. Last edited <Time at={at} part="relative" />.
      </>
    }
    onDiscard={onDiscard}
  />
);
