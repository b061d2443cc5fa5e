// Moving, tagging, archiving and deleting: the same for the selected snippets of the list and for the open one.
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { pluralize, quote } from "../../components/format.ts";
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
  /** Copies the first of them. */
  readonly duplicate: () => void;
  readonly remove: () => void;
  /** To be rendered: what asks for a folder or a tag, or before something final. */
  readonly dialog: ReactNode;
}

/** What has begun: removed and archived snippets are about to leave the list. */
export type BegunAct = "remove" | "archive" | "other";

export function useOrganize(rows: readonly SelectedRow[], onAct: (what: BegunAct) => void): Organize {
  const { mayWrite, isDeletingFinal } = useLibrary();
  const acts = useActs();
  const [picking, setPicking] = useState<{ what: "move" | "tag"; rows: readonly SelectedRow[] }>();
  const [deleting, setDeleting] = useState<readonly SelectedRow[]>();
  const isArchived = rows.length > 0 && rows.every((row) => row.is_archived);
  const pick = (what: "move" | "tag") => () => {
    if (rows.every(({ team_id }) => team_id === rows[0]?.team_id)) setPicking({ what, rows });
    else toast("Folders and tags belong to a team. Select snippets from a single team.", "danger");
  };
  const begin = (what: BegunAct, act: Promise<void>) => {
    onAct(what);
    act.catch(toastError);
  };
  const remove = (removed: readonly SelectedRow[]) => begin("remove", acts.remove(removed));
  return {
    isAllowed: rows.length > 0 && rows.every(({ team_id }) => mayWrite(team_id)),
    isArchived,
    move: pick("move"),
    tag: pick("tag"),
    archive: () =>
      begin(
        "archive",
        acts.change(
          rows,
          { isArchived: !isArchived },
          (snippets) => (isArchived ? `Unarchived ${snippets}` : `Archived ${snippets}`),
          isArchived ? "Unarchiving snippets" : "Archiving snippets",
        ),
      ),
    duplicate: () => {
      const [row] = rows;
      if (row) acts.duplicate(row).catch(toastError);
    },
    // Without a trash there is no way back, so that it asks before.
    remove: () => (isDeletingFinal ? setDeleting(rows) : remove(rows)),
    dialog: picking ? (
      <FolderAndTagPicker
        {...picking}
        acts={{ ...acts, change: (...change) => acts.change(...change).then(() => onAct("other")) }}
        onClose={() => setPicking(undefined)}
      />
    ) : (
      deleting && (
        <ConfirmDialog
          open
          onOpenChange={() => setDeleting(undefined)}
          title={`Delete ${deleting.length === 1 && deleting[0] ? quote(deleting[0].title) : pluralize(deleting.length, "snippet")}?`}
          confirmLabel={deleting.length === 1 ? "Delete snippet" : "Delete snippets"}
          onConfirm={() => {
            setDeleting(undefined);
            remove(deleting);
          }}
        >
          <p>
            All variations and their history will be deleted, too. This instance has no trash, so you can’t undo this.
          </p>
        </ConfirmDialog>
      )
    ),
  };
}
