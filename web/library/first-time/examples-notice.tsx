// Above the list as long as examples are loaded: one click removes them.
import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { pluralize } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { toast, toastError } from "../../components/toast.tsx";
import { readStored, writeStored } from "../../storage.ts";
import type { Team } from "../data.ts";
import { useLibrary } from "../library-context.tsx";

const storageKey = ({ id }: Team) => `commonplace-examples-${id}`;

export function ExamplesNotice() {
  const { tree, view, change } = useLibrary();
  const team = tree?.teams.find((candidate) => candidate.has_examples && candidate.may_manage);
  const [, render] = useState(0);
  const remove = useConsoleMutation("deleteLibraryExamples", {
    onSuccess: ({ removedCount, keptCount }) => {
      const kept = keptCount === 0 ? "" : `. Kept ${pluralize(keptCount, "example")} that you or your team edited.`;
      toast(`Removed ${pluralize(removedCount, "example")}${kept}`);
    },
  });
  if (!team || view.shelf !== "current" || readStored(storageKey(team)) === "kept") return null;
  return (
    <div className="bg-accent-soft flex items-center gap-1 py-1 pr-1.5 pl-4 text-[0.8125rem]">
      <p className="min-w-0 flex-1 truncate">Example snippets</p>
      <Button
        size="small"
        variant="quiet"
        isBusy={remove.isPending}
        onClick={() => {
          change({ snippetId: undefined, folderId: undefined, tagIds: [], mode: "read" }, "replace");
          remove.mutate({ query: { teamId: team.id } }, { onError: toastError });
        }}
      >
        Remove examples
      </Button>
      <IconButton
        label="Keep examples"
        onClick={() => {
          writeStored(storageKey(team), "kept");
          render((count) => count + 1);
        }}
      >
        <Icon name="close" className="size-4" />
      </IconButton>
    </div>
  );
}
