// The dialogs that create an invitation and show its link.
import { useState } from "react";
import { useConsoleMutation, useConsoleQuery, useForgetSecrets } from "../../api.ts";
import {
  Button,
  CodeBlock,
  Dialog,
  DialogActions,
  FormDialog,
  formatMoment,
  Notice,
  RadioGroup,
  TextField,
} from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { useWorkspace } from "../../workspace.tsx";
import { type CreatedInvitation, type Invitation, type Role, roleOptionsFor, type TeamRole } from "./member.ts";
import { TeamRolesField } from "./team-roles.tsx";

interface InviteProps {
  /** An earlier invitation, which the new one replaces. */
  readonly earlier: Invitation | undefined;
  readonly onClose: () => void;
  readonly onInvited: (invited: CreatedInvitation) => void;
}

export function InviteDialog({ earlier, onClose, onInvited }: InviteProps) {
  const workspace = useWorkspace();
  const teams = useConsoleQuery("getTeams").data?.data ?? [];
  const [email, setEmail] = useState(earlier?.email ?? "");
  const [role, setRole] = useState<Role>(earlier?.role ?? "member");
  const [teamRoles, setTeamRoles] = useState<ReadonlyMap<string, TeamRole>>(
    new Map(earlier?.teams.map((team) => [team.team_id, team.role])),
  );
  const [isSubmitted, setIsSubmitted] = useState(false);
  const invite = useConsoleMutation("postInvitation", {
    invalidates: ["getInvitations", "getAuditLog"],
    onSuccess: onInvited,
  });
  const isEmailInvalid = !/^\S+@\S+$/.test(email);
  const submit = () => {
    setIsSubmitted(true);
    if (isEmailInvalid) return;
    const chosenTeams = [...teamRoles].map(([teamId, teamRole]) => ({ teamId, role: teamRole }));
    invite.mutate({ body: { email, role, teams: chosenTeams } });
  };
  return (
    <FormDialog
      title={earlier ? "Invite again" : "Invite somebody"}
      description="You get a link that works once, for 7 days."
      submitLabel="Make invitation"
      noValidate
      isBusy={invite.isPending}
      error={invite.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.emailLengthMax}
        placeholder="ada@example.com"
        value={email}
        readOnly={earlier !== undefined}
        onChange={(event) => setEmail(event.target.value)}
        hint={earlier && "The earlier link stops working."}
        error={isSubmitted && isEmailInvalid ? "Give an e-mail address." : undefined}
      />
      <RadioGroup
        legend="Role in this workspace"
        name="role"
        value={role}
        onChange={setRole}
        options={roleOptionsFor(workspace.may("owners.manage"))}
      />
      <TeamRolesField teams={teams} value={teamRoles} onChange={setTeamRoles} />
    </FormDialog>
  );
}

/** Shows the link once. */
export function InvitationLinkDialog({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  useForgetSecrets();
  return (
    <Dialog
      open
      isPersistent
      onOpenChange={onClose}
      title={invitation.is_mailed ? "The invitation is on its way" : "Hand over this link"}
      description={
        invitation.is_mailed
          ? `A mail with the link goes to ${invitation.email}. You can also hand it over yourself.`
          : `Send it to ${invitation.email} by any way that you trust. It is shown this once.`
      }
    >
      <CodeBlock label="Invitation link" text={invitation.link} />
      <Notice>
        Whoever has it can join with it. It works once, until {formatMoment(invitation.expires_at)}; you can withdraw it
        before.
      </Notice>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
