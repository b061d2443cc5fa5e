// With what people can sign in, as conditions on a row `p` of people.
import { sql } from "../../platform/database/sql.ts";

/** A passkey counts as a second factor: its device asks for a PIN, a finger, or a face. */
export const hasFactor = sql`(p.two_factor_enabled or exists
  (select 1 from person_passkeys k where k.person_id = p.id))`;

/** They have signed in through the OpenID provider at least once. */
export const hasIdentity = sql`exists
  (select 1 from person_credentials c where c.person_id = p.id and c.provider_id <> 'credential')`;

/** They can only sign in through the OpenID provider. */
export const needsProvider = sql`(${hasIdentity}
  and not exists (select 1 from person_passkeys k where k.person_id = p.id)
  and not exists (select 1 from person_credentials c where c.person_id = p.id and c.provider_id = 'credential'))`;
