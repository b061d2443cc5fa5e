// Warnings by mail when 80 % and 100 % of a month's quota are used, each once. When the quota grows, by a package for instance, a warning
// that is no longer true is deleted, and is sent again if it becomes true again.
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { oneLine, queueMail } from "../../platform/mail/outbox.ts";
import { boundsOfMonth, dayInWords, monthInWords, monthOf } from "../../platform/time.ts";
import * as store from "./warnings.store.ts";

/** In the order in which a month reaches them. */
export const warningPercents = [80, 100] as const;

const workspacesAtOnce = 256;

/**
 * Checks the quota of every workspace once, and queues the mails.
 * @param origin for the link in the mail
 * @param yieldToCalls called before each portion of workspaces
 * @returns how many workspaces were warned
 */
export async function warnOfQuotas(
  database: Database,
  origin: string,
  yieldToCalls: YieldToCalls = async () => true,
): Promise<number> {
  let sent = 0;
  let last: string | undefined = store.beforeAllWorkspaces;
  while (last !== undefined && (await yieldToCalls())) {
    const after: string = last;
    const { changed, next } = await database.read((transaction) => findChanged(transaction, after));
    for (const { id } of changed)
      if (await database.transaction((transaction) => warn(transaction, id, origin))) sent += 1;
    last = next;
  }
  return sent;
}

/** The workspaces of a portion whose sent warnings differ from the true ones. */
async function findChanged(transaction: Transaction, after: string) {
  const month = monthOf(transaction.now);
  const months = await store.listMonthsAfter(transaction, after, month, workspacesAtOnce);
  const ids = months.map(({ id }) => id);
  const sent = ids.length === 0 ? [] : await store.listWarnings(transaction, ids, month);
  const sentTo = Map.groupBy(sent, (warning) => warning.workspace_id);
  const changed = months.filter((one) => {
    const percents = (sentTo.get(one.id) ?? []).map(({ percent }) => percent);
    return warningPercents.some((percent) =>
      percents.includes(percent) ? !isReached(one, percent) : one.has_administrators && isReached(one, percent),
    );
  });
  return { changed, next: months.length < workspacesAtOnce ? undefined : ids.at(-1) };
}

/** A quota of 0 units is never reached. */
const isReached = ({ balance, granted }: Pick<store.MonthOfWorkspace, "balance" | "granted">, percent: number) =>
  balance !== null && granted > 0 && (granted - balance) * 100 >= granted * percent;

/** @returns whether mail was queued */
async function warn(transaction: Transaction, workspaceId: string, origin: string): Promise<boolean> {
  const month = monthOf(transaction.now);
  const workspace = await store.findMonth(transaction, workspaceId, month);
  if (!workspace) return false;
  for (const percent of warningPercents)
    if (!isReached(workspace, percent)) store.deleteWarning(transaction, workspaceId, month, percent);
  const reached = warningPercents.filter((percent) => isReached(workspace, percent));
  const recipients = reached.length === 0 ? [] : await store.listAdministrators(transaction, workspaceId);
  // Without administrators, the warning waits for the first one.
  if (recipients.length === 0) return false;
  let newPercent: number | undefined;
  for (const percent of reached)
    if (await store.insertWarning(transaction, workspaceId, month, percent)) newPercent = percent;
  // If both were reached since the last check, one mail reports the higher.
  if (newPercent === undefined) return false;
  const mail = mailOf(workspace, month, newPercent, `${origin}/console/w/${workspaceId}/billing`);
  for (const recipient of recipients) queueMail(transaction, { recipient, ...mail });
  return true;
}

const number = (value: number): string => value.toLocaleString("en-US");

function mailOf(workspace: store.MonthOfWorkspace, month: string, percent: number, link: string) {
  const { granted, balance } = workspace;
  const name = oneLine(workspace.name);
  const remaining = balance ?? 0;
  const isUsedUp = remaining === 0;
  const used = `${number(granted - remaining)} of ${number(granted)}`;
  const reset = `${dayInWords(boundsOfMonth(month).before)} at 00:00 UTC`;
  return {
    subject: isUsedUp ? `${name}: no units left this month` : `${name}: ${percent}% of this month's units used`,
    body: [
      "Hello,",
      "",
      isUsedUp
        ? `The workspace “${name}” has used all ${number(granted)} units for ${monthInWords(month)}.`
        : `The workspace “${name}” has used ${used} units for ${monthInWords(month)}, which leaves ${number(remaining)}.`,
      "",
      isUsedUp
        ? "API requests are refused with status 403 until you have units again."
        : "When no units are left, API requests are refused with status 403.",
      `The next monthly allowance is credited on ${reset}.`,
      "",
      "To add units now, buy an add-on package:",
      link,
      "",
      "You received this email because you are an owner or admin of the workspace.",
      "",
    ].join("\n"),
  };
}
