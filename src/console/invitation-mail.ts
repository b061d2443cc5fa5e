// The email of an invitation: who invites to what, what one can do there, and what happens next.
import type { Invitation } from "../accounts/invitations/invitations.ts";
import { invitedTeams } from "../accounts/invitations/invitations.ts";
import { findWorkspace } from "../accounts/workspaces/workspaces.store.ts";
import { abilities } from "../contract/console/abilities.ts";
import { oneLine, queueMail } from "../platform/mail/outbox.ts";
import { dayInWords } from "../platform/time.ts";
import type { ConsoleCall } from "./call.ts";

export async function mailInvitation(
  { transaction, workspaceId, actor }: ConsoleCall,
  invitation: Invitation,
  link: string,
): Promise<void> {
  const { email, role, expires_at } = invitation;
  const workspace = oneLine((await findWorkspace(transaction, workspaceId))?.name ?? "");
  const inviter = oneLine(actor.name);
  const everywhere = abilities.workspace[role];
  const lines = [
    ...(everywhere === undefined
      ? []
      : [`- In all teams: ${everywhere.teams}.`, `- In the workspace: ${everywhere.workspace}.`]),
    ...(await invitedTeams(transaction, invitation)).map(
      (team) => `- In the team “${oneLine(team.name)}”: ${abilities.team[team.role]}.`,
    ),
  ];
  const [what, next] =
    lines.length > 0
      ? [["What you can do there:", ...lines], " Once you join, you will go straight to the library."]
      : [["You will see the workspace's snippets once an admin adds you to a team."], ""];
  queueMail(transaction, {
    recipient: email ?? "",
    // It begins with our words, not with names that the inviter has chosen.
    subject: `Invitation to Commonplace: ${inviter} invited you to “${workspace}”`,
    body: [
      "Hello,",
      "",
      `${inviter} (${actor.email}) invited you to “${workspace}” on Commonplace, where teams keep the replies, code, and other text they use again and again.`,
      "",
      ...what,
      "",
      "Accept the invitation:",
      link,
      "",
      `To accept, choose a name and a password, or sign in if you already have an account.${next}`,
      "",
      `The link works once and expires on ${dayInWords(expires_at)} at ${expires_at.slice(11, 16)} UTC.`,
      "",
      "If you were not expecting this invitation, you can ignore this email.",
      "",
    ].join("\n"),
  });
}
