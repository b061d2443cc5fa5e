// Handlers of the caller's own account: sessions, access tokens, security log.

import {
  type AuditEntry,
  noWorkspace,
  recordAccountEntry,
  recordAuditEntry,
  withoutAddressOfOthers,
} from "../../accounts/audit/audit.ts";
import { findTeamRoles } from "../../accounts/members/members.store.ts";
import { deleteAccount } from "../../accounts/people/delete-account.ts";
import { exportPerson } from "../../accounts/people/export-person.ts";
import { identifierOfLink } from "../../accounts/people/password-links.ts";
import {
  findNeededSingleSignOn,
  findPasswordHash,
  findPerson,
  listMemberships,
  type MembershipRow,
  removeVerification,
  renamePerson,
  verifyEmail,
} from "../../accounts/people/people.store.ts";
import {
  confirmSession,
  endOtherSessions,
  endSession,
  findTokenEnd,
  listSessions,
} from "../../accounts/people/sessions.store.ts";
import { createToken, deleteToken, listTokens } from "../../accounts/people/tokens.ts";
import { programOf } from "../../accounts/sign-in/evidence.ts";
import { lackOf } from "../../accounts/sign-in/policy.ts";
import { removalOf } from "../../accounts/workspaces/deletion.ts";
import { actions, billingActions, type Roles, reachOf } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { accountOperations } from "../../contract/console/operations/account.ts";
import { streamLines } from "../../library/workspace/export.ts";
import { isBilled } from "../../metering/billing/billed-months.ts";
import { settleDeparture } from "../../metering/keys/departure.ts";
import { curlStart } from "../../metering/keys/first-call.ts";
import { addDays, monthOf } from "../../platform/time.ts";
import { type Actor, auditActorOf } from "../actor.ts";
import { readAuditPage } from "../audit-page.ts";
import { enter } from "../authorize.ts";
import type { ConsoleCall, OwnTransactionCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { clearedSessionCookie } from "../sign-in/cookie.ts";
import { clientOf, recordRefusal } from "../sign-in/evidence.ts";
import { mailVerificationLink } from "./verification-link.ts";

/** The list shows the newest sessions, at most this many. */
const listedSessionsMax = 200;

export const accountHandlers: HandlersOf<typeof accountOperations> = {
  getSession: async (call) => {
    const { context, transaction, actor } = call;
    const isBillingOn = isBilled(monthOf(transaction.now), context.config.billedFrom);
    const person = await requirePerson(call);
    const memberships = await listMemberships(transaction, actor.personId);
    const token = actor.session ? undefined : await findTokenEnd(transaction, actor.id);
    const isVisible = ({ workspace_id: id }: MembershipRow) => token === undefined || token.workspace_id === id;
    return {
      data: {
        person,
        memberships: await Promise.all(
          memberships.filter(isVisible).map(async (membership) => {
            const { sign_in_policy, deleted_at, ...shown } = membership;
            const lack = lackOf(sign_in_policy, actor.signIn) ?? null;
            const teams = await findTeamRoles(transaction, membership.workspace_id, actor.personId);
            return {
              ...shown,
              sign_in_lacks: lack,
              removal_at: deleted_at && removalOf(deleted_at),
              actions:
                lack || deleted_at
                  ? []
                  : actionsOf({ isOperator: actor.isOperator, role: membership.role, teams }, isBillingOn),
            };
          }),
        ),
        is_billing_on: isBillingOn,
        confirmed_until: actor.confirmedUntil,
        ends_at: actor.session?.endsAt ?? token?.expires_at ?? transaction.now,
        api: { url: context.baseUrl, curl: curlStart(context.caPath) },
      },
    };
  },

  postSessionConfirmation: async (call, { body }) => {
    const { context } = call;
    const { database, signIn } = context;
    const actor = requireSession(call);
    const { personId, email, session } = actor;
    const { clientAddress } = call.request;
    const known = await database.read((transaction) => findPasswordHash(transaction, personId));
    if (known === undefined) throw consoleErrors.noPassword();
    const verify = () => signIn.hashing.withQueueSlot(() => signIn.hashing.verify(body.password, known));
    const isRight = await signIn.throttle.attempt(clientAddress, email, verify, (outcome) => !outcome);
    if (!isRight) {
      const refused = { path: "", request: call.request, account: email, body: undefined };
      await recordRefusal(context, refused, "password_wrong", call.requestId);
      throw consoleErrors.passwordWrong();
    }
    await signIn.throttle.forgetFailures(email);
    await database.transaction(async (transaction) => {
      if ((await confirmSession(transaction, session.id)) === 0) throw consoleErrors.signInRequired();
      const entry = { action: "session.confirm", after: programOf(clientOf(call.request)) };
      recordAccountEntry(transaction, auditActorOf(actor), { id: personId, email }, entry);
    });
    return { data: { message: "Confirmed" } };
  },

  postEmailVerification: mailVerificationLink,

  putEmailVerification: async (call, { body }) => {
    const { transaction, actor } = call;
    const identifier = identifierOfLink("verify-email", body.token);
    if (!(await removeVerification(transaction, actor.personId, identifier))) throw consoleErrors.notFound("link");
    if (!(await verifyEmail(transaction, actor.personId))) throw consoleErrors.emailVerified();
    recordOwn(call, { action: "account.verify" });
    return { data: await requirePerson(call) };
  },

  putPerson: async (call, { body }) => {
    const { transaction, actor } = call;
    renamePerson(transaction, actor.personId, body.name);
    recordOwn(call, { action: "account.rename", before: { name: actor.name }, after: { name: body.name } });
    return { data: await requirePerson(call) };
  },

  deletePerson: async ({ transaction, actor, context }, { body: { email } }) => {
    if (email.trim().toLowerCase() !== actor.email) throw consoleErrors.wrongEmail();
    const deleted = await deleteAccount(transaction, actor.personId, undefined, context.config.mail !== undefined);
    await settleDeparture(context, transaction, deleted, false);
    const data = { message: "Account deleted", invitations_revoked: deleted.revoked.length };
    return { data, cookies: [clearedSessionCookie] };
  },

  getPersonExport: async (call) => {
    const { database, report } = call.context;
    const actor = requireSession(call);
    await database.transaction(async (transaction) =>
      recordAccountEntry(transaction, auditActorOf(actor), { id: actor.personId, email: actor.email }, exportEntry),
    );
    const body = streamLines(exportPerson(database.read.bind(database), actor.personId), (cause) =>
      report(call.requestId, cause),
    );
    return { body, fileName: `account-${actor.personId}.json` };
  },

  getSessions: async ({ transaction, actor }) => {
    const rows = await listSessions(transaction, actor.personId, listedSessionsMax);
    return {
      data: rows.map(({ id, ip_address, user_agent, created_at, expires_at }) => ({
        id,
        is_this: id === actor.id,
        client_address: ip_address || null,
        user_agent: user_agent || null,
        created_at,
        ends_at: expires_at,
      })),
    };
  },

  deleteSession: async (call, { query }) => {
    const { transaction, actor } = call;
    const ended = await endSession(transaction, actor.personId, query.id);
    if (!ended) throw consoleErrors.notFound("session");
    const { ip_address, user_agent } = ended;
    recordOwn(call, { action: "session.end", before: { client_address: ip_address || null, user_agent } });
    return { data: { message: "Signed out" }, ...(query.id === actor.id && { cookies: [clearedSessionCookie] }) };
  },

  deleteSessions: async (call) => {
    const { transaction, actor } = call;
    const ended = await endOtherSessions(transaction, actor.personId, actor.id);
    recordOwn(call, { action: "session.end_others", after: { ended } });
    return { data: { message: ended === 1 ? "1 session signed out" : `${ended} sessions signed out` } };
  },

  getTokens: async ({ transaction, actor }) => ({ data: await listTokens(transaction, actor.personId) }),

  postToken: async (call, { body }) => {
    const { transaction, actor } = call;
    await enter(transaction, actor, body.workspaceId);
    const made = await createToken(transaction, actor.personId, body);
    const { id, name, workspace_id: workspaceId, secret_start, scopes, expires_at } = made;
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "token.create",
      target: { kind: "token", id, name },
      after: { name, secret_start, scopes, expires_at },
    });
    recordOwn(call, { action: "token.create", after: { name, workspace: made.workspace_name, scopes, expires_at } });
    return { data: made };
  },

  deleteToken: async (call, { query }) => {
    const { transaction, actor } = call;
    const ended = await deleteToken(transaction, actor.personId, query.id);
    const { id, name, workspace_id: workspaceId, secret_start, scopes, expires_at } = ended;
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "token.delete",
      target: { kind: "token", id, name },
      before: { name, secret_start, scopes, expires_at },
    });
    recordOwn(call, {
      action: "token.delete",
      before: { name, workspace: ended.workspace_name, scopes, expires_at },
    });
    return { data: { message: "Access token revoked" } };
  },

  getSecurityLog: async ({ transaction, actor }, { query }) => {
    const page = await readAuditPage(transaction, noWorkspace, { targetId: actor.personId }, query);
    return { ...page, data: page.data.map((entry) => withoutAddressOfOthers(entry, actor.personId)) };
  },
};

const exportEntry: Omit<AuditEntry, "target"> = { action: "account.export" };

/** Audits what a person did to their own account. */
const recordOwn = ({ transaction, actor }: ConsoleCall, entry: Omit<AuditEntry, "target">): void =>
  recordAccountEntry(transaction, auditActorOf(actor), { id: actor.personId, email: actor.email }, entry);

// Object.keys is typed as string[]; the keys of this constant are exactly its names.
const actionNames = Object.keys(actions) as (keyof typeof actions)[];

const actionsOf = (roles: Roles, isBillingOn: boolean): string[] =>
  actionNames.filter((action) => reachOf(roles, action) !== undefined && (isBillingOn || !billingActions.has(action)));

async function requirePerson({ transaction, actor, context }: ConsoleCall) {
  const person = await findPerson(transaction, actor.personId);
  if (!person) throw consoleErrors.signInRequired();
  const { id, name, email, email_verified, two_factor_enabled } = person;
  const signedInAt = await findNeededSingleSignOn(transaction, id);
  return {
    id,
    name,
    email,
    is_operator: actor.isOperator,
    has_password: (await findPasswordHash(transaction, id)) !== undefined,
    has_second_factor: Boolean(two_factor_enabled),
    needs_verification: context.config.mail !== undefined && !email_verified,
    tokens_pause_at: signedInAt === undefined ? null : addDays(signedInAt, context.config.singleSignOn.tokenDays),
  };
}

function requireSession({ actor }: OwnTransactionCall): Actor & { session: NonNullable<Actor["session"]> } {
  if (!actor?.session) throw consoleErrors.signInRequired();
  return { ...actor, session: actor.session };
}
