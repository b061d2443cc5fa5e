// Handlers of the accounts of the instance.
import { recordAccountEntry } from "../../accounts/audit/audit.ts";
import { containing } from "../../accounts/members/members.store.ts";
import { type AccountRow, findAccountRow, listPeoplePage } from "../../accounts/people/people-page.store.ts";
import { type AccountChange, changeAccount } from "../../accounts/people/stop-account.ts";
import { announce } from "../../accounts/sign-in/account-mails.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { peopleOperations } from "../../contract/console/operations/people.ts";
import { auditActorOf } from "../actor.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { pageOf, parseNameCursor } from "../paging.ts";

export const peopleHandlers: HandlersOf<typeof peopleOperations> = {
  getInstancePeople: async ({ transaction }, { query: { search, cursor, limit } }) => {
    const pattern = search === undefined ? undefined : containing(search);
    const rows = await listPeoplePage(transaction, { pattern, after: parseNameCursor(cursor), limit });
    const { page, nextCursor } = pageOf(rows, limit, ({ name, id }) => [name, id]);
    return { data: page.map(toRecord), nextCursor };
  },

  postInstancePersonDeactivation: (call, { query }) => change(call, "disable", query.personId),
  postInstancePersonActivation: (call, { query }) => change(call, "enable", query.personId),
  deleteInstancePersonAccess: (call, { query }) => change(call, "signOut", query.personId),
  deleteInstancePersonFactors: (call, { query }) => change(call, "dropSecondFactor", query.personId),
  deleteInstancePersonOperator: (call, { query }) => change(call, "revokeOperator", query.personId),
};

async function change({ context, transaction, actor }: ConsoleCall, name: AccountChange, personId: string) {
  const { person, entry } = await changeAccount(transaction, name, personId, actor.personId);
  recordAccountEntry(transaction, auditActorOf(actor), person, entry);
  announce(context, transaction, person, entry.action);
  const row = await findAccountRow(transaction, personId);
  if (!row) throw consoleErrors.notFound("person");
  return { data: toRecord(row) };
}

const toRecord = (row: AccountRow) => ({
  ...row,
  is_operator: Boolean(row.is_operator),
  has_second_factor: Boolean(row.has_second_factor),
});
