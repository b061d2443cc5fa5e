// Where a folder or a tag is moved, chosen by typing: what dragging does, for the keyboard and for phones.
import { useState } from "react";
import { quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { toastError } from "../../components/toast.tsx";
import { useLibrary } from "../library-context.tsx";
import { type Choice, ChoiceDialog } from "../palette/choice-dialog.tsx";
import { useGroupChoices } from "./choices.tsx";
import type { GroupDialogProps } from "./dialogs.tsx";
import { idsWithin } from "./group.ts";
import { closeTreeDialog } from "./open-dialog.ts";
import { useNest } from "./use-tree-drop.ts";

export function MoveDialog({ group, groups }: GroupDialogProps) {
  const { folders, tags } = useLibrary();
  const nest = useNest();
  const [query, setQuery] = useState("");
  const { kind, id, name, parentId } = group;
  const moveTo = (target: string | null) => () => {
    const [folder, tag] = [folders.get(id), tags.get(id)];
    const what = kind === "folder" ? folder && { kind, folder } : tag && { kind, tag };
    if (what && target !== parentId) void nest(what, target).catch(toastError);
  };
  const own = idsWithin(groups, id);
  const outside = groups.filter((candidate) => !own.has(candidate.id));
  const choices: Choice[] = useGroupChoices(outside, query).map((choice) => ({
    ...choice,
    isChecked: choice.key === parentId,
    onPick: moveTo(choice.key),
  }));
  if (query.trim() === "")
    choices.unshift({
      key: "top",
      label: "Top level",
      lead: <Icon name="arrow" className="size-4 -rotate-90" />,
      isChecked: parentId === null,
      onPick: moveTo(null),
    });
  return (
    <ChoiceDialog
      title={`Move ${kind} ${quote(name)}`}
      placeholder={`Move ${kind} ${quote(name)}`}
      query={query}
      onQuery={setQuery}
      groups={[{ name: "", choices }]}
      empty={`No matching ${kind}s.`}
      onClose={closeTreeDialog}
    />
  );
}
