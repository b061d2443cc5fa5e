// The dialog that creates invitations.
import { useState } from "react";
import { useConsoleQuery, useCustomMutation } from "../../api.ts";
import { FormDialog, RadioGroup, TextareaField, TextField } from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import { type Invitation, type Role, roleOptionsFor, type TeamRole } from "./member.ts";
import { addressesError, type InviteOutcome, readAddresses, sendInvitations } from "./send-invitations.ts";
import { TeamRolesField } from "./team-roles.tsx";

interface InviteProps {
  /** An earlier invitation, which the new one replaces. */
  readonly earlier: Invitation | undefined;
  readonly onClose: () => void;
  readonly onInvited: (outcome: InviteOutcome) => void;
}

interface Sending {
  readonly bodies: Parameters<typeof sendInvitations>[1];
  readonly outcomes: Parameters<typeof sendInvitations>[2];
}

export function InviteDialog({ earlier, onClose, onInvited }: InviteProps) {
  const workspace = useWorkspace();
  const teams = useConsoleQuery("getTeams").data?.data ?? [];
  const [text, setText] = useState(earlier?.email ?? "");
  const [role, setRole] = useState<Role>(earlier?.role ?? "member");
  const [teamRoles, setTeamRoles] = useState<ReadonlyMap<string, TeamRole>>(
    new Map(earlier?.teams.map((team) => [team.team_id, team.role])),
  );
  const [isSubmitted, setIsSubmitted] = useState(false);
  const addresses = readAddresses(text);
  const error = addressesError(addresses);
  const invite = useCustomMutation(
    ({ bodies, outcomes }: Sending) => sendInvitations(workspace.id, bodies, outcomes),
    onInvited,
  );
  const submit = () => {
    setIsSubmitted(true);
    if (error !== undefined) return;
    const chosenTeams = [...teamRoles].map(([teamId, teamRole]) => ({ teamId, role: teamRole }));
    invite.mutate({ bodies: addresses.map((email) => ({ email, role, teams: chosenTeams })), outcomes: new Map() });
  };
  return (
    <FormDialog
      title={earlier ? "Invite again" : "Invite member"}
      description={
        addresses.length > 1
          ? "Each invitation works once and expires in 7 days."
          : "The invitation works once and expires in 7 days."
      }
      submitLabel={addresses.length > 1 ? `Create ${addresses.length} invitations` : "Create invitation"}
      noValidate
      isBusy={invite.isPending}
      error={invite.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {earlier ? (
        <TextField
          label="Email address"
          type="email"
          value={text}
          readOnly
          hint="The previous link will stop working."
        />
      ) : (
        <TextareaField
          label="Email addresses"
          rows={2}
          autoComplete="off"
          spellCheck={false}
          placeholder="ada@example.com"
          value={text}
          onChange={(event) => setText(event.target.value)}
          hint="Separate several addresses with commas, spaces, or line breaks. All get the same role and teams."
          error={isSubmitted ? error : undefined}
        />
      )}
      <RadioGroup
        legend="Workspace role"
        name="role"
        value={role}
        onChange={setRole}
        options={roleOptionsFor(workspace.may("owners.manage"))}
      />
      <TeamRolesField teams={teams} value={teamRoles} onChange={setTeamRoles} />
    </FormDialog>
  );
}
