// Accounts as the operator of the instance manages them.
import type { Transaction } from "../../platform/database/database.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Invitation } from "../invitations/invitations.ts";
import { revokeAllSent } from "../invitations/revocation.ts";
import * as store from "./people.store.ts";

export interface AccountRequest {
  /** In lower case. */
  readonly email: string;
  /** Undefined: the name stays, or is made from the address. */
  readonly name: string | undefined;
  readonly isOperator: boolean;
  readonly dropsSecondFactor: boolean;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly is_operator: boolean;
  readonly has_second_factor: boolean;
  readonly is_disabled: boolean;
  readonly created_at: string;
}

/**
 * Creates the account with this address, or changes the one that exists.
 * @returns `before` is undefined for a new account; `revoked` has the invitations that someone else may have sent from it
 * @throws OperatorError if somebody else creates or removes it at the same moment
 */
export async function saveAccount(
  transaction: Transaction,
  request: AccountRequest,
): Promise<{ before: Account | undefined; after: Account; revoked: readonly Invitation[] }> {
  const { email, name, isOperator, dropsSecondFactor } = request;
  const existing = await store.findPersonByEmail(transaction, email);
  if (!existing)
    return {
      before: undefined,
      after: await requireAccount(transaction, await insert(transaction, request)),
      revoked: [],
    };
  const { id } = existing;
  if (name !== undefined) store.renamePerson(transaction, id, name);
  // The operator confirms who owns the address.
  const revoked = (await store.takeOver(transaction, id)) ? await revokeAllSent(transaction, id) : [];
  if (isOperator) store.makeOperator(transaction, id);
  if (dropsSecondFactor) store.deleteSecondFactors(transaction, id);
  return { before: toAccount(existing), after: await requireAccount(transaction, id), revoked };
}

/** All accounts, each with its workspaces. */
export async function listAccounts(transaction: Transaction) {
  const people = await store.listPeople(transaction);
  return Promise.all(
    people.map(async (person) => ({
      ...toAccount(person),
      workspaces: (await store.listMemberships(transaction, person.id)).map(({ workspace_id, role }) => ({
        workspace_id,
        role,
      })),
    })),
  );
}

async function insert(transaction: Transaction, { email, name, isOperator }: AccountRequest): Promise<string> {
  const nameOfAddress = email.split("@")[0] ?? email;
  const id = await store.insertPerson(transaction, {
    name: name ?? nameOfAddress,
    email,
    isEmailVerified: true,
    isOperator,
  });
  if (id === undefined) throw new OperatorError(`an account for ${email} was created at the same time; try again`);
  return id;
}

async function requireAccount(transaction: Transaction, id: string): Promise<Account> {
  const person = await store.findPerson(transaction, id);
  if (!person) throw new OperatorError("the account was removed at the same time; try again");
  return toAccount(person);
}

const toAccount = (person: store.PersonRow): Account => ({
  id: person.id,
  name: person.name,
  email: person.email,
  created_at: person.created_at,
  is_operator: Boolean(person.is_operator),
  has_second_factor: Boolean(person.two_factor_enabled),
  is_disabled: person.disabled_at !== null,
});
