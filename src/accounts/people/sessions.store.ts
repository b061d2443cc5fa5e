// The rows of sessions and access tokens, as the authorization of each console call reads them.

import type { Config } from "../../config.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { addDays, addHours } from "../../platform/time.ts";
import { hasFactor, needsProvider } from "./factors.store.ts";

/** How long sign-ins count, and the provider that refusals name. */
export type SignInLimits = Pick<Config, "sessionDaysMax" | "singleSignOn" | "openId">;

/** A session that has not expired, with its person. */
export interface SessionRow {
  id: string;
  person_id: string;
  name: string;
  email: string;
  is_operator: boolean | number;
  created_at: string;
  updated_at: string;
  /** When the person last gave a password or signed in; null where that is not known. */
  confirmed_at: string | null;
  expires_at: string;
  sign_in_method: "password" | "passkey" | "single_sign_on";
  /** A second factor was shown, and the account still has one. */
  has_second_factor: boolean | number;
  has_factor: boolean | number;
}

/** When a session ends, however much it is used. */
export function lastEndOf(
  { created_at, sign_in_method }: Pick<SessionRow, "created_at" | "sign_in_method">,
  { sessionDaysMax, singleSignOn }: SignInLimits,
): string {
  const end = addDays(created_at, sessionDaysMax);
  if (sign_in_method !== "single_sign_on") return end;
  const endOfSignIn = addHours(created_at, singleSignOn.sessionHours);
  return endOfSignIn < end ? endOfSignIn : end;
}

export const findSession = async (
  transaction: Transaction,
  tokenHash: string,
  limits: SignInLimits,
): Promise<SessionRow | undefined> => {
  const row = await findUnexpiredSession(transaction, tokenHash);
  return row && lastEndOf(row, limits) > transaction.now ? row : undefined;
};

const findUnexpiredSession = (transaction: Transaction, tokenHash: string): Promise<SessionRow | undefined> =>
  transaction.first<SessionRow>(
    sql`select s.id, s.person_id, p.name, p.email, p.is_operator, s.created_at, s.updated_at, s.confirmed_at, s.expires_at,
          s.sign_in_method, (s.has_second_factor and ${hasFactor}) as has_second_factor, ${hasFactor} as has_factor
        from person_sessions s join people p on p.id = s.person_id
        where s.token = ${tokenHash} and s.expires_at > ${transaction.now} and p.disabled_at is null`,
  );

/** Records that the person of a session has shown a second factor. */
export const saveSecondFactorShown = (transaction: Transaction, tokenHash: string): void =>
  transaction.send(sql`update person_sessions set has_second_factor = ${true} where token = ${tokenHash}`);

/** Extends a session in use. */
export const extendSession = (transaction: Transaction, id: string, expiresAt: string): void =>
  transaction.send(
    sql`update person_sessions set expires_at = ${expiresAt}, updated_at = ${transaction.now} where id = ${id}`,
  );

export interface NewSession {
  readonly personId: string;
  readonly tokenHash: string;
  readonly clientAddress: string;
  readonly userAgent: string | null;
  readonly expiresAt: string;
}

export const insertSession = (transaction: Transaction, session: NewSession): void =>
  transaction.insert("person_sessions", [
    {
      id: transaction.newId(),
      person_id: session.personId,
      token: session.tokenHash,
      ip_address: session.clientAddress,
      user_agent: session.userAgent,
      confirmed_at: transaction.now,
      expires_at: session.expiresAt,
      created_at: transaction.now,
      updated_at: transaction.now,
    },
  ]);

export interface SessionListRow {
  readonly id: string;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Lists the sessions of a person that have not expired, newest first. */
export const listSessions = (transaction: Transaction, personId: string, limit: number): Promise<SessionListRow[]> =>
  transaction.all<SessionListRow>(
    sql`select id, ip_address, user_agent, created_at, expires_at from person_sessions
        where person_id = ${personId} and expires_at > ${transaction.now} order by created_at desc, id desc
        limit ${limit}`,
  );

/** Records that the password was given again. @returns 0 for a session that has ended */
export const confirmSession = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(sql`update person_sessions set confirmed_at = ${transaction.now} where id = ${id}`);

/** @returns where the session was; undefined where there was none */
export const endSession = (
  transaction: Transaction,
  personId: string,
  id: string,
): Promise<Pick<SessionListRow, "ip_address" | "user_agent"> | undefined> =>
  transaction.first(
    sql`delete from person_sessions where person_id = ${personId} and id = ${id} returning ip_address, user_agent`,
  );

/** Ends all sessions of a person except one. @returns how many ended */
export const endOtherSessions = (transaction: Transaction, personId: string, id: string): Promise<number> =>
  transaction.run(sql`delete from person_sessions where person_id = ${personId} and id <> ${id}`);

/** Ends all sessions of a person. @returns how many ended */
export const endAllSessions = (transaction: Transaction, personId: string): Promise<number> =>
  transaction.run(sql`delete from person_sessions where person_id = ${personId}`);

export interface TokenRow {
  id: string;
  workspace_id: string;
  person_id: string;
  token_name: string;
  /** JSON. */
  scopes: string;
  last_used_at: string | null;
  name: string;
  email: string;
  is_operator: boolean | number;
  has_factor: boolean | number;
  needs_provider: boolean | number;
  /** When the person last signed in through the OpenID provider. */
  single_sign_on_at: string | null;
}

export const findToken = (transaction: Transaction, secretHash: string): Promise<TokenRow | undefined> =>
  transaction.first<TokenRow>(
    sql`select t.id, t.workspace_id, t.person_id, t.name as token_name, t.scopes, t.last_used_at,
          p.name, p.email, p.is_operator, ${hasFactor} as has_factor, ${needsProvider} as needs_provider,
          p.single_sign_on_at
        from access_tokens t join people p on p.id = t.person_id
        where t.secret_hash = ${secretHash} and t.expires_at > ${transaction.now} and p.disabled_at is null`,
  );

/** The workspace and the expiry of a token. */
export const findTokenEnd = (
  transaction: Transaction,
  id: string,
): Promise<{ workspace_id: string; expires_at: string } | undefined> =>
  transaction.first(sql`select workspace_id, expires_at from access_tokens where id = ${id}`);

/** Whose an access token is, also of an expired one and of a disabled account. */
export const findTokenOwner = (
  transaction: Transaction,
  secretHash: string,
): Promise<
  | {
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly workspace_id: string;
      readonly workspace_name: string;
      readonly expires_at: string;
      readonly disabled_at: string | null;
    }
  | undefined
> =>
  transaction.first(
    sql`select t.id, t.name, p.email, t.workspace_id, w.name as workspace_name, t.expires_at, p.disabled_at
        from access_tokens t join people p on p.id = t.person_id join workspaces w on w.id = t.workspace_id
        where t.secret_hash = ${secretHash}`,
  );

export const touchToken = (transaction: Transaction, id: string): void =>
  transaction.send(sql`update access_tokens set last_used_at = ${transaction.now} where id = ${id}`);
