// An invitation's link: what it says, and accepting it. The same for a colleague and for the first administrator of an instance.
import { noWorkspace, recordAccountAct, recordAct } from "../../accounts/audit/audit.ts";
import {
  acceptInvitation,
  findInvitation,
  type Invitation,
  previewOf,
} from "../../accounts/invitations/invitations.ts";
import { makeFirstAdministrator } from "../../accounts/people/first-administrator.ts";
import { findPersonByEmail, insertPassword, insertPerson, isAnybodyThere } from "../../accounts/people/people.store.ts";
import { insertSession } from "../../accounts/people/sessions.store.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { ConsoleInput } from "../../contract/console/operations.ts";
import { errors } from "../../contract/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { addDays } from "../../platform/time.ts";
import type { Actor, ConsoleVisit } from "../call.ts";
import type { ConsoleHandler } from "../handlers.ts";

export const preview: ConsoleHandler<"postInvitationPreview"> = async ({ instance }, { body }) => {
  instance.signIn.warm();
  const data = await instance.database.read(async (transaction) =>
    previewOf(transaction, await requireInvitation(transaction, body.token)),
  );
  return { data };
};

export const acceptance: ConsoleHandler<"postInvitationAcceptance"> = async (visit, { body }) => {
  const { database } = visit.instance;
  // Looked at before a hash is computed, and again in the transaction that accepts it.
  const hasAccount = await database.read(async (transaction) => {
    const invitation = await requireInvitation(transaction, body.token);
    return (await accountOf(transaction, invitation)) !== undefined;
  });
  if (hasAccount) return acceptAsKnown(visit, body.token);
  return acceptAsNew(visit, body.token, newAccountOf(body));
};

/** One that can be accepted now; of the first administrator's link, as long as there is nobody. */
async function requireInvitation(transaction: Transaction, token: string): Promise<Invitation> {
  const invitation = await findInvitation(transaction, token);
  const isOver = !invitation || (invitation.workspace_id === null && (await isAnybodyThere(transaction)));
  if (isOver) throw consoleErrors.notFound("invitation");
  return invitation;
}

const accountOf = async (transaction: Transaction, { email }: Invitation) =>
  email === null ? undefined : findPersonByEmail(transaction, email);

/** Who has an account already shows it by being signed in. */
async function acceptAsKnown({ instance, actor }: ConsoleVisit, token: string) {
  await instance.database.transaction(async (transaction) => {
    const invitation = await requireInvitation(transaction, token);
    if (actor?.email !== invitation.email) throw otherAccount(actor, invitation);
    await acceptInvitation(transaction, invitation, actor.personId);
    recordJoining(transaction, invitation, actor);
  });
  return { data: { message: "You are a member now" } };
}

const otherAccount = (actor: Actor | undefined, { email }: Invitation) =>
  actor === undefined ? consoleErrors.accountExists(email) : consoleErrors.otherAccount(email);

interface NewAccount {
  /** Only counts where the invitation names none. */
  readonly email: string | undefined;
  readonly name: string;
  readonly password: string;
}

/** @throws Refusal 400 */
function newAccountOf({ email, name, password }: ConsoleInput<"postInvitationAcceptance">["body"]): NewAccount {
  if (name === undefined) throw errors.invalid("name is required");
  if (password === undefined) throw errors.invalid("password is required");
  return { email, name, password };
}

async function acceptAsNew({ instance, incoming }: ConsoleVisit, token: string, account: NewAccount) {
  const { database, signIn } = instance;
  const { name } = account;
  const passwordHash = await signIn.hashing.admit(() => signIn.hashing.hash(account.password));
  const session = await signIn.newSession();
  const { clientAddress } = incoming;
  await database.transaction(async (transaction) => {
    const invitation = await requireInvitation(transaction, token);
    const email = invitation.email ?? account.email;
    if (email === undefined) throw errors.invalid("email is required");
    if (await accountOf(transaction, invitation)) throw otherAccount(undefined, invitation);
    let personId: string | undefined;
    if (invitation.workspace_id === null) {
      const first = await makeFirstAdministrator(transaction, invitation, { name, email, passwordHash });
      personId = first.personId;
      const actor = { kind: "person", id: personId, name, clientAddress } as const;
      const target = { kind: "member", id: personId, name };
      const after = { name, operator: true };
      recordAccountAct(transaction, actor, { id: personId, email }, { action: "account.create", after });
      for (const workspaceId of first.workspaceIds)
        recordAct(transaction, workspaceId, actor, { action: "member.join", target, after: { email, role: "owner" } });
    } else {
      // Who invited has seen the link as well: using it does not show that mail to the address reaches this person.
      personId = await insertPerson(transaction, { name, email, isEmailVerified: false, isOperator: false });
      if (personId === undefined) throw otherAccount(undefined, invitation);
      insertPassword(transaction, personId, passwordHash);
      const actor = { kind: "person", id: personId, name, clientAddress } as const;
      recordAccountAct(transaction, actor, { id: personId, email }, { action: "account.create", after: { name } });
      await acceptInvitation(transaction, invitation, personId);
      recordJoining(transaction, invitation, { kind: "person", personId, name, email, clientAddress });
    }
    insertSession(transaction, {
      ...{ personId, sealedToken: session.sealedToken, clientAddress, userAgent: incoming.header("user-agent") },
      expiresAt: addDays(transaction.now, consoleLimits.sessionDays),
    });
  });
  return { data: { message: "Welcome" }, cookies: [session.cookie] };
}

function recordJoining(
  transaction: Transaction,
  { workspace_id: workspaceId, role, teams }: Invitation,
  person: Pick<Actor, "kind" | "personId" | "name" | "email" | "clientAddress">,
): void {
  const { personId, name, email, kind, clientAddress } = person;
  recordAct(
    transaction,
    workspaceId ?? noWorkspace,
    { kind, id: personId, name, clientAddress },
    {
      action: "member.join",
      target: { kind: "member", id: personId, name },
      after: { email, role, ...(teams.length > 0 && { teams }) },
    },
  );
}
