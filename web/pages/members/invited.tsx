// The dialog after inviting: the links that the service did not email, and the addresses that could not be invited.
import { useForgetSecrets } from "../../api.ts";
import { Button, CodeBlock, Dialog, DialogActions, formatMoment, Notice, pluralize } from "../../components/index.ts";
import type { CreatedInvitation } from "./member.ts";
import type { InviteOutcome, RefusedInvitation } from "./send-invitations.ts";

/** Shows the links once. */
export function InvitedDialog({
  outcome: { invited, refused },
  onClose,
}: {
  outcome: InviteOutcome;
  onClose: () => void;
}) {
  useForgetSecrets();
  const [first] = invited;
  const links = invited.filter(({ link }) => link !== null);
  return (
    <Dialog
      open
      isPersistent
      onOpenChange={onClose}
      title={titleOf(invited, links.length > 0)}
      description={first && descriptionOf(invited, first, links.length > 0)}
    >
      {links.length > 0 && (
        <CodeBlock
          label={invited.length === 1 ? "Invitation link" : "Invitation links"}
          text={
            invited.length === 1 ? `${first?.link}` : links.map(({ email, link }) => `${email}\n${link}`).join("\n\n")
          }
        />
      )}
      {refused.length > 0 && <Refused refused={refused} />}
      {first && (
        <Notice>
          {invited.length === 1 ? "The link works" : "Each link works"} once and expires on{" "}
          {formatMoment(first.expires_at)}. {links.length > 0 && "Anyone with a link can join. "}You can revoke{" "}
          {invited.length === 1 ? "it" : "them"} until then.
        </Notice>
      )}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function titleOf(invited: readonly CreatedInvitation[], hasLinks: boolean): string {
  if (invited.length === 0) return "Nobody was invited";
  if (hasLinks) return invited.length === 1 ? "Share this link" : `Share these ${invited.length} links`;
  return invited.length === 1 ? "Invitation sent" : `${invited.length} invitations sent`;
}

function descriptionOf(invited: readonly CreatedInvitation[], first: CreatedInvitation, hasLinks: boolean): string {
  const isOne = invited.length === 1;
  if (hasLinks)
    return isOne
      ? `Send it to ${first.email} over a channel you trust. You won’t see this link again.`
      : "Send each person their own link over a channel you trust. You won’t see these links again.";
  return isOne
    ? `We’re emailing the link to ${first.email}. Only they can see it, so joining with it verifies their address.`
    : `We’re emailing the links to ${invited.map(({ email }) => email).join(", ")}. Only they can see them, so joining verifies their addresses.`;
}

const Refused = ({ refused }: { refused: readonly RefusedInvitation[] }) => (
  <Notice tone="warn">
    <p className="font-medium">{pluralize(refused.length, "address", "addresses")} could not be invited</p>
    <ul className="grid gap-1">
      {refused.map(({ email, message }) => (
        <li key={email} className="wrap-anywhere">
          <bdi>{email}</bdi>: {message}
        </li>
      ))}
    </ul>
  </Notice>
);
