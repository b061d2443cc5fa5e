// ./commonplace member …: the people who sign in to the console. `member create` is also the way back in for whoever lost theirs.

import { noWorkspace } from "../../accounts/audit/audit.ts";
import { operatorEditor } from "../../accounts/members/editor.ts";
import { assignRole } from "../../accounts/members/members.ts";
import { makePasswordToken, passwordLink } from "../../accounts/people/password-links.ts";
import {
  confirmEmail,
  deleteSecondFactors,
  findPerson,
  findPersonByEmail,
  insertPerson,
  listMemberships,
  listPeople,
  makeOperator,
  type PersonRow,
  renamePerson,
} from "../../accounts/people/people.store.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import type { Config } from "../../config.ts";
import { type WorkspaceRole, workspaceRoles } from "../../contract/console/actions.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { originOf } from "../../platform/http/origin.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { addMinutes } from "../../platform/time.ts";
import type { Command, ParsedOptions } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { nameOption, readId, readName } from "./options.ts";
import { bold, formatFields, formatMoment, formatTable, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

interface Wanted {
  readonly email: string;
  readonly name: string | undefined;
  readonly isOperator: boolean;
  readonly dropsSecondFactor: boolean;
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
      const wanted = await readWanted(context.options);
      const origin = await publicOrigin(context.config);
      const made = await inTransaction(context, (transaction) => createMember(transaction, wanted));
      const link = passwordLink(origin, made.token);
      const { id, name, email } = made.person;
      const isOperator = Boolean(made.person.is_operator);
      printResult(
        context,
        { id, name, email, is_operator: isOperator, is_new: made.isNew, link, expires_at: made.expiresAt },
        [
          ...formatFields({
            id,
            name,
            email,
            operator: isOperator ? "yes" : "no",
            "link until": formatMoment(made.expiresAt),
          }),
          "",
          `  ${bold(link)}`,
          "",
          `${made.isNew ? "With this link they set a password" : "With this link they set a new password"}. It works once.`,
          "It leads to where the settings in this terminal put the service.",
        ],
      );
    },
  },
  {
    name: "member list",
    summary: "List everybody who signs in to the console",
    options: {},
    run: async (context) => {
      const people = await readDatabase(context, async (transaction) =>
        Promise.all(
          (await listPeople(transaction)).map(async (person) => ({
            ...{ id: person.id, name: person.name, email: person.email, created_at: person.created_at },
            is_operator: Boolean(person.is_operator),
            has_second_factor: Boolean(person.two_factor_enabled),
            workspaces: (await listMemberships(transaction, person.id)).map(({ workspace_id, role }) => ({
              ...{ workspace_id, role },
            })),
          })),
        ),
      );
      const rows = people.map((one) => [...[one.id, one.is_operator ? "yes" : "no", one.workspaces.length], one.email]);
      printResult(context, people, formatTable(["ID", "OPERATOR", "WORKSPACES", "EMAIL"], rows));
    },
  },
];

async function readWanted(options: ParsedOptions): Promise<Wanted> {
  const { email: emailShape } = await import("../../contract/console/fields.ts");
  const address = emailShape().safeParse(options.required("email"));
  if (!address.success) return options.refuse("--email must be an e-mail address");
  const [workspace, text] = [options.text("workspace"), options.text("role")];
  const role = workspaceRoles.find((candidate) => candidate === text);
  if (text !== undefined && role === undefined) return options.refuse(`--role must be ${workspaceRoles.join(", ")}`);
  if (role !== undefined && workspace === undefined) return options.refuse("--role goes with --workspace ID");
  return {
    ...{ email: address.data, name: readName(options), role },
    workspaceId: workspace === undefined ? undefined : readId(options, "workspace"),
    isOperator: options.isSet("operator"),
    dropsSecondFactor: options.isSet("drop-second-factor"),
  };
}

/** As the service itself would say it. */
async function publicOrigin(config: Config): Promise<string> {
  if (config.publicOrigin !== undefined || !config.tls) return originOf(config, undefined, config.port);
  const { loadCertificate } = await import("../../platform/tls/certificates.ts");
  const certificate = await loadCertificate(config);
  return originOf(config, certificate.hostName, config.port);
}

async function createMember(transaction: Transaction, wanted: Wanted) {
  const { email, name, workspaceId } = wanted;
  if (workspaceId !== undefined) await requireWorkspace(transaction, workspaceId);
  const known = await findPersonByEmail(transaction, email);
  const id = known?.id ?? (await insertNew(transaction, wanted));
  if (known && name !== undefined) renamePerson(transaction, id, name);
  // The operator's word for whose address it is.
  if (known) await confirmEmail(transaction, id, { keepsPassword: false });
  if (known && wanted.isOperator) makeOperator(transaction, id);
  if (known && wanted.dropsSecondFactor) deleteSecondFactors(transaction, id);
  const person = await requirePerson(transaction, id);
  record(transaction, wanted, known, person);
  if (workspaceId !== undefined) await join(transaction, workspaceId, person, wanted.role);
  const minutes = consoleLimits.resetLinkMinutes;
  return {
    ...{ person, isNew: known === undefined, token: makePasswordToken(transaction, id, minutes) },
    expiresAt: addMinutes(transaction.now, minutes),
  };
}

async function insertNew(transaction: Transaction, { email, name, isOperator }: Wanted): Promise<string> {
  const fallback = email.split("@")[0] ?? email;
  const id = await insertPerson(transaction, { name: name ?? fallback, email, isEmailVerified: true, isOperator });
  if (id === undefined)
    throw new OperatorError(`somebody with the address ${email} was made at the same moment; try again`);
  return id;
}

async function requirePerson(transaction: Transaction, id: string): Promise<PersonRow> {
  const person = await findPerson(transaction, id);
  if (!person) throw new OperatorError("the member was removed at the same moment; try again");
  return person;
}

function record(transaction: Transaction, wanted: Wanted, known: PersonRow | undefined, person: PersonRow): void {
  const stateOf = ({ name, email, is_operator, two_factor_enabled }: PersonRow) => ({
    ...{ name, email, is_operator: Boolean(is_operator), has_second_factor: Boolean(two_factor_enabled) },
  });
  recordCommand(transaction, noWorkspace, {
    action: known ? "member.password_link" : "member.create",
    target: { kind: "member", id: person.id, name: person.name },
    ...(known && { before: stateOf(known) }),
    after: { ...stateOf(person), ...(wanted.dropsSecondFactor && { second_factor_dropped: true }) },
  });
}

/** Makes a person a member of the workspace, or gives a member another role. */
async function join(
  transaction: Transaction,
  workspaceId: string,
  { id, name, email }: PersonRow,
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
