// Links that sign a person in, once. Only a trial instance makes them: who sees its terminal is the only person who uses it.
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { identifierOfLink, makeLinkToken } from "./password-links.ts";
import { findPerson, type PersonRow, takeVerification } from "./people.store.ts";

/** The page that signs in. The token follows the #, which browsers do not send and servers do not log. */
export const signInLink = (origin: string, token: string): string => `${origin}/console/enter#${token}`;

/** @returns the token; only its hash is stored */
export const makeSignInToken = (transaction: Transaction, personId: string): string =>
  makeLinkToken(transaction, "sign-in", personId, consoleLimits.firstLinkMinutes);

/** Uses up a link. @returns the person that it signs in @throws Refusal `not_found` for a link that was used or has expired */
export async function useSignInToken(transaction: Transaction, token: string): Promise<PersonRow> {
  const id = await takeVerification(transaction, identifierOfLink("sign-in", token));
  const person = id === undefined ? undefined : await findPerson(transaction, id);
  if (!person || person.disabled_at !== null || person.deleted_at !== null) throw consoleErrors.notFound("link");
  return person;
}
