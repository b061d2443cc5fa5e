// Teams: what snippets belong to, who sees them, and who is in them.
import { useState } from "react";
import { useConsole } from "../api.ts";
import {
  Badge,
  Button,
  Card,
  type Column,
  count,
  DataTable,
  EmptyState,
  Icon,
  Menu,
  PageHeader,
  plural,
  SearchBar,
} from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { teamRoleName } from "./members/member.ts";
import { TeamForm } from "./teams/form.tsx";
import { TeamPeople } from "./teams/people.tsx";
import { searchedFrom, teamsNamed } from "./teams/search.tsx";
import { type Team, visibilityName } from "./teams/team.ts";

type Opened =
  | { readonly window: "make" }
  | { readonly window: "change"; readonly about: Team }
  | { readonly window: "people"; readonly id: string };

const namedInRow = 3;

export default function Teams() {
  const workspace = useWorkspace();
  const teams = useConsole("getTeams");
  const [typed, setTyped] = useState("");
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const all = teams.data?.data;
  // As it stands now: the window goes on while people come and go.
  const shown = opened?.window === "people" ? all?.find(({ id }) => id === opened.id) : undefined;
  const make = workspace.may("teams.create") && (
    <Button variant="primary" onClick={() => setOpened({ window: "make" })}>
      <Icon name="plus" className="size-4" />
      Make a team
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Teams"
        description="Snippets, folders and tags belong to a team. An internal team is seen by every member, a private one only by those in it and by owners and admins."
        actions={make}
      />
      <Card isFlush>
        {all && all.length > searchedFrom && (
          <SearchBar label="Search teams" placeholder="Search by name" value={typed} onChange={setTyped} />
        )}
        <DataTable
          label="Teams"
          columns={columnsOf(setOpened)}
          rows={all && teamsNamed(all, typed)}
          rowKey={({ id }) => id}
          error={teams.error}
          onRetry={() => void teams.refetch()}
          empty={
            all?.length === 0 ? (
              <EmptyState icon="teams" title="No teams yet" action={make}>
                A workspace needs one before its keys can make snippets.
              </EmptyState>
            ) : (
              <EmptyState
                icon="search"
                title="No team matches"
                action={<Button onClick={() => setTyped("")}>Show all teams</Button>}
              />
            )
          }
        />
      </Card>
      {opened?.window === "make" && <TeamForm about={undefined} onClose={close} />}
      {opened?.window === "change" && <TeamForm about={opened.about} onClose={close} />}
      {shown && <TeamPeople about={shown} onClose={close} />}
    </>
  );
}

const columnsOf = (open: (opened: Opened) => void): readonly Column<Team>[] => [
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
          {visibilityName[visibility]}
        </Badge>
      </span>
    ),
  },
  { id: "people", head: "People", className: "max-w-64", cell: peopleOf },
  { id: "own", head: "Your role", cell: ({ own_role }) => (own_role === null ? "–" : teamRoleName[own_role]) },
  { id: "keys", head: "Keys limited to it", align: "end", cell: ({ keys }) => count(keys) },
  {
    id: "snippets",
    head: "Snippets",
    align: "end",
    cell: ({ snippets }) =>
      snippets === null ? <span title="Too many in this workspace to be counted here">Many</span> : count(snippets),
  },
  {
    id: "actions",
    head: "Actions",
    isActions: true,
    cell: (about) =>
      about.is_managed ? (
        <Menu
          label={`Actions for ${about.name}`}
          items={[
            { label: "People", onSelect: () => open({ window: "people", id: about.id }) },
            { label: "Name and visibility", onSelect: () => open({ window: "change", about }) },
          ]}
        />
      ) : (
        <Button
          size="small"
          aria-label={`People in ${about.name}`}
          onClick={() => open({ window: "people", id: about.id })}
        >
          People
        </Button>
      ),
  },
];

function peopleOf({ members }: Team) {
  if (members.length === 0) return <span className="text-quiet">Nobody</span>;
  const named = members.slice(0, namedInRow).map(({ name }) => name);
  return (
    <span className="block min-w-0" title={members.map(({ name }) => name).join(", ")}>
      {plural(members.length, "person", "people")}
      <bdi className="text-quiet block truncate text-xs">
        {named.join(", ")}
        {members.length > namedInRow && ", …"}
      </bdi>
    </span>
  );
}
