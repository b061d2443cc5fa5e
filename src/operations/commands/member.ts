// ./commonplace member …: the people who sign in to the console. `member create` also lets somebody in again who lost their password.
import { noWorkspace } from "../../accounts/audit/audit.ts";
import { operatorEditor } from "../../accounts/members/editor.ts";
import { assignRole } from "../../accounts/members/members.ts";
import { type Account, type AccountRequest, listAccounts, saveAccount } from "../../accounts/people/accounts.ts";
import { makePasswordToken, passwordLink } from "../../accounts/people/password-links.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { type WorkspaceRole, workspaceRoles } from "../../contract/console/actions.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { originOf } from "../../platform/http/origin.ts";
import { addMinutes } from "../../platform/time.ts";
import { formatMoment } from "../format.ts";
import { findRunningService } from "../running-service.ts";
import type { Command, CommandContext, ParsedOptions } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { nameOption, readId, readName } from "./options.ts";
import { bold, formatFields, formatTable, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

interface MemberRequest extends AccountRequest {
  readonly workspaceId: string | undefined;
  readonly role: WorkspaceRole | undefined;
}

export const memberCommands: readonly Command[] = [
  {
    name: "member create",
    summary: "Let somebody sign in to the console, also again",
    options: {
      email: { value: "ADDRESS", meaning: "What they sign in with", isRequired: true },
      name: { ...nameOption, isRequired: false },
      workspace: { value: "ID", meaning: "They are a member of this workspace" },
      role: { value: workspaceRoles.join("|"), meaning: "Their role there (default: member)" },
      operator: { meaning: "They administer the whole instance" },
      "drop-second-factor": { meaning: "For who lost theirs: signs in with the password alone again" },
    },
    notes: [
      "Prints a link with which they set a password. It works once, within an hour.",
      "Who has an account already keeps it, and gets a link to a new password.",
    ],
    run: async (context) => {
      const request = await readRequest(context.options);
      const origin = await publicOrigin(context);
      const created = await inTransaction(context, (transaction) => createMember(transaction, request));
      const { account, isNew, expiresAt } = created;
      const { id, name, email, is_operator } = account;
      const link = passwordLink(origin, created.token);
      printResult(context, { id, name, email, is_operator, is_new: isNew, link, expires_at: expiresAt }, [
        ...formatFields({
          id,
          name,
          email,
          operator: is_operator ? "yes" : "no",
          "link until": formatMoment(expiresAt),
        }),
        "",
        `  ${bold(link)}`,
        "",
        `${isNew ? "With this link they set a password" : "With this link they set a new password"}. It works once.`,
        "It leads to where the settings in this terminal put the service.",
      ]);
    },
  },
  {
    name: "member list",
    summary: "List everybody who signs in to the console",
    options: {},
    run: async (context) => {
      const accounts = await readDatabase(context, listAccounts);
      const rows = accounts.map((account) => [
        account.id,
        account.is_operator ? "yes" : "no",
        account.workspaces.length,
        account.email,
      ]);
      printResult(context, accounts, formatTable(["ID", "OPERATOR", "WORKSPACES", "EMAIL"], rows));
    },
  },
];

async function readRequest(options: ParsedOptions): Promise<MemberRequest> {
  const { email: emailSchema } = await import("../../contract/console/fields.ts");
  const address = emailSchema().safeParse(options.required("email"));
  if (!address.success) return options.refuse("--email must be an e-mail address");
  const [workspace, text] = [options.text("workspace"), options.text("role")];
  const role = workspaceRoles.find((candidate) => candidate === text);
  if (text !== undefined && role === undefined) return options.refuse(`--role must be ${workspaceRoles.join(", ")}`);
  if (role !== undefined && workspace === undefined) return options.refuse("--role goes with --workspace ID");
  return {
    email: address.data,
    name: readName(options),
    isOperator: options.isSet("operator"),
    dropsSecondFactor: options.isSet("drop-second-factor"),
    workspaceId: workspace === undefined ? undefined : readId(options, "workspace"),
    role,
  };
}

/** The console's origin: where the service was last started, or where it would be with these settings. */
async function publicOrigin({ config, environment }: CommandContext): Promise<string> {
  const running = findRunningService(config, environment);
  if (running) return running.origin;
  if (config.publicOrigin !== undefined || !config.tls) return originOf(config, undefined, config.port);
  const { loadCertificate } = await import("../../platform/tls/certificates.ts");
  const certificate = await loadCertificate(config);
  return originOf(config, certificate.hostName, config.port);
}

async function createMember(transaction: Transaction, request: MemberRequest) {
  const { workspaceId, role } = request;
  if (workspaceId !== undefined) await requireWorkspace(transaction, workspaceId);
  const { before, after } = await saveAccount(transaction, request);
  recordCommand(transaction, noWorkspace, {
    action: before ? "member.password_link" : "member.create",
    target: { kind: "member", id: after.id, name: after.name },
    ...(before && { before: auditedFields(before) }),
    after: { ...auditedFields(after), ...(request.dropsSecondFactor && { second_factor_dropped: true }) },
  });
  if (workspaceId !== undefined) await joinWorkspace(transaction, workspaceId, after, role);
  const minutes = consoleLimits.resetLinkMinutes;
  return {
    account: after,
    isNew: before === undefined,
    token: makePasswordToken(transaction, after.id, minutes),
    expiresAt: addMinutes(transaction.now, minutes),
  };
}

const auditedFields = ({ name, email, is_operator, has_second_factor }: Account) => ({
  name,
  email,
  is_operator,
  has_second_factor,
});

/** Makes a person a member of the workspace, or gives a member another role. */
async function joinWorkspace(
  transaction: Transaction,
  workspaceId: string,
  { id, name, email }: Account,
  role: WorkspaceRole | undefined,
): Promise<void> {
  const { before, after } = await assignRole(transaction, workspaceId, id, role, operatorEditor);
  if (before?.role === after.role) return;
  recordCommand(transaction, workspaceId, {
    action: before ? "member.change" : "member.join",
    target: { kind: "member", id, name },
    ...(before && { before: { role: before.role } }),
    after: { email, role: after.role },
  });
}
