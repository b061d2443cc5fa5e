// Teams: the snippets of the workspace belong to them; who sees them and who is in them.
import { useState } from "react";
import { useConsoleQuery } from "../api.ts";
import {
  Badge,
  Button,
  Card,
  type Column,
  CreateButton,
  DataTable,
  EmptyState,
  formatCount,
  Icon,
  Menu,
  PageHeader,
  pluralize,
  SearchBar,
} from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { abilities, teamRoleNames } from "./members/member.ts";
import { DeletedTeams, DeleteTeamDialog } from "./teams/deletion.tsx";
import { TeamForm } from "./teams/form.tsx";
import { filterTeams, unsearchedTeamsMax } from "./teams/search.tsx";
import { type Team, visibilityNames } from "./teams/team.ts";
import { TeamMembersDialog } from "./teams/team-members.tsx";

type OpenDialog =
  | { readonly kind: "create" }
  | { readonly kind: "change" | "delete"; readonly team: Team }
  | { readonly kind: "people"; readonly teamId: string };

const namesMax = 3;

export default function Teams() {
  const workspace = useWorkspace();
  const teams = useConsoleQuery("getTeams");
  const [search, setSearch] = useState("");
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const all = teams.data?.data;
  // Read from the current list: the dialog stays open while members are added and removed.
  const openTeam = dialog?.kind === "people" ? all?.find(({ id }) => id === dialog.teamId) : undefined;
  const createButton = workspace.may("teams.create") && (
    <CreateButton onClick={() => setDialog({ kind: "create" })}>Create team</CreateButton>
  );
  return (
    <>
      <PageHeader
        title="Teams"
        topic="teams"
        description={`Snippets, folders, and tags belong to a team. Every workspace member can see internal teams and who is in them. To read a team’s snippets, members need a role in that team. In all teams, owners and admins can ${abilities.workspace.admin.teams}. Only team members, owners, admins, and operators can see private teams.`}
        actions={createButton}
      />
      <Card isFlush>
        {all && all.length > unsearchedTeamsMax && (
          <SearchBar label="Search teams" placeholder="Search by name" value={search} onChange={setSearch} />
        )}
        <DataTable
          label="Teams"
          columns={columnsOf(setDialog, workspace.may("teams.delete"))}
          rows={all && filterTeams(all, search)}
          rowKey={({ id }) => id}
          error={teams.error}
          onRetry={() => void teams.refetch()}
          empty={
            all?.length === 0 ? (
              <EmptyState icon="teams" title="No teams yet" action={createButton}>
                Create a team, then add snippets to it.
              </EmptyState>
            ) : (
              <EmptyState
                icon="search"
                title="No matching teams"
                action={<Button onClick={() => setSearch("")}>Show all teams</Button>}
              />
            )
          }
        />
      </Card>
      <DeletedTeams />
      {dialog?.kind === "create" && <TeamForm team={undefined} onClose={close} />}
      {dialog?.kind === "change" && <TeamForm team={dialog.team} onClose={close} />}
      {dialog?.kind === "delete" && <DeleteTeamDialog team={dialog.team} onClose={close} />}
      {openTeam && <TeamMembersDialog team={openTeam} onClose={close} />}
    </>
  );
}

const columnsOf = (open: (dialog: OpenDialog) => void, mayDelete: boolean): readonly Column<Team>[] => [
  {
    id: "name",
    head: "Team",
    isTitle: true,
    cell: ({ name, visibility }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <bdi className="line-clamp-2 break-words" title={name}>
          {name}
        </bdi>
        <Badge tone={visibility === "private" ? "accent" : "neutral"}>
          {visibility === "private" && <Icon name="lock" className="size-3" />}
          {visibilityNames[visibility]}
        </Badge>
      </span>
    ),
  },
  { id: "people", head: "Members", className: "max-w-64", cell: renderMembers },
  {
    id: "own",
    head: "Your role",
    cell: ({ own_role }) => (own_role === null ? <span className="text-quiet">None</span> : teamRoleNames[own_role]),
  },
  { id: "keys", head: "Team keys", align: "end", cell: ({ keys }) => formatCount(keys) },
  {
    id: "snippets",
    head: "Snippets",
    align: "end",
    cell: ({ snippets }) =>
      snippets === null ? (
        <span title="Not counted in workspaces with more than 10,000 snippets">Not counted</span>
      ) : (
        formatCount(snippets)
      ),
  },
  {
    id: "actions",
    head: "Actions",
    isActions: true,
    cell: (team) =>
      team.is_managed ? (
        <Menu
          label={`Actions for ${team.name}`}
          items={[
            { label: "Manage members", onSelect: () => open({ kind: "people", teamId: team.id }) },
            { label: "Edit team", onSelect: () => open({ kind: "change", team }) },
            ...(mayDelete
              ? [{ label: "Delete team", tone: "danger" as const, onSelect: () => open({ kind: "delete", team }) }]
              : []),
          ]}
        />
      ) : (
        <Button
          size="small"
          aria-label={`Members of ${team.name}`}
          onClick={() => open({ kind: "people", teamId: team.id })}
        >
          View members
        </Button>
      ),
  },
];

function renderMembers({ members }: Team) {
  if (members.length === 0) return <span className="text-quiet">None</span>;
  const named = members.slice(0, namesMax).map(({ name }) => name);
  return (
    <span className="block min-w-0" title={members.map(({ name }) => name).join(", ")}>
      {pluralize(members.length, "member")}
      <bdi className="text-quiet block truncate text-xs">
        {named.join(", ")}
        {members.length > namesMax && ", …"}
      </bdi>
    </span>
  );
}
