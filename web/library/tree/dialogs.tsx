// The dialogs on folders and tags: create, rename and color, move, merge, delete. Loaded with the first one.
import { type ComponentType, useEffect, useMemo } from "react";
import { useStore } from "../../store.ts";
import type { Tree } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { type Group, groupsOf } from "./group.ts";
import { CreateDialog, EditDialog } from "./group-dialog.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { closeTreeDialog, type TreeDialog, treeDialog } from "./open-dialog.ts";

/** What the dialogs on one folder or tag get. */
export interface GroupDialogProps {
  readonly group: Group;
  /** All of its kind and team. */
  readonly groups: readonly Group[];
}

const dialogs: Record<Exclude<TreeDialog["act"], "create">, ComponentType<GroupDialogProps>> = {
  edit: EditDialog,
  move: MoveDialog,
  merge: MergeDialog,
  delete: DeleteDialog,
};

export default function TreeDialogs() {
  const { tree } = useLibrary();
  const dialog = useStore(treeDialog);
  // One that is open when the page is left does not open again on the next visit.
  useEffect(() => closeTreeDialog, []);
  if (!dialog || !tree) return null;
  if (dialog.act === "create")
    return <CreateDialog {...dialog} teams={tree.teams} groups={groupsOf(tree, dialog.kind)} />;
  return <OnGroup dialog={dialog} tree={tree} />;
}

function OnGroup({ dialog, tree }: { dialog: Exclude<TreeDialog, { act: "create" }>; tree: Tree }) {
  const { kind, id, act } = dialog;
  const all = useMemo(() => groupsOf(tree, kind), [tree, kind]);
  const group = all.find((candidate) => candidate.id === id);
  const isGone = group === undefined;
  useEffect(() => {
    if (isGone) closeTreeDialog();
  }, [isGone]);
  const Dialog = dialogs[act];
  return group && <Dialog group={group} groups={all.filter(({ teamId }) => teamId === group.teamId)} />;
}
