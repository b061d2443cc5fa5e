// The rows of people and of their passwords.
import type { SignInPolicy } from "../../contract/console/sign-in-policies.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { hasIdentity, needsProvider } from "./factors.store.ts";

export interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean | number;
  readonly is_operator: boolean | number;
  readonly two_factor_enabled: boolean | number;
  readonly disabled_at: string | null;
  readonly deleted_at: string | null;
  readonly created_at: string;
}

/** Better Auth's name for a password. */
const passwordProvider = "credential";

const columns = sql`id, name, email, email_verified, is_operator, two_factor_enabled, disabled_at, deleted_at, created_at`;

export const findPerson = (transaction: Transaction, id: string): Promise<PersonRow | undefined> =>
  transaction.first<PersonRow>(sql`select ${columns} from people where id = ${id}`);

/** @param email in lower case */
export const findPersonByEmail = (transaction: Transaction, email: string): Promise<PersonRow | undefined> =>
  transaction.first<PersonRow>(sql`select ${columns} from people where email = ${email}`);

/** @param credentialId as the browser sends it */
export const findPersonByPasskey = (transaction: Transaction, credentialId: string): Promise<PersonRow | undefined> =>
  transaction.first<PersonRow>(
    sql`select ${columns} from people
        where id = (select person_id from person_passkeys where credential_id = ${credentialId})`,
  );

export const listPeople = (transaction: Transaction): Promise<PersonRow[]> =>
  transaction.all<PersonRow>(sql`select ${columns} from people where deleted_at is null order by id`);

/** False in a new instance. */
export const hasPeople = async (transaction: Transaction): Promise<boolean> =>
  (await transaction.first(sql`select id from people limit 1`)) !== undefined;

export interface NewPerson {
  readonly name: string;
  readonly email: string;
  /** Mail to the address is known to reach the person. */
  readonly isEmailVerified: boolean;
  readonly isOperator: boolean;
}

/** @returns the id; undefined where the address has an account */
export async function insertPerson(transaction: Transaction, person: NewPerson): Promise<string | undefined> {
  const { name, email, isEmailVerified, isOperator } = person;
  const id = transaction.newId();
  const inserted = await transaction.run(
    sql`insert into people
          (id, name, email, email_verified, image, two_factor_enabled, is_operator, created_at, updated_at)
        values (${id}, ${name}, ${email}, ${isEmailVerified}, null, ${false}, ${isOperator},
          ${transaction.now}, ${transaction.now})
        on conflict (email) do nothing`,
  );
  return inserted === 1 ? id : undefined;
}

export const renamePerson = (transaction: Transaction, id: string, name: string): void =>
  transaction.send(sql`update people set name = ${name}, updated_at = ${transaction.now} where id = ${id}`);

export const revokeOperator = (transaction: Transaction, id: string): void =>
  transaction.send(sql`update people set is_operator = ${false}, updated_at = ${transaction.now} where id = ${id}`);

/** @param disabledAt null to enable the account */
export const saveDisabledAt = (transaction: Transaction, id: string, disabledAt: string | null): void =>
  transaction.send(
    sql`update people set disabled_at = ${disabledAt}, updated_at = ${transaction.now} where id = ${id}`,
  );

export const makeOperator = (transaction: Transaction, id: string): void =>
  transaction.send(sql`update people set is_operator = ${true}, updated_at = ${transaction.now} where id = ${id}`);

export const saveSingleSignOn = (transaction: Transaction, id: string): void =>
  transaction.send(sql`update people set single_sign_on_at = ${transaction.now} where id = ${id}`);

/** When a person who can only sign in through the OpenID provider last did; undefined for others. */
export const findNeededSingleSignOn = async (transaction: Transaction, id: string): Promise<string | undefined> =>
  (
    await transaction.first<{ single_sign_on_at: string }>(
      sql`select p.single_sign_on_at from people p
          where p.id = ${id} and p.single_sign_on_at is not null and ${needsProvider}`,
    )
  )?.single_sign_on_at;

/** Whether a person has signed in through the OpenID provider, and has no password. */
export const usesOnlySingleSignOn = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.first(
    sql`select p.id from people p where p.id = ${id} and ${hasIdentity} and not exists
          (select 1 from person_credentials c where c.person_id = p.id and c.provider_id = ${passwordProvider})`,
  )) !== undefined;

/** Marks the address of an account as verified. @returns whether it was not before */
export const verifyEmail = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.run(
    sql`update people set email_verified = ${true}, updated_at = ${transaction.now}
        where id = ${id} and email_verified = ${false}`,
  )) === 1;

/**
 * Verifies the address of an account for a person who has just proved that it is theirs, without its password. If it was not verified before,
 * another person may have created the account, so everything that this person could sign in with is deleted.
 *
 * @returns whether the address was not verified before
 */
export async function takeOver(transaction: Transaction, id: string): Promise<boolean> {
  if (!(await verifyEmail(transaction, id))) return false;
  deleteSecondFactors(transaction, id);
  deleteVerifications(transaction, id);
  transaction.send(sql`delete from person_sessions where person_id = ${id}`);
  transaction.send(sql`delete from access_tokens where person_id = ${id}`);
  transaction.send(sql`delete from person_credentials where person_id = ${id} and provider_id = ${passwordProvider}`);
  return true;
}

/** The address of the person of an unfinished sign-in. */
export async function findEmailOfVerification(
  transaction: Transaction,
  identifier: string,
): Promise<string | undefined> {
  const found = await transaction.first<{ value: string }>(
    sql`select value from person_verifications where identifier = ${identifier} and expires_at > ${transaction.now}`,
  );
  return found && (await findPerson(transaction, found.value))?.email;
}

/** Uses up the token of a link. @returns false where this person has no such link, or it has expired */
export const removeVerification = async (
  transaction: Transaction,
  personId: string,
  identifier: string,
): Promise<boolean> =>
  (await transaction.run(
    sql`delete from person_verifications
        where identifier = ${identifier} and value = ${personId} and expires_at > ${transaction.now}`,
  )) === 1;

/** Uses up the token of a link. @returns the ID of its person; undefined if there is no such link, or it has expired */
export const takeVerification = async (transaction: Transaction, identifier: string): Promise<string | undefined> =>
  (
    await transaction.first<{ value: string }>(
      sql`delete from person_verifications where identifier = ${identifier} and expires_at > ${transaction.now}
          returning value`,
    )
  )?.value;

/** Deletes unused links and unfinished sign-ins after the password was changed. */
export const deleteVerifications = (transaction: Transaction, id: string): void =>
  transaction.send(sql`delete from person_verifications where value = ${id}`);

/** Deletes one-time codes and passkeys, for a person who lost them. */
export function deleteSecondFactors(transaction: Transaction, id: string): void {
  transaction.send(sql`delete from person_second_factors where person_id = ${id}`);
  transaction.send(sql`delete from person_passkeys where person_id = ${id}`);
  transaction.send(
    sql`update people set two_factor_enabled = ${false}, updated_at = ${transaction.now} where id = ${id}`,
  );
}

/** Only for a person without a password. */
export const insertPassword = (transaction: Transaction, personId: string, passwordHash: string): void =>
  transaction.insert("person_credentials", [
    {
      id: transaction.newId(),
      person_id: personId,
      provider_id: passwordProvider,
      account_id: personId,
      password: passwordHash,
      created_at: transaction.now,
      updated_at: transaction.now,
    },
  ]);

export async function findPasswordHash(transaction: Transaction, personId: string): Promise<string | undefined> {
  const row = await transaction.first<{ password: string | null }>(
    sql`select password from person_credentials where person_id = ${personId} and provider_id = ${passwordProvider}`,
  );
  return row?.password ?? undefined;
}

export interface MembershipRow {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly subscription: "active" | "inactive";
  readonly sign_in_policy: SignInPolicy;
  readonly deleted_at: string | null;
  readonly role: "owner" | "admin" | "member";
}

/** Lists the workspaces of a member, by name. */
export const listMemberships = (transaction: Transaction, personId: string): Promise<MembershipRow[]> =>
  transaction.all<MembershipRow>(
    sql`select m.workspace_id, w.name as workspace_name, w.subscription, w.sign_in_policy, w.deleted_at, m.role
        from memberships m join workspaces w on w.id = m.workspace_id
        where m.person_id = ${personId} order by w.name, w.id`,
  );

export const listWorkspacesWithoutOwner = async (transaction: Transaction): Promise<string[]> => {
  const rows = await transaction.all<{ id: string }>(
    sql`select w.id from workspaces w
        where not exists (select 1 from memberships m where m.workspace_id = w.id and m.role = 'owner') order by w.id`,
  );
  return rows.map((row) => row.id);
};
