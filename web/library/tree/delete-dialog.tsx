// Deletes a folder or a tag, after it has said what happens to the snippets in it.
import { useConsoleMutation } from "../../api.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { pluralize, quote } from "../../components/format.ts";
import { toast } from "../../components/toast.tsx";
import { useLibrary } from "../library-context.tsx";
import { useRefresh } from "../selection/use-acts.ts";
import type { GroupDialogProps } from "./dialogs.tsx";
import type { Group } from "./group.ts";
import { closeTreeDialog } from "./open-dialog.ts";

export function DeleteDialog({ group, groups }: GroupDialogProps) {
  const { view, change } = useLibrary();
  const refresh = useRefresh();
  const { kind, id, name } = group;
  const options = {
    invalidates: [],
    onSuccess: () => {
      toast(`Deleted ${kind} ${quote(name)}`);
      closeTreeDialog();
      void refresh();
    },
  } as const;
  const deleteFolder = useConsoleMutation("deleteLibraryFolder", options);
  const deleteTag = useConsoleMutation("deleteLibraryTag", options);
  const { error, isPending } = kind === "folder" ? deleteFolder : deleteTag;
  const remove = () => {
    const { folderId, teamId, tagIds } = view;
    // The live stream may report the deletion before its response arrives; the address must not name the group by then.
    if (folderId === id) change({ folderId: undefined, teamId: group.teamId }, "replace");
    if (tagIds.includes(id)) change({ tagIds: tagIds.filter((tagId) => tagId !== id) }, "replace");
    const onError = () => change({ folderId, teamId, tagIds }, "replace");
    if (kind === "folder") deleteFolder.mutate({ query: { folderId: id } }, { onError });
    else deleteTag.mutate({ query: { tagId: id } }, { onError });
  };
  const innerCount = groups.filter(({ parentId }) => parentId === id).length;
  return (
    <ConfirmDialog
      open
      onOpenChange={closeTreeDialog}
      title={`Delete ${kind} ${quote(name)}?`}
      confirmLabel={`Delete ${kind}`}
      isBusy={isPending}
      error={error}
      onConfirm={remove}
    >
      <p>{describeSnippets(group)}</p>
      {innerCount > 0 && (
        <p>
          {pluralize(innerCount, kind)} inside it {innerCount === 1 ? "moves" : "move"} to the top level.
        </p>
      )}
      <p>You can’t undo this.</p>
    </ConfirmDialog>
  );
}

function describeSnippets({ kind, snippetCount }: Group): string {
  if (snippetCount === 0) return kind === "folder" ? "This folder has no snippets." : "No snippets have this tag.";
  const snippets = pluralize(snippetCount, "snippet");
  if (kind === "tag") return `This removes the tag from ${snippets}. No snippets are deleted.`;
  return `This moves ${snippets} out of the folder. No snippets are deleted.`;
}
