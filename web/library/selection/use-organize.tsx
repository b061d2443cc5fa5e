// Moving, tagging, archiving and deleting: the same for the selected snippets of the list and for the open one.
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { pluralize } from "../../components/format.ts";
import { toast, toastError } from "../../components/toast.tsx";
import { useLibrary } from "../library-context.tsx";
import { FolderAndTagPicker } from "../parts.tsx";
import { useActs } from "./use-acts.ts";
import type { SelectedRow } from "./use-selection.ts";

export interface Organize {
  /** The person may change all of them. */
  readonly isAllowed: boolean;
  /** All of them are in the archive: archiving takes them out. */
  readonly isArchived: boolean;
  readonly move: () => void;
  readonly tag: () => void;
  readonly archive: () => void;
  readonly remove: () => void;
  /** To be rendered: what asks for a folder or a tag, or before something final. */
  readonly dialog: ReactNode;
}

/** @param onAct called when something begins; `leaves` says that the snippets are about to leave the list */
export function useOrganize(rows: readonly SelectedRow[], onAct: (leaves: boolean) => void): Organize {
  const { mayWrite, isDeletingFinal } = useLibrary();
  const acts = useActs();
  const [picking, setPicking] = useState<{ what: "move" | "tag"; rows: readonly SelectedRow[] }>();
  const [deleting, setDeleting] = useState<readonly SelectedRow[]>();
  const isArchived = rows.length > 0 && rows.every((row) => row.is_archived);
  const pick = (what: "move" | "tag") => () => {
    if (rows.every(({ team_id }) => team_id === rows[0]?.team_id)) setPicking({ what, rows });
    else toast("Folders and tags belong to a team. Select snippets from one team.", "danger");
  };
  const begin = (act: Promise<void>) => {
    onAct(true);
    act.catch(toastError);
  };
  return {
    isAllowed: rows.length > 0 && rows.every(({ team_id }) => mayWrite(team_id)),
    isArchived,
    move: pick("move"),
    tag: pick("tag"),
    archive: () =>
      begin(
        acts.change(
          rows.map(({ id }) => ({ id, isArchived: !isArchived })),
          (snippets) => (isArchived ? `Unarchived ${snippets}` : `Archived ${snippets}`),
          isArchived ? "Unarchiving snippets" : "Archiving snippets",
        ),
      ),
    // Without a trash there is no way back, so that it asks before.
    remove: () => (isDeletingFinal ? setDeleting(rows) : begin(acts.remove(rows.map(({ id }) => id)))),
    dialog: picking ? (
      <FolderAndTagPicker
        {...picking}
        acts={{ ...acts, change: (...change) => acts.change(...change).then(() => onAct(false)) }}
        onClose={() => setPicking(undefined)}
      />
    ) : (
      deleting && (
        <ConfirmDialog
          open
          onOpenChange={() => setDeleting(undefined)}
          title={`Delete ${pluralize(deleting.length, "snippet")}`}
          confirmLabel={deleting.length === 1 ? "Delete snippet" : "Delete snippets"}
          onConfirm={() => {
            setDeleting(undefined);
            begin(acts.remove(deleting.map(({ id }) => id)));
          }}
        >
          <p>
            All variations and their history will be deleted, too. This instance has no trash, so this cannot be undone.
          </p>
        </ConfirmDialog>
      )
    ),
  };
}
