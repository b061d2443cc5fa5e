// Members: who works in the workspace, as what, and who is invited.
import { useState } from "react";
import { useConsole, useConsolePages } from "../api.ts";
import {
  Badge,
  Button,
  type Column,
  EmptyState,
  Icon,
  Menu,
  type MenuItem,
  PageHeader,
  SearchedList,
  Time,
  useSearch,
} from "../components/index.ts";
import { usePerson, useWorkspace } from "../workspace.tsx";
import { ChangeRole, RemoveMember } from "./members/change.tsx";
import { Invitations } from "./members/invitations.tsx";
import { Invite, LinkOnce } from "./members/invite.tsx";
import { type Invitation, type Invited, type Member, roleName, teamRoleName } from "./members/member.ts";

/** The window that is open, and what it is about. */
type Opened =
  | { readonly window: "invite"; readonly again?: Invitation }
  | { readonly window: "link"; readonly about: Invited }
  | { readonly window: "role" | "remove"; readonly about: Member };

export default function Members() {
  const workspace = useWorkspace();
  const person = usePerson();
  const search = useSearch();
  const members = useConsolePages("getMembers", { query: { search: search.words } });
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const mayManage = workspace.may("members.manage");
  return (
    <>
      <PageHeader
        title="Members"
        description="Who works in this workspace, and as what. Whatever you change holds for their very next call."
        actions={
          mayManage && (
            <Button variant="primary" onClick={() => setOpened({ window: "invite" })}>
              <Icon name="plus" className="size-4" />
              Invite somebody
            </Button>
          )
        }
      />
      <SearchedList
        noun="member"
        placeholder="Search by name or address"
        search={search}
        pages={members}
        columns={useColumns(person.id, setOpened)}
        rowKey={({ person_id }) => person_id}
        empty={
          <EmptyState icon="members" title="Nobody is a member yet">
            Invite the first owner: they make keys and invite whoever else is needed.
          </EmptyState>
        }
      />
      {mayManage && <Invitations onInviteAgain={(again) => setOpened({ window: "invite", again })} />}
      {opened?.window === "invite" && (
        <Invite again={opened.again} onClose={close} onInvited={(about) => setOpened({ window: "link", about })} />
      )}
      {opened?.window === "link" && <LinkOnce about={opened.about} onClose={close} />}
      {opened?.window === "role" && <ChangeRole about={opened.about} onClose={close} />}
      {opened?.window === "remove" && (
        <RemoveMember about={opened.about} isOneself={opened.about.person_id === person.id} onClose={close} />
      )}
    </>
  );
}

function useColumns(ownId: string, open: (opened: Opened) => void): readonly Column<Member>[] {
  const workspace = useWorkspace();
  const teams = useConsole("getTeams").data?.data;
  const actionsOf = (about: Member): readonly MenuItem[] => {
    const isOneself = about.person_id === ownId;
    const isOwner = about.role === "owner";
    if (!workspace.may("members.manage") || (isOwner && !workspace.may("owners.manage"))) return [];
    return [
      ...(isOneself ? [] : [{ label: "Change role", onSelect: () => open({ window: "role", about }) }]),
      {
        label: isOneself ? "Leave workspace" : "Remove",
        tone: "danger",
        onSelect: () => open({ window: "remove", about }),
      },
    ];
  };
  const teamsOf = (member: Member) => {
    const names = member.teams.flatMap(({ team_id, role }) => {
      const team = teams?.find(({ id }) => id === team_id);
      return team ? [{ id: team_id, text: `${team.name} (${teamRoleName[role].toLowerCase()})` }] : [];
    });
    return <Names names={names} />;
  };
  return [
    {
      id: "name",
      head: "Name",
      isTitle: true,
      cell: (member) => (
        <>
          <span className="flex flex-wrap items-center gap-x-2">
            <bdi className="line-clamp-2 break-words" title={member.name}>
              {member.name}
            </bdi>
            {member.person_id === ownId && <Badge tone="accent">You</Badge>}
          </span>
          <span className="text-quiet block truncate text-xs font-normal" title={member.email}>
            {member.email}
          </span>
        </>
      ),
    },
    { id: "role", head: "Role", cell: ({ role }) => roleName[role] },
    { id: "teams", head: "Teams", className: "max-w-56", cell: teamsOf },
    {
      id: "second",
      head: "Second step",
      cell: ({ has_second_factor }) => (has_second_factor ? <Badge tone="good">On</Badge> : "Off"),
    },
    { id: "joined", head: "Joined", cell: ({ joined_at }) => <Time at={joined_at} part="day" /> },
    {
      id: "seen",
      head: "Last seen",
      cell: ({ last_seen_at }) => (last_seen_at === null ? "Never" : <Time at={last_seen_at} part="relative" />),
    },
    {
      id: "actions",
      head: "Actions",
      isActions: true,
      cell: (member) => {
        const items = actionsOf(member);
        return items.length > 0 && <Menu label={`Actions for ${member.name}`} items={items} />;
      },
    },
  ];
}

const namedInRow = 2;

function Names({ names }: { names: readonly { readonly id: string; readonly text: string }[] }) {
  if (names.length === 0) return <span className="text-quiet">None</span>;
  return (
    <span className="block" title={names.map(({ text }) => text).join(", ")}>
      {names.slice(0, namedInRow).map(({ id, text }) => (
        <bdi key={id} className="block truncate">
          {text}
        </bdi>
      ))}
      {names.length > namedInRow && <span className="text-quiet">and {names.length - namedInRow} more</span>}
    </span>
  );
}
