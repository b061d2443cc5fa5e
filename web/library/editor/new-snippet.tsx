// Writes a new snippet.
import { useEffect, useRef, useState } from "react";
import { callConsole, queryClient } from "../../api.ts";
import { FormError, SelectField } from "../../components/field.tsx";
import { Icon } from "../../components/icons.tsx";
import { toast } from "../../components/toast.tsx";
import { noFilters, type View } from "../address.ts";
import { useLibrary } from "../library-context.tsx";
import { pathOfFolder } from "../names.ts";
import { useDraftPlace } from "./draft-notice.tsx";
import { type Fields, readDraft, removeDraft, writeDraft } from "./drafts.ts";
import { Restored } from "./editor.tsx";
import { DetailFields, TitleField } from "./fields.tsx";
import { Frame } from "./frame.tsx";
import { handOver } from "./handover.ts";
import { changedFields, noFields } from "./model.ts";
import { useCreateTags } from "./new-tags.ts";
import { SaveStatus } from "./save-status.tsx";
import { createText } from "./text-editor.tsx";
import { TextPane } from "./text-pane.tsx";
import { useKeptNotice } from "./use-kept-notice.ts";
import { useSettleOnLeave } from "./use-settle-on-leave.ts";

const label = "Text";
const settleMilliseconds = 400;
const nowhere = { hash: "", state: "" };

/** In the team and folder that the list shows, unless the person may not write there. */
function useStart(): { readonly teamId: string | undefined; readonly fields: Fields } {
  const { view, teams, folders, tags } = useLibrary();
  const folder = view.folderId === undefined ? undefined : folders.get(view.folderId);
  const writable = [...teams.values()].filter((team) => team.may_write);
  const wanted = folder?.team_id ?? view.teamId;
  const team = writable.find(({ id }) => id === wanted) ?? writable[0];
  const tagIds = view.tagIds.filter((id) => tags.get(id)?.team_id === team?.id);
  return {
    teamId: team?.id,
    fields: { ...noFields, folderId: folder && folder.team_id === team?.id ? folder.id : null, tagIds },
  };
}

/** Takes away what would keep a new snippet out of the list. */
function showNew(view: View, teamId: string, { folderId, tagIds }: Fields, type: string): Partial<View> {
  const isInPlace =
    (view.teamId ?? teamId) === teamId &&
    (view.folderId ?? folderId) === folderId &&
    view.tagIds.every((id) => tagIds.includes(id));
  return {
    ...(!isInPlace && noFilters),
    shelf: "current",
    query: "",
    authorId: undefined,
    contentType: view.contentType === type ? type : undefined,
  };
}

export function NewSnippet({ onClose }: { onClose: () => void }) {
  const { tree } = useLibrary();
  const [count, setCount] = useState(0);
  if (!tree) return null;
  return <Write key={count} onClose={onClose} onDiscard={() => setCount(count + 1)} />;
}

function Write({ onClose, onDiscard }: { onClose: () => void; onDiscard: () => void }) {
  const { view, teams, change } = useLibrary();
  const place = useDraftPlace(undefined);
  const [draft] = useState(() => readDraft(place));
  const [start] = useState(useStart());
  const writable = [...teams.values()].filter((team) => team.may_write);
  const [teamId, setTeamId] = useState(
    () => (writable.find(({ id }) => id === draft?.teamId) ?? writable.find(({ id }) => id === start.teamId))?.id,
  );
  const [fields, setFields] = useState(draft?.fields?.mine ?? start.fields);
  const [type, setType] = useState(draft?.texts.new?.type ?? "plaintext");
  const [initial] = useState(() => createText(draft?.texts.new?.content ?? "", type, label));
  const state = useRef(initial);
  const [hasText, setHasText] = useState(initial.doc.length > 0);
  const [isKept, setIsKept] = useState(true);
  const [isSaving, setIsSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isTitleMissing, setIsTitleMissing] = useState(false);
  const createTags = useCreateTags();
  const title = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isChanged = hasText || changedFields(start.fields, fields).length > 0;
  const latest = useRef({ fields, type, teamId, isChanged, isDone: false });
  latest.current = { ...latest.current, fields, type, teamId, isChanged };
  useKeptNotice(place, isChanged && !isKept, fields.title);

  const settle = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const now = latest.current;
    const content = state.current.sliceDoc();
    if (now.isDone || (content === "" && changedFields(start.fields, now.fields).length === 0)) {
      removeDraft(place);
      return;
    }
    const kept = writeDraft(place, {
      at: new Date().toISOString(),
      ...(now.teamId !== undefined && { teamId: now.teamId }),
      fields: { mine: now.fields, base: start.fields, state: "" },
      texts: { new: { name: label, type: now.type, content, base: { type: now.type, ...nowhere } } },
    });
    setIsKept(kept);
  };
  const settleSoon = () => {
    timer.current ??= setTimeout(settle, settleMilliseconds);
  };
  useSettleOnLeave(timer, settle);
  useEffect(() => title.current?.focus(), []);

  const changeFields = (changes: Partial<Fields>) => {
    setFields((before) => ({ ...before, ...changes }));
    settleSoon();
  };
  const save = async (how: "stay" | "close") => {
    if (isSaving || teamId === undefined) return;
    if (fields.title.trim() === "") {
      setIsTitleMissing(true);
      title.current?.focus();
      return;
    }
    setIsSaving(true);
    setError(undefined);
    try {
      const tagIds = [...new Set(await createTags(teamId, fields.tagIds))];
      // If the snippet cannot be saved now, its tags are not created again.
      changeFields({ tagIds });
      const { data } = await callConsole("postLibrarySnippet", {
        workspaceId: place.workspaceId,
        body: {
          title: fields.title.trim(),
          teamId,
          content: { type, content: state.current.sliceDoc() },
          note: fields.note || null,
          shortcut: fields.shortcut || null,
          folderId: fields.folderId,
          tagIds,
        },
      });
      latest.current.isDone = true;
      settle();
      for (const name of ["getLibrarySearch", "getLibraryTree"])
        void queryClient.invalidateQueries({ queryKey: [name] });
      toast("Snippet created");
      const mode = how === "stay" ? "edit" : "read";
      if (how === "stay") handOver(data.snippetId, state.current);
      change({ ...showNew(view, teamId, { ...fields, tagIds }, type), snippetId: data.snippetId, mode }, "replace");
    } catch (cause) {
      setError(cause);
    } finally {
      setIsSaving(false);
    }
  };

  return (
    <Frame
      title="New snippet"
      isSaving={isSaving}
      status={<SaveStatus isChanged={isChanged} isKept={isKept} />}
      onSave={(how) => void save(how)}
      onClose={onClose}
    >
      <div className="grid gap-3 px-3 py-3 md:px-6">
        {draft && (
          <Restored
            at={draft.at}
            onDiscard={() => {
              latest.current.isDone = true;
              settle();
              onDiscard();
            }}
          />
        )}
        <FormError error={error} />
        <Target teamId={teamId} folderId={fields.folderId} />
        <TitleField
          ref={title}
          value={fields.title}
          isMissing={isTitleMissing && fields.title.trim() === ""}
          onChange={(next) => changeFields({ title: next })}
        />
        <DetailFields teamId={teamId} fields={fields} onChange={changeFields}>
          {writable.length > 1 && (
            <SelectField
              label="Team"
              value={teamId}
              // Folders and tags belong to a team.
              onChange={({ target }) => {
                setTeamId(target.value);
                changeFields({ folderId: null, tagIds: [] });
              }}
              className="[&>label]:text-quiet gap-1! [&>label]:text-[0.8125rem]"
            >
              {writable.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
        </DetailFields>
      </div>
      <TextPane
        initial={initial}
        contentType={type}
        onType={(next) => {
          setType(next);
          settleSoon();
        }}
        onState={(next, isTyped) => {
          state.current = next;
          if (!isTyped) return;
          setHasText(next.doc.length > 0);
          settleSoon();
        }}
      />
    </Frame>
  );
}

/** Where the snippet will be. */
function Target({ teamId, folderId }: { teamId: string | undefined; folderId: string | null }) {
  const { teams, folders } = useLibrary();
  const team = teamId === undefined ? undefined : teams.get(teamId);
  const path = folderId === null ? [] : pathOfFolder(folders, folderId);
  const names = [...(team ? [team.name] : []), ...path.map(({ folder_name }) => folder_name)];
  return (
    <p className="text-quiet flex min-w-0 items-center gap-1.5 text-[0.8125rem]">
      <Icon name="folder" className="size-4" />
      <span className="min-w-0 wrap-anywhere">
        New snippet in <bdi>{names.join(" / ")}</bdi>
      </span>
    </p>
  );
}
