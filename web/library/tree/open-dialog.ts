// The dialog on folders and tags that is open. Its script is loaded with the first one.
import { createStore } from "../../store.ts";

/** Folders and tags have the same dialogs. */
export type GroupKind = "folder" | "tag";

export type TreeDialog =
  /** Without a team, the dialog asks for it where there are several. */
  | {
      readonly act: "create";
      readonly kind: GroupKind;
      readonly teamId?: string | undefined;
      readonly parentId?: string;
    }
  | { readonly act: "edit" | "move" | "delete"; readonly kind: GroupKind; readonly id: string }
  | { readonly act: "merge"; readonly kind: "tag"; readonly id: string };

export const treeDialog = createStore<TreeDialog | undefined>(undefined);
export const openTreeDialog = (dialog: TreeDialog): void => treeDialog.set(dialog);
export const closeTreeDialog = (): void => treeDialog.set(undefined);
