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
      title={earlier ? "Invite again" : "Invite member"}
      description="Creates an invitation that works once and expires in 7 days."
      submitLabel="Create invitation"
      noValidate
      isBusy={invite.isPending}
      error={invite.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Email address"
        type="email"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.emailLengthMax}
        placeholder="ada@example.com"
        value={email}
        readOnly={earlier !== undefined}
        onChange={(event) => setEmail(event.target.value)}
        hint={earlier && "The previous link will stop working."}
        error={isSubmitted && isEmailInvalid ? "Enter an email address." : undefined}
      />
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

/** Shows the link once. */
export function InvitationLinkDialog({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  useForgetSecrets();
  const { link, email } = invitation;
  const end = formatMoment(invitation.expires_at);
  return (
    <Dialog
      open
      isPersistent
      onOpenChange={onClose}
      title={link === null ? "Invitation sent" : "Share this link"}
      description={
        link === null
          ? `We’re emailing the link to ${email}. Only they can see it, so joining with it verifies their address.`
          : `Send it to ${email} over a channel you trust. You won’t see this link again.`
      }
    >
      {link !== null && <CodeBlock label="Invitation link" text={link} />}
      <Notice>
        {link === null ? "The link" : "Anyone with this link can join. It"} works once and expires on {end}. You can
        revoke it until then.
      </Notice>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
