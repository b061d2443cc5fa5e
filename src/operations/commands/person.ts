// ./commonplace person …: the people who sign in to the console. `person create` also lets somebody in again who lost their password.
import { noWorkspace } from "../../accounts/audit/audit.ts";
import { recordRevocations } from "../../accounts/invitations/revocation.ts";
import { operatorEditor } from "../../accounts/members/editor.ts";
import { assignRole } from "../../accounts/members/members.ts";
import { type Account, type AccountRequest, listAccounts, saveAccount } from "../../accounts/people/accounts.ts";
import { makePasswordToken, passwordLink } from "../../accounts/people/password-links.ts";
import { findPersonByEmail } from "../../accounts/people/people.store.ts";
import { type AccountChange, changeAccount, type Ended } from "../../accounts/people/stop-account.ts";
import { type Announcing, announce } from "../../accounts/sign-in/account-mails.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { type WorkspaceRole, workspaceRoles } from "../../contract/console/actions.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { listKeysSeenEverywhere, type SeenKeyOfWorkspace } from "../../metering/keys/seen-keys.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { addMinutes } from "../../platform/time.ts";
import { formatAmount, formatMoment } from "../format.ts";
import type { Command, ParsedOptions } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { nameOption, readId, readName } from "./options.ts";
import { addressHint, announcingOf, findOrigin } from "./origin.ts";
import { bold, formatFields, formatTable, printResult } from "./output.ts";
import { commandActor, recordCommand } from "./record.ts";

interface PersonRequest extends AccountRequest {
  readonly workspaceId: string | undefined;
  readonly role: WorkspaceRole | undefined;
}

const stopNotes = [
  "Also revokes the account's access tokens, and the pending invitations that it",
  "sent. API keys belong to workspaces and keep working. The command lists those",
  "that the person created or rotated, so that you can rotate them.",
];

export const personCommands: readonly Command[] = [
  {
    name: "person create",
    summary: "Create a console account or a new password link",
    options: {
      email: { value: "ADDRESS", meaning: "The person's email address, used to sign in", isRequired: true },
      name: { ...nameOption, isRequired: false },
      workspace: { value: "ID", meaning: "Add them to this workspace" },
      role: { value: workspaceRoles.join("|"), meaning: "Their role in the workspace (default: member)" },
      operator: { meaning: "Make them an operator of the whole instance" },
      "drop-second-factor": {
        meaning: "Remove their two-factor authentication and passkeys (for a lost device)",
      },
    },
    notes: [
      "Prints a link for setting a password. The link works once and expires in 1 hour.",
      "If the account already exists, the link sets a new password.",
    ],
    run: async (context) => {
      const request = await readRequest(context.options);
      const { origin, isKnown } = await findOrigin(context);
      const created = await inTransaction(context, (transaction) =>
        createPerson({ config: context.config, origin }, transaction, request),
      );
      const { account, isNew, expiresAt, invitationsRevoked } = created;
      const { id, name, email, is_operator } = account;
      const link = passwordLink(origin, created.token);
      const result = { id, name, email, is_operator, is_new: isNew, link, expires_at: expiresAt };
      printResult(context, { ...result, invitations_revoked: invitationsRevoked }, [
        ...formatFields({
          id,
          name,
          email,
          operator: is_operator ? "yes" : "no",
          "link expires": formatMoment(expiresAt),
        }),
        ...linesOfRevocations(invitationsRevoked),
        "",
        `  ${bold(link)}`,
        "",
        `Open this link to set ${isNew ? "a password" : "a new password"}, or send it to the`,
        "owner of the account. The link works once.",
        ...addressHint(isKnown),
      ]);
    },
  },
  changeCommand("disable", "disable", "Disable an account and end its sessions", "Disabled", stopNotes),
  changeCommand("enable", "enable", "Enable a disabled account", "Enabled"),
  changeCommand(
    "sign-out",
    "signOut",
    "End all sessions and revoke all access tokens of an account",
    "Signed out",
    stopNotes,
  ),
  changeCommand("demote", "revokeOperator", "Revoke the operator rights of an account", "No longer an operator:"),
  {
    name: "person list",
    summary: "List everyone with a console account",
    options: {},
    run: async (context) => {
      const accounts = await readDatabase(context, listAccounts);
      const rows = accounts.map((account) => [
        account.id,
        account.is_disabled ? "disabled" : account.is_operator ? "operator" : "active",
        account.workspaces.length,
        account.email,
      ]);
      printResult(
        context,
        accounts,
        formatTable(["ID", "STATUS", "WORKSPACES", "EMAIL"], rows, "No console accounts yet."),
      );
    },
  },
];

/** A command that changes one account. */
function changeCommand(
  name: string,
  change: AccountChange,
  summary: string,
  done: string,
  notes: readonly string[] = [],
): Command {
  return {
    name: `person ${name}`,
    summary,
    options: { email: { value: "ADDRESS", meaning: "The person's email address", isRequired: true } },
    ...(notes.length > 0 && { notes }),
    run: async (context) => {
      const address = await readEmail(context.options);
      const announcing = await announcingOf(context);
      const { person, ended, keys } = await inTransaction(context, async (transaction) => {
        const known = await findPersonByEmail(transaction, address);
        if (!known) throw new OperatorError(`no account has the address ${address}`);
        const changed = await changeAccount(transaction, change, known.id, commandActor());
        announce(announcing, transaction, changed.person, changed.action);
        return { ...changed, keys: isStop(change) ? await listKeysSeenEverywhere(transaction, known.id) : [] };
      });
      const { id, email } = person;
      printResult(context, { id, email, ended, keys }, [
        `${done} ${email} (${id}).`,
        ...linesOfEnded(ended),
        ...linesOfKeys(keys),
      ]);
    },
  };
}

const isStop = (change: AccountChange): boolean => change === "disable" || change === "signOut";

const linesOfEnded = ({ sessions, tokens, invitations }: Ended): string[] => [
  ...(sessions > 0 ? [`Ended ${formatAmount(sessions, "sessions")}.`] : []),
  ...(tokens > 0 ? [`Revoked ${formatAmount(tokens, "access tokens")}.`] : []),
  ...linesOfRevocations(invitations),
];

export const linesOfRevocations = (invitations: number): string[] =>
  invitations > 0 ? [`Revoked ${formatAmount(invitations, "pending invitations")} that they sent.`] : [];

/** The keys to rotate, after a person who may have their secrets. */
export const linesOfKeys = (keys: readonly SeenKeyOfWorkspace[]): string[] =>
  keys.length === 0
    ? []
    : [
        "",
        "They created or rotated these API keys, which keep working. Rotate them:",
        ...formatTable(
          ["ID", "SECRET", "WORKSPACE", "NAME"],
          keys.map(({ id, secret_start, workspace_name, name }) => [id, `${secret_start}…`, workspace_name, name]),
        ),
      ];

export async function readEmail(options: ParsedOptions): Promise<string> {
  const { email: emailSchema } = await import("../../contract/console/fields.ts");
  const address = emailSchema().safeParse(options.required("email"));
  return address.success ? address.data : options.refuse("--email must be an email address");
}

async function readRequest(options: ParsedOptions): Promise<PersonRequest> {
  const email = await readEmail(options);
  const [workspace, text] = [options.text("workspace"), options.text("role")];
  const role = workspaceRoles.find((candidate) => candidate === text);
  if (text !== undefined && role === undefined)
    return options.refuse(`--role must be one of: ${workspaceRoles.join(", ")}`);
  if (role !== undefined && workspace === undefined) return options.refuse("--role requires --workspace ID");
  return {
    email,
    name: readName(options),
    isOperator: options.isSet("operator"),
    dropsSecondFactor: options.isSet("drop-second-factor"),
    workspaceId: workspace === undefined ? undefined : readId(options, "workspace"),
    role,
  };
}

async function createPerson(announcing: Announcing, transaction: Transaction, request: PersonRequest) {
  const { workspaceId, role } = request;
  if (workspaceId !== undefined) await requireWorkspace(transaction, workspaceId);
  const { before, after, revoked } = await saveAccount(transaction, request);
  recordCommand(transaction, noWorkspace, {
    action: before ? "member.password_link" : "member.create",
    target: { kind: "member", id: after.id, name: after.name },
    ...(before && { before: auditedFields(before) }),
    after: { ...auditedFields(after), ...(request.dropsSecondFactor && { second_factor_dropped: true }) },
  });
  await recordRevocations(transaction, commandActor(), revoked);
  // A new account has the link, and nothing that somebody could take away.
  const tell = (action: string) => before && announce(announcing, transaction, after, action);
  tell("member.password_link");
  if (request.dropsSecondFactor) tell("second_factor.drop");
  if (after.is_operator && !before?.is_operator) tell("operator.grant");
  const beyondRole =
    workspaceId === undefined ? 0 : await joinWorkspace(announcing, transaction, workspaceId, after, role);
  const minutes = consoleLimits.resetLinkMinutes;
  return {
    account: after,
    isNew: before === undefined,
    token: makePasswordToken(transaction, after.id, minutes),
    expiresAt: addMinutes(transaction.now, minutes),
    invitationsRevoked: revoked.length + beyondRole,
  };
}

const auditedFields = ({ name, email, is_operator, has_second_factor }: Account) => ({
  name,
  email,
  is_operator,
  has_second_factor,
});

/** Makes a person a member of the workspace, or gives a member another role. @returns how many of their invitations were revoked */
async function joinWorkspace(
  announcing: Announcing,
  transaction: Transaction,
  workspaceId: string,
  { id, name, email }: Account,
  role: WorkspaceRole | undefined,
): Promise<number> {
  const { before, after, revoked } = await assignRole(transaction, workspaceId, id, role, operatorEditor);
  await recordRevocations(transaction, commandActor(), revoked);
  const sent = before ? revoked.length : 0;
  if (before?.role === after.role) return sent;
  recordCommand(transaction, workspaceId, {
    action: before ? "member.change" : "member.join",
    target: { kind: "member", id, name },
    ...(before && { before: { role: before.role } }),
    after: { email, role: after.role },
  });
  if (after.role !== "owner") return sent;
  const { name: workspaceName } = await requireWorkspace(transaction, workspaceId);
  announce(announcing, transaction, { email }, "owner.grant", { workspaceName });
  return sent;
}
