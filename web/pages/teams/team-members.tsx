// The dialog with the members of a team, where those who manage it add and remove people.
import { useDeferredValue, useId, useState } from "react";
import { useConsoleMutation, useConsoleQuery } from "../../api.ts";
import {
  Button,
  classNames,
  Dialog,
  FormError,
  Icon,
  IconButton,
  Notice,
  quote,
  SearchField,
  Select,
  toast,
  toastError,
} from "../../components/index.ts";
import { type TeamRole, teamRoleNames } from "../members/member.ts";
import { isTeamRole, TeamRoleHints, TeamRoleOptions } from "../members/team-roles.tsx";
import type { Team } from "./team.ts";

export function TeamMembersDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const hintsId = useId();
  return (
    <Dialog open onOpenChange={onClose} title={`Members of ${quote(team.name)}`}>
      <TeamRoleHints id={hintsId} />
      {team.members.length === 0 ? (
        <p className="text-quiet">No members yet.</p>
      ) : (
        <ul
          aria-label="Team members"
          className="border-line divide-line max-h-72 divide-y overflow-y-auto rounded-md border"
        >
          {team.members.map((person) => (
            <TeamMember key={person.person_id} team={team} member={person} hintsId={hintsId} />
          ))}
        </ul>
      )}
      {team.is_managed && <AddMember team={team} hintsId={hintsId} />}
    </Dialog>
  );
}

interface TeamMemberProps {
  readonly team: Team;
  readonly member: Team["members"][number];
  /** The element that explains the roles. */
  readonly hintsId: string;
}

function TeamMember({ team, member, hintsId }: TeamMemberProps) {
  const query = { teamId: team.id, personId: member.person_id };
  const put = useConsoleMutation("putTeamMember", { query, onSuccess: () => toast("Team role changed") });
  const remove = useConsoleMutation("deleteTeamMember", { query, onSuccess: () => toast("Removed from team") });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 sm:flex-nowrap">
      <NameAndEmail member={member} className="basis-full font-medium sm:basis-auto" />
      {team.is_managed ? (
        <>
          <Select
            className="w-32 shrink-0"
            aria-label={`Team role for ${member.name}`}
            aria-describedby={hintsId}
            value={put.isPending ? put.variables.body?.role : member.role}
            onChange={(event) => {
              const role = event.target.value;
              if (isTeamRole(role)) put.mutate({ body: { role } }, { onError: toastError });
            }}
          >
            <TeamRoleOptions />
          </Select>
          <IconButton
            label={`Remove ${member.name} from team`}
            aria-disabled={remove.isPending || undefined}
            onClick={() => {
              if (!remove.isPending) remove.mutate({}, { onError: toastError });
            }}
          >
            <Icon name="trash" className="size-4" />
          </IconButton>
        </>
      ) : (
        <span className="text-quiet">{teamRoleNames[member.role]}</span>
      )}
    </li>
  );
}

const NameAndEmail = ({
  member: { name, email },
  className,
}: {
  member: { readonly name: string; readonly email: string };
  className?: string;
}) => (
  <span className={classNames("min-w-0 flex-1", className)}>
    <bdi className="block truncate" title={name}>
      {name}
    </bdi>
    <span className="text-quiet block truncate text-xs font-normal" title={email}>
      {email}
    </span>
  </span>
);

const suggestionsMax = 6;

function AddMember({ team, hintsId }: Pick<TeamMemberProps, "team" | "hintsId">) {
  const [text, setText] = useState("");
  const [role, setRole] = useState<TeamRole>("editor");
  const search = useDeferredValue(text).trim() || undefined;
  const members = useConsoleQuery("getMembers", { query: { search, limit: 50 }, keepsPreviousData: true });
  const add = useConsoleMutation("putTeamMember", {
    query: { teamId: team.id },
    onSuccess: () => {
      toast("Added to team");
      setText("");
    },
  });
  const memberIds = new Set(team.members.map(({ person_id }) => person_id));
  const others = members.data?.data.filter(({ person_id }) => !memberIds.has(person_id));
  const suggestions = others?.slice(0, suggestionsMax) ?? [];
  const hasEveryMember = search === undefined && others?.length === 0 && members.data?.nextCursor === null;
  if (hasEveryMember) return <Notice>Every workspace member is in this team.</Notice>;
  return (
    <section aria-label="Add member" className="grid min-w-0 gap-2">
      <div className="grid grid-cols-[minmax(0,1fr)_8rem] gap-2">
        <SearchField label="Add member" placeholder="Search members" value={text} onChange={setText} />
        <div className="self-end">
          <Select
            aria-label="Team role"
            aria-describedby={hintsId}
            value={role}
            onChange={(event) => {
              if (isTeamRole(event.target.value)) setRole(event.target.value);
            }}
          >
            <TeamRoleOptions />
          </Select>
        </div>
      </div>
      <ul aria-label="Workspace members to add" className="grid gap-1">
        {suggestions.map((member) => (
          <li key={member.person_id} className="flex min-w-0 items-center justify-between gap-3">
            <NameAndEmail member={member} />
            <Button
              size="small"
              aria-label={`Add ${member.name}`}
              isBusy={add.isPending && add.variables.query?.personId === member.person_id}
              onClick={() => add.mutate({ query: { personId: member.person_id }, body: { role } })}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-quiet text-[0.8125rem]">
        {others &&
          (suggestions.length === 0
            ? "No matching members."
            : others.length > suggestions.length && "Search to find more.")}
      </p>
      <FormError error={add.error} />
    </section>
  );
}
