// The window with everybody who is in a team. Whoever manages the team takes people in and out here.
import { useDeferredValue, useState } from "react";
import { useChange, useConsole } from "../../api.ts";
import {
  Button,
  Dialog,
  FormError,
  Icon,
  IconButton,
  Notice,
  quoted,
  SearchField,
  Select,
  toast,
} from "../../components/index.ts";
import { type TeamRole, teamRoleName } from "../members/member.ts";
import { isTeamRole, TeamRoleOptions } from "../members/team-roles.tsx";
import type { Team } from "./team.ts";

export function TeamPeople({ about, onClose }: { about: Team; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`People in ${quoted(about.name)}`}
      description="Admins manage the team and its keys, editors see its keys, viewers only belong to it."
    >
      {about.members.length === 0 ? (
        <p className="text-quiet">Nobody is in this team yet.</p>
      ) : (
        <ul
          aria-label="People in the team"
          className="border-line divide-line max-h-72 divide-y overflow-y-auto rounded-md border"
        >
          {about.members.map((person) => (
            <Person key={person.person_id} team={about} person={person} />
          ))}
        </ul>
      )}
      {about.is_managed && <TakeIn team={about} />}
    </Dialog>
  );
}

function Person({ team, person }: { team: Team; person: Team["members"][number] }) {
  const query = { teamId: team.id, personId: person.person_id };
  const onError = (error: Error) => toast(error.message, "danger");
  const put = useChange("putTeamMember", { query, onDone: () => toast("Role in the team changed") });
  const remove = useChange("deleteTeamMember", { query, onDone: () => toast("Taken out of the team") });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 sm:flex-nowrap">
      <span className="min-w-0 flex-1 basis-full sm:basis-auto">
        <bdi className="block truncate font-medium" title={person.name}>
          {person.name}
        </bdi>
        <span className="text-quiet block truncate text-xs" title={person.email}>
          {person.email}
        </span>
      </span>
      {team.is_managed ? (
        <>
          <Select
            className="w-32 shrink-0"
            aria-label={`Role of ${person.name}`}
            value={put.isPending ? put.variables.body?.role : person.role}
            onChange={(event) => {
              const role = event.target.value;
              if (isTeamRole(role)) put.mutate({ body: { role } }, { onError });
            }}
          >
            <TeamRoleOptions />
          </Select>
          <IconButton
            label={`Take ${person.name} out of the team`}
            aria-disabled={remove.isPending || undefined}
            onClick={() => {
              if (!remove.isPending) remove.mutate({}, { onError });
            }}
          >
            <Icon name="trash" className="size-4" />
          </IconButton>
        </>
      ) : (
        <span className="text-quiet">{teamRoleName[person.role]}</span>
      )}
    </li>
  );
}

const shownMost = 6;

function TakeIn({ team }: { team: Team }) {
  const [typed, setTyped] = useState("");
  const [role, setRole] = useState<TeamRole>("editor");
  const search = useDeferredValue(typed).trim() || undefined;
  const found = useConsole("getMembers", { query: { search, limit: 50 }, keepsPrevious: true });
  const put = useChange("putTeamMember", {
    query: { teamId: team.id },
    onDone: () => {
      toast("Taken into the team");
      setTyped("");
    },
  });
  const inTeam = new Set(team.members.map(({ person_id }) => person_id));
  const others = found.data?.data.filter(({ person_id }) => !inTeam.has(person_id));
  const shown = others?.slice(0, shownMost) ?? [];
  const isEverybodyIn = search === undefined && others?.length === 0 && found.data?.nextCursor === null;
  if (isEverybodyIn) return <Notice>Every member of the workspace is in this team.</Notice>;
  return (
    <section aria-label="Take somebody in" className="grid min-w-0 gap-2">
      <div className="grid grid-cols-[minmax(0,1fr)_8rem] gap-2">
        <SearchField label="Take somebody in" placeholder="Search members" value={typed} onChange={setTyped} />
        <div className="self-end">
          <Select
            aria-label="As what"
            value={role}
            onChange={(event) => {
              if (isTeamRole(event.target.value)) setRole(event.target.value);
            }}
          >
            <TeamRoleOptions />
          </Select>
        </div>
      </div>
      <ul aria-label="Members who are not in the team" className="grid gap-1">
        {shown.map((member) => (
          <li key={member.person_id} className="flex min-w-0 items-center justify-between gap-3">
            <span className="min-w-0 flex-1">
              <bdi className="block truncate" title={member.name}>
                {member.name}
              </bdi>
              <span className="text-quiet block truncate text-xs" title={member.email}>
                {member.email}
              </span>
            </span>
            <Button
              size="small"
              aria-label={`Take in ${member.name}`}
              isBusy={put.isPending && put.variables.query?.personId === member.person_id}
              onClick={() => put.mutate({ query: { personId: member.person_id }, body: { role } })}
            >
              Take in
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-quiet text-[0.8125rem]">
        {others &&
          (shown.length === 0 ? "Nobody else matches." : others.length > shown.length && "Type to find others.")}
      </p>
      <FormError error={put.error} />
    </section>
  );
}
