// The dialog of an import or an export that is open. Its script is loaded with the first one.
import { createStore } from "../../store.ts";

/** A file, or a file or folder that was dropped. */
export type Given = File | FileSystemEntry;

export type TransferDialog =
  | {
      readonly act: "import";
      /** Dropped already; none if one has to choose them. */
      readonly given: readonly Given[];
      readonly teamId?: string | undefined;
      readonly folderId?: string | undefined;
    }
  | { readonly act: "export"; readonly teamId?: string | undefined };

export const transferDialog = createStore<TransferDialog | undefined>(undefined);
export const openTransfer = (dialog: TransferDialog): void => transferDialog.set(dialog);
export const closeTransfer = (): void => transferDialog.set(undefined);
