// The link of an invitation: what it says, and joining by it. It works the same for a colleague and for the first administrator.
import { previewOf } from "../../accounts/invitations/invitations.ts";
import {
  findInvitedAccount,
  joinAsNewPerson,
  joinWithAccount,
  requireInvitation,
} from "../../accounts/invitations/joining.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { signInOperations } from "../../contract/console/operations/sign-in.ts";
import { errors } from "../../contract/errors.ts";
import { isEasyToGuess } from "../../platform/secrets/password-strength.ts";
import { auditActorOf } from "../actor.ts";
import type { OwnTransactionCall } from "../call.ts";
import type { HandlerOf } from "../handler.ts";
import { signInByLink } from "../sign-in/sign-in-by-link.ts";

type Rows = typeof signInOperations;

export const previewInvitationLink: HandlerOf<Rows["postInvitationPreview"]> = async ({ context }, { body }) => {
  context.signIn.preload();
  const data = await context.database.read(async (transaction) =>
    previewOf(transaction, await requireInvitation(transaction, body.token)),
  );
  return { data };
};

export const acceptInvitationLink: HandlerOf<Rows["postInvitationAcceptance"]> = async (call, { body }) => {
  const { context, actor } = call;
  const { token, email, name, password } = body;
  // Checked before a password is hashed, and again in the transaction that accepts the invitation.
  const { hasAccount, invited } = await context.database.read(async (transaction) => {
    const invitation = await requireInvitation(transaction, token);
    return {
      hasAccount: (await findInvitedAccount(transaction, invitation)) !== undefined,
      invited: invitation.email,
    };
  });
  if (!hasAccount) {
    if (name === undefined) throw errors.invalid("name is required");
    if (password === undefined) throw errors.invalid("password is required");
    if (await isEasyToGuess(password, [name, invited ?? email ?? ""])) throw consoleErrors.passwordWeak();
    return acceptAsNewPerson(call, token, { email, name, password });
  }
  const author = actor && { ...auditActorOf(actor), id: actor.personId, email: actor.email };
  await context.database.transaction((transaction) => joinWithAccount(transaction, token, author));
  return { data: { message: "You are now a member" } };
};

interface NewAccount {
  readonly email: string | undefined;
  readonly name: string;
  readonly password: string;
}

async function acceptAsNewPerson(call: OwnTransactionCall, token: string, { email, name, password }: NewAccount) {
  const { hashing } = call.context.signIn;
  const passwordHash = await hashing.withQueueSlot(() => hashing.hash(password));
  const cookie = await signInByLink(call, { method: "invitation" }, (transaction) =>
    joinAsNewPerson(transaction, token, { name, email, passwordHash }, call.request.clientAddress),
  );
  return { data: { message: "Welcome" }, cookies: [cookie] };
}
