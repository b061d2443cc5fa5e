// Merges a tag into another one: first the choice, then what will happen.
import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { pluralize, quote } from "../../components/format.ts";
import { toast } from "../../components/toast.tsx";
import { useLibrary } from "../library-context.tsx";
import { ChoiceDialog } from "../palette/choice-dialog.tsx";
import { useRefresh } from "../selection/use-acts.ts";
import { useGroupChoices } from "./choices.tsx";
import type { GroupDialogProps } from "./dialogs.tsx";
import { closeTreeDialog } from "./open-dialog.ts";

export function MergeDialog({ group, groups }: GroupDialogProps) {
  const { view, change } = useLibrary();
  const refresh = useRefresh();
  const [query, setQuery] = useState("");
  const [isChoosing, setIsChoosing] = useState(true);
  const [intoId, setIntoId] = useState<string>();
  const into = groups.find(({ id }) => id === intoId);
  const merge = useConsoleMutation("postLibraryTagMerge", {
    invalidates: [],
    onSuccess: ({ snippetCount }) => {
      const merged = `Merged ${quote(group.name)} into ${quote(into?.name ?? "")}`;
      toast(snippetCount === 0 ? merged : `${merged}. Updated ${pluralize(snippetCount, "snippet")}.`);
      closeTreeDialog();
      void refresh();
    },
  });
  const mergeInto = (intoTagId: string) => {
    const { tagIds } = view;
    // As in the deletion: the address must not name a tag that is gone.
    if (tagIds.includes(group.id))
      change({ tagIds: [...new Set(tagIds.map((id) => (id === group.id ? intoTagId : id)))] }, "replace");
    merge.mutate({ body: { tagId: group.id, intoTagId } }, { onError: () => change({ tagIds }, "replace") });
  };
  const others = groups.filter(({ id }) => id !== group.id);
  const choices = useGroupChoices(others, query).map((choice) => ({ ...choice, onPick: () => setIntoId(choice.key) }));
  if (isChoosing)
    return (
      <ChoiceDialog
        title={`Merge ${quote(group.name)} into another tag`}
        placeholder={`Merge ${quote(group.name)} into another tag`}
        query={query}
        onQuery={setQuery}
        groups={[{ name: "", choices }]}
        empty={others.length === 0 ? "This team has no other tags." : "No matching tags."}
        onClose={(picked) => (picked ? setIsChoosing(false) : closeTreeDialog())}
      />
    );
  return (
    into && (
      <ConfirmDialog
        open
        onOpenChange={closeTreeDialog}
        title={`Merge ${quote(group.name)} into ${quote(into.name)}?`}
        confirmLabel="Merge tags"
        isBusy={merge.isPending}
        error={merge.error}
        onConfirm={() => mergeInto(into.id)}
      >
        <p>
          {group.snippetCount === 0
            ? `No snippets have the tag ${quote(group.name)}. Merging deletes it.`
            : `This replaces ${quote(group.name)} with ${quote(into.name)} on ${pluralize(group.snippetCount, "snippet")} and deletes ${quote(group.name)}.`}{" "}
          You can’t undo this.
        </p>
      </ConfirmDialog>
    )
  );
}
