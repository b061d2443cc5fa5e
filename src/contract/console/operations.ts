// The console's operations table. Routing, validation, permissions, OpenAPI and the tests of roles and of the audit log are derived from it.
// Method and path give the name of a row, as in the table of the public API.
import type { ConsoleOperation, InputOf, RequestBodyOf, ResultOf } from "./operation.ts";
import { accountOperations } from "./operations/account.ts";
import { alertOperations } from "./operations/alerts.ts";
import { auditOperations } from "./operations/audit.ts";
import { billingOperations } from "./operations/billing.ts";
import { instanceOperations } from "./operations/instance.ts";
import { keyOperations } from "./operations/keys.ts";
import { libraryOperations } from "./operations/library.ts";
import { memberOperations } from "./operations/members.ts";
import { peopleOperations } from "./operations/people.ts";
import { signInOperations } from "./operations/sign-in.ts";
import { teamOperations } from "./operations/teams.ts";
import { usageOperations } from "./operations/usage.ts";
import { workspaceOperations } from "./operations/workspaces.ts";

export const consoleOperations = {
  ...signInOperations, // /sign-in /sign-in-link /password-reset /invitation/…
  ...accountOperations, // /session… /person /token… /security-log
  ...workspaceOperations, // /workspace… /subscription
  ...alertOperations, // /alerts…
  ...keyOperations, // /key…
  ...usageOperations, // /quota /usage /log…
  ...billingOperations, // /billing… /purchase /invoice… /payment…
  ...memberOperations, // /member… /invitation…
  ...teamOperations, // /team… /deleted-teams
  ...instanceOperations, // /instance
  ...peopleOperations, // /instance/people /instance/person/…
  ...libraryOperations, // /library/…
  ...auditOperations, // /audit-log /instance/audit-log
} as const satisfies Record<string, ConsoleOperation>;

export type ConsoleOperationName = keyof typeof consoleOperations;
export type ConsoleInput<Name extends ConsoleOperationName> = InputOf<(typeof consoleOperations)[Name]>;
export type ConsoleRequestBody<Name extends ConsoleOperationName> = RequestBodyOf<(typeof consoleOperations)[Name]>;
export type ConsoleResult<Name extends ConsoleOperationName> = ResultOf<(typeof consoleOperations)[Name]>;

// Object.keys is typed as string[]; the keys of this constant are exactly its names.
export const consoleOperationNames = Object.keys(consoleOperations) as ConsoleOperationName[];
