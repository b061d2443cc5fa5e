// People who use the console: who they are, how they prove it, and where they are signed in. Better Auth reads and
// writes these tables through accounts/sign-in/better-auth.store.ts, and our own rules through accounts/people/*.store.ts, in the same form.
import type { ColumnTypes } from "../../migration.ts";

export const people = ({ uuid, timestamp, boolean, bigint, tableEnd, clusteredTableEnd }: ColumnTypes): string[] => [
  // The address is kept in lower case. Nobody signs in to an account with disabled_at. The row of a deleted account
  // keeps a pseudonym in place of name and address; addresses_kept_until: then the IP addresses in its audit entries are removed.
  // single_sign_on_at: when the person last signed in through the OpenID provider.
  `create table people (
    id ${uuid} primary key,
    name text not null,
    email text not null unique,
    email_verified ${boolean} not null,
    image text,
    two_factor_enabled ${boolean} not null,
    is_operator ${boolean} not null,
    disabled_at ${timestamp},
    deleted_at ${timestamp},
    addresses_kept_until ${timestamp},
    single_sign_on_at ${timestamp},
    created_at ${timestamp} not null,
    updated_at ${timestamp} not null
  ) ${tableEnd}`,
  "create index people_with_kept_addresses on people (addresses_kept_until) where addresses_kept_until is not null",
  // provider_id is 'credential' for a password, else the name of an OpenID provider; account_id is the person's id there.
  `create table person_credentials (
    id ${uuid} primary key,
    person_id ${uuid} not null references people (id) on delete cascade,
    provider_id text not null,
    account_id text not null,
    password text,
    created_at ${timestamp} not null,
    updated_at ${timestamp} not null,
    unique (provider_id, account_id)
  ) ${tableEnd}`,
  "create index person_credentials_by_person on person_credentials (person_id)",
  `create table person_sessions (
    id ${uuid} primary key,
    person_id ${uuid} not null references people (id) on delete cascade,
    token text not null unique,
    ip_address text,
    user_agent text,
    confirmed_at ${timestamp},
    sign_in_method text not null default 'password',
    has_second_factor ${boolean} not null default false,
    expires_at ${timestamp} not null,
    created_at ${timestamp} not null,
    updated_at ${timestamp} not null
  ) ${tableEnd}`,
  "create index person_sessions_by_person on person_sessions (person_id)",
  "create index person_sessions_by_end on person_sessions (expires_at)",
  `create table person_passkeys (
    id ${uuid} primary key,
    person_id ${uuid} not null references people (id) on delete cascade,
    name text,
    public_key text not null,
    credential_id text not null unique,
    counter ${bigint} not null,
    device_type text not null,
    backed_up ${boolean} not null,
    transports text,
    aaguid text,
    created_at ${timestamp}
  ) ${tableEnd}`,
  "create index person_passkeys_by_person on person_passkeys (person_id)",
  `create table person_second_factors (
    id ${uuid} primary key,
    person_id ${uuid} not null references people (id) on delete cascade,
    secret text not null,
    backup_codes text not null,
    verified ${boolean} not null,
    failed_verification_count integer not null,
    locked_until ${timestamp}
  ) ${tableEnd}`,
  "create index person_second_factors_by_person on person_second_factors (person_id)",
  // One-time values of Better Auth: a passkey challenge, an unfinished sign-in, a link to a new password.
  `create table person_verifications (
    id ${uuid} primary key,
    identifier text not null,
    value text not null,
    expires_at ${timestamp} not null,
    created_at ${timestamp} not null,
    updated_at ${timestamp} not null
  ) ${tableEnd}`,
  "create index person_verifications_by_identifier on person_verifications (identifier)",
  "create index person_verifications_by_end on person_verifications (expires_at)",
  // Recent attempts to sign in and requests of reset links, by a hash of their network or account; times is JSON.
  `create table sign_in_attempts (
    id text primary key,
    times text not null,
    expires_at ${timestamp} not null
  ) ${tableEnd}`,
  "create index sign_in_attempts_by_end on sign_in_attempts (expires_at)",
  // Where a person has signed in from: a sign-in from elsewhere is announced to them. client names browser and system.
  `create table known_sign_ins (
    person_id ${uuid} not null references people (id) on delete cascade,
    network text not null,
    client text not null,
    last_at ${timestamp} not null,
    primary key (person_id, network, client)
  ) ${clusteredTableEnd}`,
  "create index known_sign_ins_by_age on known_sign_ins (last_at)",
  // Attempts of this minute, so that a flood makes a few audit entries and not thousands. person_id is the nil id where no account is
  // known; is_recorded: the first of them has an entry of its own.
  `create table counted_attempts (
    minute ${timestamp} not null,
    person_id ${uuid} not null,
    network text not null,
    action text not null,
    reason text not null,
    attempts integer not null check (attempts > 0),
    is_recorded ${boolean} not null,
    last_at ${timestamp} not null,
    primary key (minute, person_id, network, action, reason)
  ) ${clusteredTableEnd}`,
];
