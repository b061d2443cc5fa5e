// The members of the workspace with their roles, and the open invitations.
import { useState } from "react";
import { useConsolePages, useConsoleQuery } from "../api.ts";
import {
  Badge,
  type Column,
  CreateButton,
  EmptyState,
  Menu,
  type MenuItem,
  PageHeader,
  SearchableList,
  Time,
  useSearch,
} from "../components/index.ts";
import { usePerson, useWorkspace } from "../workspace.tsx";
import { ChangeRole, RemoveMember } from "./members/change.tsx";
import { Invitations } from "./members/invitations.tsx";
import { InviteDialog } from "./members/invite.tsx";
import { InvitedDialog } from "./members/invited.tsx";
import { type Invitation, type Member, roleNames, teamRoleNames } from "./members/member.ts";
import type { InviteOutcome } from "./members/send-invitations.ts";

/** The open dialog and its subject. */
type OpenDialog =
  | { readonly kind: "invite"; readonly earlier?: Invitation }
  | { readonly kind: "invited"; readonly outcome: InviteOutcome }
  | { readonly kind: "role" | "remove"; readonly member: Member };

export default function Members() {
  const workspace = useWorkspace();
  const person = usePerson();
  const search = useSearch();
  const members = useConsolePages("getMembers", { query: { search: search.term } });
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const mayManage = workspace.may("members.manage");
  return (
    <>
      <PageHeader
        title="Members"
        topic="members"
        description="People with access to this workspace. Changes apply immediately."
        actions={mayManage && <CreateButton onClick={() => setDialog({ kind: "invite" })}>Invite member</CreateButton>}
      />
      <SearchableList
        noun="member"
        placeholder="Search by name or email"
        search={search}
        pages={members}
        columns={useColumns(person.id, setDialog)}
        rowKey={({ person_id }) => person_id}
        empty={
          <EmptyState icon="members" title="No members yet">
            Invite the first owner. They can create API keys and invite others.
          </EmptyState>
        }
      />
      {mayManage && <Invitations onInviteAgain={(earlier) => setDialog({ kind: "invite", earlier })} />}
      {dialog?.kind === "invite" && (
        <InviteDialog
          earlier={dialog.earlier}
          onClose={close}
          onInvited={(outcome) => setDialog({ kind: "invited", outcome })}
        />
      )}
      {dialog?.kind === "invited" && <InvitedDialog outcome={dialog.outcome} onClose={close} />}
      {dialog?.kind === "role" && <ChangeRole member={dialog.member} onClose={close} />}
      {dialog?.kind === "remove" && (
        <RemoveMember member={dialog.member} isSelf={dialog.member.person_id === person.id} onClose={close} />
      )}
    </>
  );
}

function useColumns(ownId: string, open: (dialog: OpenDialog) => void): readonly Column<Member>[] {
  const workspace = useWorkspace();
  const teams = useConsoleQuery("getTeams").data?.data;
  const actionsOf = (member: Member): readonly MenuItem[] => {
    const isSelf = member.person_id === ownId;
    const isOwner = member.role === "owner";
    if (!workspace.may("members.manage") || (isOwner && !workspace.may("owners.manage"))) return [];
    return [
      ...(isSelf ? [] : [{ label: "Change role", onSelect: () => open({ kind: "role", member }) }]),
      {
        label: isSelf ? "Leave workspace" : "Remove",
        tone: "danger",
        onSelect: () => open({ kind: "remove", member }),
      },
    ];
  };
  const teamsOf = (member: Member) => {
    const names = member.teams.flatMap(({ team_id, role }) => {
      const team = teams?.find(({ id }) => id === team_id);
      return team ? [{ id: team_id, text: `${team.name} (${teamRoleNames[role].toLowerCase()})` }] : [];
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
          {member.meets_sign_in_policy === false && <Badge tone="warn">Doesn’t meet the sign-in policy</Badge>}
        </>
      ),
    },
    { id: "role", head: "Role", cell: ({ role }) => roleNames[role] },
    { id: "teams", head: "Teams", className: "max-w-56", cell: teamsOf },
    {
      id: "second",
      head: "Two-factor",
      cell: ({ has_second_factor }) => (has_second_factor ? <Badge tone="good">On</Badge> : "Off"),
    },
    { id: "joined", head: "Joined", cell: ({ joined_at }) => <Time at={joined_at} part="day" /> },
    {
      id: "seen",
      head: "Last seen",
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? (
          "Never"
        ) : (
          <Time at={last_seen_at} part="relative" className="inline-block first-letter:uppercase" />
        ),
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

const namesMax = 2;

function Names({ names }: { names: readonly { readonly id: string; readonly text: string }[] }) {
  if (names.length === 0) return <span className="text-quiet">None</span>;
  return (
    <span className="block" title={names.map(({ text }) => text).join(", ")}>
      {names.slice(0, namesMax).map(({ id, text }) => (
        <bdi key={id} className="block truncate">
          {text}
        </bdi>
      ))}
      {names.length > namesMax && <span className="text-quiet">and {names.length - namesMax} more</span>}
    </span>
  );
}
