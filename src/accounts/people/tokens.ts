// Personal access tokens: with one, a program acts for a person in one workspace. The secret is shown once.
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { ConsoleInput } from "../../contract/console/operations.ts";
import { errors } from "../../contract/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson } from "../../platform/database/sql.ts";
import { addDays } from "../../platform/time.ts";
import { findRole } from "../members/members.store.ts";
import { hashOfToken, newToken, startOfToken } from "./token-secret.ts";
import * as store from "./tokens.store.ts";

/** The most tokens of one person. */
export const tokensMax = 100;

export const listTokens = async (transaction: Transaction, personId: string) =>
  (await store.listTokens(transaction, personId)).map(toToken);

/** @throws Refusal `invalid` for a bad expiry, `not_found` where the person is no member, `conflict` for too many tokens */
export async function createToken(
  transaction: Transaction,
  personId: string,
  { workspaceId, name, scopes, expiresAt }: ConsoleInput<"postToken">["body"],
) {
  const { now } = transaction;
  const endsAt = new Date(expiresAt).toISOString();
  const latest = addDays(now, consoleLimits.tokenDaysMax);
  if (endsAt <= now || endsAt > latest)
    throw errors.invalid(`expiresAt must be in the future and at most ${consoleLimits.tokenDaysMax} days away`);
  if ((await findRole(transaction, workspaceId, personId)) === undefined) throw consoleErrors.notFound("workspace");
  if ((await store.listTokens(transaction, personId)).length >= tokensMax) throw consoleErrors.tooManyTokens(tokensMax);
  const secret = newToken();
  const id = transaction.newId();
  store.insertToken(transaction, {
    id,
    workspace_id: workspaceId,
    person_id: personId,
    name,
    secret_hash: hashOfToken(secret),
    secret_start: startOfToken(secret),
    scopes: JSON.stringify(scopes),
    created_at: now,
    expires_at: endsAt,
  });
  return { ...(await requireToken(transaction, personId, id)), secret };
}

/** @throws Refusal `not_found` */
export async function deleteToken(transaction: Transaction, personId: string, id: string) {
  const token = await requireToken(transaction, personId, id);
  if ((await store.removeToken(transaction, personId, id)) === 0) throw consoleErrors.notFound("access token");
  return token;
}

async function requireToken(transaction: Transaction, personId: string, id: string) {
  const row = await store.findTokenById(transaction, personId, id);
  if (!row) throw consoleErrors.notFound("access token");
  return toToken(row);
}

/** Lists all tokens of a workspace, with their owners. */
export const listWorkspaceTokens = async (transaction: Transaction, workspaceId: string) =>
  (await store.listWorkspaceTokens(transaction, workspaceId)).map(toToken);

/** Ends a token of a workspace, no matter who created it. @throws Refusal `not_found` */
export async function deleteWorkspaceToken(transaction: Transaction, workspaceId: string, id: string) {
  const row = (await store.listWorkspaceTokens(transaction, workspaceId)).find((token) => token.id === id);
  if (!row || (await store.removeToken(transaction, row.person_id, id)) === 0)
    throw consoleErrors.notFound("access token");
  return toToken(row);
}

const toToken = <Row extends { readonly scopes: string }>(row: Row) => ({
  ...row,
  scopes: fromJson<Record<string, "read" | "write">>(row.scopes),
});
