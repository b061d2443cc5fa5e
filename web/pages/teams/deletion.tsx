// Deleting a team, and the deleted teams that can still be restored.
import { useState } from "react";
import { type DataOf, downloadPath, useConsoleMutation, useConsoleQuery } from "../../api.ts";
import {
  Button,
  Card,
  Checkbox,
  type Column,
  DataTable,
  FormDialog,
  formatCount,
  Loaded,
  pluralize,
  quote,
  TextField,
  Time,
  toast,
  toastError,
} from "../../components/index.ts";
import { confirmed } from "../../confirmation.ts";
import { limits } from "../../limits.ts";
import { useSession, useWorkspace } from "../../workspace.tsx";
import type { Team } from "./team.ts";

export function DeleteTeamDialog({ team: { id, name }, onClose }: { team: Team; onClose: () => void }) {
  const workspace = useWorkspace();
  const [typed, setTyped] = useState("");
  const [isExported, setIsExported] = useState(true);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isRight = typed.trim() === name.trim();
  const remove = useConsoleMutation("deleteTeam", {
    query: { teamId: id },
    onSuccess: () => {
      toast("Team deleted");
      // Nobody can change the team any more, so the export has everything that was deleted.
      if (isExported) location.assign(downloadPath("getTeamExport", workspace.id, { teamId: id }));
      onClose();
    },
  });
  // Not read again once the team is deleted: then it is not found.
  const contents = useConsoleQuery("getTeamContents", { query: { teamId: id }, isEnabled: remove.isIdle });
  const submit = () => {
    setIsSubmitted(true);
    if (isRight) remove.mutate({ body: { name } });
  };
  return (
    <FormDialog
      title={`Delete ${quote(name)}?`}
      description={`API keys and members lose access immediately. Owners and admins can restore the team within ${limits.graceDays} days.`}
      submitLabel="Delete team"
      tone="danger"
      noValidate
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Loaded query={contents}>{({ data }) => <Contents contents={data} />}</Loaded>
      <TextField
        label="Enter the name of the team to confirm"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={isSubmitted && !isRight ? `Enter ${quote(name)}.` : undefined}
      />
      <Checkbox
        label="Download an export of the team"
        checked={isExported}
        onChange={(event) => setIsExported(event.target.checked)}
      />
    </FormDialog>
  );
}

const numberOf = (count: number, noun: string): string =>
  count >= limits.teamCountMax ? `${formatCount(limits.teamCountMax)} or more ${noun}s` : pluralize(count, noun);

function Contents({
  contents: { snippets, trashed_snippets, folders, tags, members, keys, removal_at },
}: {
  contents: DataOf<"getTeamContents">;
}) {
  return (
    <div className="grid gap-1">
      <p>
        On <Time at={removal_at} part="day" />, everything in the team will be permanently removed:
      </p>
      <ul className="list-disc pl-5">
        <li>{numberOf(snippets, "snippet")}</li>
        <li>{numberOf(trashed_snippets, "snippet")} in the trash</li>
        <li>
          {numberOf(folders, "folder")} and {numberOf(tags, "tag")}
        </li>
      </ul>
      <p>
        The team has {numberOf(members, "member")} and {pluralize(keys, "team key")}.
      </p>
    </div>
  );
}

type DeletedTeam = DataOf<"getDeletedTeams">[number];

/** The teams that can be restored; nothing where there are none. */
export function DeletedTeams() {
  const workspace = useWorkspace();
  const { confirmed_until } = useSession();
  const mayRestore = workspace.may("teams.delete");
  const deleted = useConsoleQuery("getDeletedTeams", { isEnabled: mayRestore });
  const restore = useConsoleMutation("postTeamRestoration", { onSuccess: () => toast("Team restored") });
  const download = async (teamId: string) => {
    if (await confirmed(confirmed_until)) location.assign(downloadPath("getTeamExport", workspace.id, { teamId }));
  };
  if (!mayRestore || !deleted.data || deleted.data.data.length === 0) return null;
  const columns: readonly Column<DeletedTeam>[] = [
    {
      id: "name",
      head: "Team",
      isTitle: true,
      cell: ({ name }) => (
        <bdi className="line-clamp-2 break-words" title={name}>
          {name}
        </bdi>
      ),
    },
    { id: "deleted", head: "Deleted", cell: ({ deleted_at }) => <Time at={deleted_at} part="relative" /> },
    { id: "removal", head: "Removal date", cell: ({ removal_at }) => <Time at={removal_at} part="day" /> },
    {
      id: "actions",
      head: "Actions",
      isActions: true,
      cell: ({ id, name }) => (
        <span className="flex justify-end gap-2">
          <Button size="small" aria-label={`Export ${name}`} onClick={() => void download(id)}>
            Export
          </Button>
          <Button
            size="small"
            aria-label={`Restore ${name}`}
            isBusy={restore.isPending && restore.variables.query?.teamId === id}
            onClick={() => restore.mutate({ query: { teamId: id } }, { onError: toastError })}
          >
            Restore
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Card
      title="Deleted teams"
      description="Until a team is removed, you can restore it with everything in it."
      isFlush
      className="mt-6"
    >
      <DataTable
        label="Deleted teams"
        columns={columns}
        rows={deleted.data.data}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Card>
  );
}
