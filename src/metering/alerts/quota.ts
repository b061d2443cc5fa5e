// Alerts when 80 % and 100 % of a month's quota are used, each once. When the quota grows, by a package for instance, the record of an
// alert that is no longer true is deleted, and the alert is sent again if it becomes true again.
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { oneLine } from "../../platform/mail/outbox.ts";
import { boundsOfMonth, dayInWords, monthInWords, monthOf } from "../../platform/time.ts";
import { isBilled } from "../billing/billed-months.ts";
import * as store from "./quota.store.ts";
import { type Alert, type AlertContext, raiseAlert } from "./raise.ts";

/** In the order in which a month reaches them. */
export const warningPercents = [80, 100] as const;

const workspacesAtOnce = 256;

/**
 * Checks the quota of every workspace once, and raises the alerts that are due.
 * @param yieldToCalls called before each portion of workspaces
 * @returns how many workspaces were alerted
 */
export async function warnOfQuotas(
  database: Database,
  context: AlertContext,
  yieldToCalls: YieldToCalls = async () => true,
): Promise<number> {
  let sent = 0;
  let last: string | undefined = store.beforeAllWorkspaces;
  while (last !== undefined && (await yieldToCalls())) {
    const after: string = last;
    const { changed, next } = await database.read((transaction) => findChanged(transaction, after, context.hasMail));
    for (const { id } of changed)
      if (await database.transaction((transaction) => warn(transaction, id, context))) sent += 1;
    last = next;
  }
  return sent;
}

/** The workspaces of a portion whose sent alerts differ from the true ones. */
async function findChanged(transaction: Transaction, after: string, hasMail: boolean) {
  const month = monthOf(transaction.now);
  const months = await store.listMonthsAfter(transaction, after, month, hasMail, workspacesAtOnce);
  const ids = months.map(({ id }) => id);
  const sent = ids.length === 0 ? [] : await store.listWarnings(transaction, ids, month);
  const sentTo = Map.groupBy(sent, (warning) => warning.workspace_id);
  const changed = months.filter((one) => {
    const percents = (sentTo.get(one.id) ?? []).map(({ percent }) => percent);
    return warningPercents.some((percent) => percents.includes(percent) !== isReached(one, percent));
  });
  return { changed, next: months.length < workspacesAtOnce ? undefined : ids.at(-1) };
}

/** A quota of 0 units is never reached. */
const isReached = ({ balance, granted }: Pick<store.MonthOfWorkspace, "balance" | "granted">, percent: number) =>
  balance !== null && granted > 0 && (granted - balance) * 100 >= granted * percent;

/** @returns whether an alert was raised */
async function warn(transaction: Transaction, workspaceId: string, context: AlertContext): Promise<boolean> {
  const month = monthOf(transaction.now);
  const workspace = await store.findMonth(transaction, workspaceId, month, context.hasMail);
  if (!workspace) return false;
  let newPercent: number | undefined;
  for (const percent of warningPercents)
    if (!isReached(workspace, percent)) store.deleteWarning(transaction, workspaceId, month, percent);
    else if (await store.insertWarning(transaction, workspaceId, month, percent)) newPercent = percent;
  // If both were reached since the last check, one alert reports the higher.
  if (newPercent === undefined) return false;
  await raiseAlert(transaction, alertOf(workspace, month, newPercent, context), context);
  return true;
}

const number = (value: number): string => value.toLocaleString("en-US");

function alertOf(workspace: store.MonthOfWorkspace, month: string, percent: number, context: AlertContext): Alert {
  const { id, granted, balance } = workspace;
  const { origin, billedFrom } = context;
  const name = oneLine(workspace.name);
  const remaining = balance ?? 0;
  const isUsedUp = remaining === 0;
  const used = `${number(granted - remaining)} of ${number(granted)}`;
  const reset = `${dayInWords(boundsOfMonth(month).before)} at 00:00 UTC`;
  return {
    type: "quota.reached",
    workspace,
    data: { month, percent, units_granted: granted, units_used: granted - remaining, units_left: remaining },
    subject: isUsedUp ? `${name}: no units left this month` : `${name}: ${percent}% of this month's units used`,
    lines: [
      isUsedUp
        ? `The workspace “${name}” has used all ${number(granted)} units for ${monthInWords(month)}.`
        : `The workspace “${name}” has used ${used} units for ${monthInWords(month)}, which leaves ${number(remaining)}.`,
      "",
      isUsedUp
        ? "API requests are refused with status 403 until you have units again."
        : "When no units are left, API requests are refused with status 403.",
      `The next monthly allowance will be credited on ${reset}.`,
      "",
      ...(isBilled(month, billedFrom)
        ? ["To add units now, buy an add-on package:", `${origin}/console/w/${id}/billing`]
        : ["To get more units now, ask the operator of this service to raise the monthly allowance."]),
    ],
  };
}
