// Handlers of the accounts of the instance.
import { containing } from "../../accounts/members/members.store.ts";
import { type AccountRow, findAccountRow, listPeoplePage } from "../../accounts/people/people-page.store.ts";
import { type AccountChange, changeAccount } from "../../accounts/people/stop-account.ts";
import { announce } from "../../accounts/sign-in/account-mails.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { peopleOperations } from "../../contract/console/operations/people.ts";
import { listKeysSeenEverywhere } from "../../metering/keys/seen-keys.ts";
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

  postInstancePersonDeactivation: (call, { query }) => stop(call, "disable", query.personId),
  postInstancePersonActivation: async (call, { query }) => ({
    data: (await change(call, "enable", query.personId)).record,
  }),
  deleteInstancePersonAccess: (call, { query }) => stop(call, "signOut", query.personId),
  deleteInstancePersonFactors: async (call, { query }) => ({
    data: (await change(call, "dropSecondFactor", query.personId)).record,
  }),
  deleteInstancePersonOperator: async (call, { query }) => {
    const { record, ended } = await change(call, "revokeOperator", query.personId);
    return { data: { ...record, ended } };
  },
};

async function stop(call: ConsoleCall, name: AccountChange, personId: string) {
  const { record, ended } = await change(call, name, personId);
  return { data: { ...record, ended, keys: [...(await listKeysSeenEverywhere(call.transaction, personId))] } };
}

async function change({ context, transaction, actor }: ConsoleCall, name: AccountChange, personId: string) {
  const { person, action, ended } = await changeAccount(transaction, name, personId, auditActorOf(actor));
  announce(context, transaction, person, action);
  const row = await findAccountRow(transaction, personId);
  if (!row) throw consoleErrors.notFound("person");
  return { record: toRecord(row), ended };
}

const toRecord = (row: AccountRow) => ({
  ...row,
  is_operator: Boolean(row.is_operator),
  has_second_factor: Boolean(row.has_second_factor),
});
