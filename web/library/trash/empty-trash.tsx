// Asks before everything in the trash is deleted for good.
import { useState } from "react";
import { callConsole } from "../../api.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { SelectField } from "../../components/field.tsx";
import { pluralize, quote } from "../../components/format.ts";
import { toast, toastError } from "../../components/toast.tsx";
import { withConfirmation } from "../../confirmation.ts";
import { useWorkspace } from "../../workspace.tsx";
import type { Team } from "../data.ts";
import { withPatience, withProgress } from "../selection/run.ts";
import { useRefresh } from "../selection/use-acts.ts";

interface EmptyTrashProps {
  /** The teams that the person manages. */
  readonly teams: readonly Team[];
  readonly teamId: string | undefined;
  readonly onClose: () => void;
}

export function EmptyTrashDialog({ teams, teamId: givenId, onClose }: EmptyTrashProps) {
  const { id: workspaceId } = useWorkspace();
  const refresh = useRefresh();
  const given = teams.find(({ id }) => id === givenId) ?? (teams.length === 1 ? teams[0] : undefined);
  const [teamId, setTeamId] = useState(given?.id ?? "");
  const name = teams.find(({ id }) => id === teamId)?.name;
  const empty = () =>
    withProgress("Emptying the trash", undefined, async (signal, advance) => {
      let deleted = 0;
      for (const team of teamId === "" ? teams : teams.filter(({ id }) => id === teamId))
        for (let isMore = true; isMore && !signal.aborted; ) {
          const query = { teamId: team.id };
          const { data } = await withPatience(
            () => withConfirmation(() => callConsole("deleteLibraryTrash", { query, workspaceId })),
            signal,
          );
          deleted += data.deletedCount;
          isMore = data.isMore;
          advance(deleted);
        }
      await refresh();
      toast(`Permanently deleted ${pluralize(deleted, "snippet")}`);
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Empty the trash?"
      confirmLabel="Empty trash"
      onConfirm={() => {
        onClose();
        empty().catch(toastError);
      }}
    >
      {teams.length > 1 && (
        <SelectField label="Team" value={teamId} onChange={({ target }) => setTeamId(target.value)}>
          <option value="">All teams that you manage</option>
          {teams.map((team) => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </SelectField>
      )}
      <p>
        Everything in the trash of {name === undefined ? "these teams" : quote(name)} will be permanently deleted,
        including all variations and their history. You can’t undo this.
      </p>
    </ConfirmDialog>
  );
}
