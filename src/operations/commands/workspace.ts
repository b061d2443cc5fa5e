// ./commonplace workspace …: the paying customers of the instance.
import { changeSignInPolicy, policyEntry } from "../../accounts/sign-in/policy.ts";
import { removalOf } from "../../accounts/workspaces/deletion.ts";
import type { Workspace } from "../../accounts/workspaces/workspaces.store.ts";
import { createWorkspace, listWorkspaces, requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { type SignInPolicy, signInPolicies } from "../../contract/console/sign-in-policies.ts";
import { bytesPerMebibyte, limits } from "../../contract/limits.ts";
import { usd } from "../../metering/billing/price.ts";
import { type Credit, changeCreditLimit, readCredit } from "../../metering/payments/credit.ts";
import { changeWorkspace } from "../../metering/quota/allowance.ts";
import {
  changeStorageLimit,
  mebibytesOf,
  readStorage,
  type Storage,
  toStorageRecord,
} from "../../metering/storage/storage.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { formatMebibytes, formatMoment } from "../format.ts";
import type { Command, ParsedOptions } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import {
  monthlyRequestsOption,
  nameOption,
  readId,
  readMonthlyRequests,
  readName,
  readRequiredName,
  workspaceOption,
} from "./options.ts";
import { formatDay, formatFields, formatTable, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

const policyWords: Readonly<Record<SignInPolicy, string>> = {
  any: "any",
  second_factor: "second-factor",
  single_sign_on: "single-sign-on",
  second_factor_or_single_sign_on: "second-factor-or-single-sign-on",
};

/** What is known of a workspace besides its row. */
interface Standing {
  readonly storage: Storage;
  readonly credit: Credit;
}

const readStanding = async (transaction: Transaction, id: string, storageBytesMax: number): Promise<Standing> => ({
  storage: await readStorage(transaction, id, storageBytesMax),
  credit: await readCredit(transaction, id),
});

const toRecord = (workspace: Workspace, { storage, credit }: Standing) => ({
  ...workspace,
  storage: toStorageRecord(storage),
  credit,
});

const formatWorkspace = (workspace: Workspace, standing?: Standing): string[] =>
  formatFields({
    id: workspace.id,
    name: workspace.name,
    "monthly allowance": workspace.monthly_requests,
    subscription: workspace.subscription,
    ...(workspace.deleted_at !== null && {
      deleted: `will be permanently removed on ${formatDay(removalOf(workspace.deleted_at))}`,
    }),
    "sign-in": policyWords[workspace.sign_in_policy],
    ...(standing && { storage: formatStorage(standing.storage), credit: formatCredit(standing.credit) }),
    created: formatMoment(workspace.created_at),
  });

const formatStorage = ({ bytes, bytesMax, isOwnLimit }: Storage): string =>
  `${formatMebibytes(bytes)} of ${formatMebibytes(bytesMax)}${isOwnLimit ? "" : ", the default limit"}`;

const formatCredit = ({ limit_cents, open_cents }: Credit): string =>
  `${usd(open_cents)} unpaid, with a limit of ${usd(limit_cents)}`;

const targetOf = ({ id, name }: Workspace) => ({ kind: "workspace", id, name });
const auditedFields = ({ name, monthly_requests, subscription }: Workspace) => ({
  name,
  monthly_requests,
  subscription,
});

export const workspaceCommands: readonly Command[] = [
  {
    name: "workspace create",
    summary: "Create a workspace",
    options: { name: nameOption, "monthly-requests": monthlyRequestsOption },
    run: async (context) => {
      const name = readRequiredName(context.options);
      const allowance = readMonthlyRequests(context.options) ?? context.config.monthlyRequests;
      const create = async (transaction: Transaction) => {
        const created = await createWorkspace(transaction, name, allowance);
        recordCommand(transaction, created.id, {
          action: "workspace.create",
          target: targetOf(created),
          after: auditedFields(created),
        });
        return created;
      };
      const workspace = await inTransaction(context, create, true);
      printResult(context, workspace, formatWorkspace(workspace));
    },
  },
  {
    name: "workspace list",
    summary: "List the workspaces",
    options: {},
    run: async (context) => {
      const workspaces = await readDatabase(context, listWorkspaces);
      const rows = workspaces.map((one) => [one.id, one.monthly_requests, one.subscription, one.name]);
      printResult(
        context,
        workspaces,
        formatTable(["ID", "ALLOWANCE", "SUBSCRIPTION", "NAME"], rows, "No workspaces yet."),
      );
    },
  },
  {
    name: "workspace show",
    summary: "Show a workspace",
    options: { workspace: workspaceOption },
    run: async (context) => {
      const id = readId(context.options, "workspace");
      const { workspace, standing } = await readDatabase(context, async (transaction) => ({
        workspace: await requireWorkspace(transaction, id),
        standing: await readStanding(transaction, id, context.config.storageBytesMax),
      }));
      printResult(context, toRecord(workspace, standing), formatWorkspace(workspace, standing));
    },
  },
  {
    name: "workspace change",
    summary: "Change a workspace's name, subscription, policy, or limits",
    options: {
      workspace: workspaceOption,
      name: { ...nameOption, isRequired: false },
      "monthly-requests": monthlyRequestsOption,
      subscription: { value: "active|inactive", meaning: 'With "inactive", the API refuses all requests' },
      "sign-in": {
        value: "POLICY",
        meaning: `How members must sign in: ${Object.values(policyWords).join(", ")}; "any" removes the requirement`,
      },
      "storage-mib": {
        value: "N|default",
        meaning: 'Storage limit in MiB, or "default" to use COMMONPLACE_STORAGE_MIB',
      },
      "credit-limit": {
        value: "USD",
        meaning: "Maximum unpaid total of packages bought in the console (initially 0)",
      },
    },
    run: async (context) => {
      const { options } = context;
      const [name, allowance, subscription] = [
        readName(options),
        readMonthlyRequests(options),
        options.text("subscription"),
      ];
      if (subscription !== undefined && subscription !== "active" && subscription !== "inactive")
        return options.refuse("--subscription must be active or inactive");
      const storageMebibytes = readStorageMebibytes(options);
      const creditLimitCents = readCreditLimit(options);
      const policy = readPolicy(options);
      const changesRow = name !== undefined || allowance !== undefined || subscription !== undefined;
      if (!changesRow && [policy, storageMebibytes, creditLimitCents].every((value) => value === undefined))
        return options.refuse(
          "nothing to change: use --name, --monthly-requests, --subscription, --sign-in, --storage-mib, or --credit-limit",
        );
      const { storageBytesMax } = context.config;
      const { workspace, standing } = await inTransaction(context, async (transaction) => {
        const id = readId(options, "workspace");
        if (policy !== undefined) {
          const provider = context.config.openId?.name;
          const changed = await changeSignInPolicy(transaction, id, policy, { provider, shown: undefined });
          recordCommand(transaction, id, policyEntry(changed.before, changed.after));
        }
        const { before, after } = await changeWorkspace(transaction, id, {
          name,
          monthly_requests: allowance,
          subscription,
        });
        const target = targetOf(after);
        if (changesRow)
          recordCommand(transaction, after.id, {
            action: "workspace.change",
            target,
            before: auditedFields(before),
            after: auditedFields(after),
          });
        if (storageMebibytes !== undefined) {
          const bytesMax = storageMebibytes === "default" ? null : storageMebibytes * bytesPerMebibyte;
          const limit = await changeStorageLimit(transaction, after.id, bytesMax, storageBytesMax);
          recordCommand(transaction, after.id, {
            action: "storage.change",
            target,
            before: { storage_mib: mebibytesOf(limit.before) },
            after: { storage_mib: mebibytesOf(limit.after) },
          });
        }
        if (creditLimitCents !== undefined) {
          const credit = await changeCreditLimit(transaction, after.id, creditLimitCents);
          recordCommand(transaction, after.id, {
            action: "credit_limit.change",
            target,
            before: { credit_limit: usd(credit.before.limit_cents) },
            after: { credit_limit: usd(credit.after.limit_cents) },
          });
        }
        return { workspace: after, standing: await readStanding(transaction, after.id, storageBytesMax) };
      });
      printResult(context, toRecord(workspace, standing), formatWorkspace(workspace, standing));
    },
  },
];

function readPolicy(options: ParsedOptions): SignInPolicy | undefined {
  const text = options.text("sign-in");
  if (text === undefined) return undefined;
  const policy = signInPolicies.find((candidate) => policyWords[candidate] === text);
  return policy ?? options.refuse(`--sign-in must be one of: ${Object.values(policyWords).join(", ")}`);
}

function readStorageMebibytes(options: ParsedOptions): number | "default" | undefined {
  const text = options.text("storage-mib");
  if (text === undefined || text === "default") return text;
  const isValid = /^\d{1,10}$/.test(text) && Number(text) <= limits.storageMebibytesMax;
  return isValid
    ? Number(text)
    : options.refuse(`--storage-mib must be a whole number from 0 to ${limits.storageMebibytesMax}, or default`);
}

const centsPerDollar = 100;

function readCreditLimit(options: ParsedOptions): number | undefined {
  const text = options.text("credit-limit");
  if (text === undefined) return undefined;
  const cents = /^\d{1,9}(\.\d\d)?$/.test(text) ? Math.round(Number(text) * centsPerDollar) : Number.NaN;
  return cents <= consoleLimits.creditLimitCentsMax
    ? cents
    : options.refuse(
        `--credit-limit must be an amount such as 250 or 250.00, at most ${consoleLimits.creditLimitCentsMax / centsPerDollar}`,
      );
}
