// The windows in which somebody is invited, and in which the link is handed over.
import { useState } from "react";
import { useChange, useConsole, useForgetting } from "../../api.ts";
import {
  Button,
  Choices,
  CodeBlock,
  Dialog,
  DialogActions,
  FormDialog,
  moment,
  Notice,
  TextField,
} from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { useWorkspace } from "../../workspace.tsx";
import { type Invitation, type Invited, type Role, rolesFor, type TeamRole } from "./member.ts";
import { TeamRolesField } from "./team-roles.tsx";

interface InviteProps {
  /** An earlier invitation that this one takes the place of. */
  readonly again: Invitation | undefined;
  readonly onClose: () => void;
  readonly onInvited: (invited: Invited) => void;
}

export function Invite({ again, onClose, onInvited }: InviteProps) {
  const workspace = useWorkspace();
  const teams = useConsole("getTeams").data?.data ?? [];
  const [email, setEmail] = useState(again?.email ?? "");
  const [role, setRole] = useState<Role>(again?.role ?? "member");
  const [teamRoles, setTeamRoles] = useState<ReadonlyMap<string, TeamRole>>(
    new Map(again?.teams.map((team) => [team.team_id, team.role])),
  );
  const [isTried, setIsTried] = useState(false);
  const invite = useChange("postInvitation", { outdates: ["getInvitations", "getAuditLog"], onDone: onInvited });
  const isWithout = !/^\S+@\S+$/.test(email);
  const send = () => {
    setIsTried(true);
    if (isWithout) return;
    const chosen = [...teamRoles].map(([teamId, teamRole]) => ({ teamId, role: teamRole }));
    invite.mutate({ body: { email, role, teams: chosen } });
  };
  return (
    <FormDialog
      title={again ? "Invite again" : "Invite somebody"}
      description="You get a link that works once, for 7 days."
      sendLabel="Make invitation"
      noValidate
      isBusy={invite.isPending}
      error={invite.error}
      onSend={send}
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
        readOnly={again !== undefined}
        onChange={(event) => setEmail(event.target.value)}
        hint={again && "The earlier link stops working."}
        error={isTried && isWithout ? "Give an e-mail address." : undefined}
      />
      <Choices
        legend="Role in this workspace"
        name="role"
        value={role}
        onChange={setRole}
        options={rolesFor(workspace.may("owners.manage"))}
      />
      <TeamRolesField teams={teams} value={teamRoles} onChange={setTeamRoles} />
    </FormDialog>
  );
}

/** The one time that the link is shown. */
export function LinkOnce({ about, onClose }: { about: Invited; onClose: () => void }) {
  useForgetting();
  return (
    <Dialog
      open
      isKept
      onOpenChange={onClose}
      title={about.is_mailed ? "The invitation is on its way" : "Hand over this link"}
      description={
        about.is_mailed
          ? `A mail with the link goes to ${about.email}. You can also hand it over yourself.`
          : `Send it to ${about.email} by any way that you trust. It is shown this once.`
      }
    >
      <CodeBlock label="Invitation link" text={about.link} />
      <Notice>
        Whoever has it can join with it. It works once, until {moment(about.expires_at)}; you can withdraw it before.
      </Notice>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
