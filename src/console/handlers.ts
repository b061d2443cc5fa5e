// All handlers of the console. A row of the table without a handler does not compile.
import type { consoleOperations } from "../contract/console/operations.ts";
import type { HandlersOf } from "./handler.ts";
import { accountHandlers } from "./handlers/account.ts";
import { alertHandlers } from "./handlers/alerts.ts";
import { auditHandlers } from "./handlers/audit.ts";
import { billingHandlers } from "./handlers/billing.ts";
import { instanceHandlers } from "./handlers/instance.ts";
import { keyHandlers } from "./handlers/keys.ts";
import { libraryHandlers } from "./handlers/library.ts";
import { memberHandlers } from "./handlers/members.ts";
import { peopleHandlers } from "./handlers/people.ts";
import { signInHandlers } from "./handlers/sign-in.ts";
import { teamHandlers } from "./handlers/teams.ts";
import { usageHandlers } from "./handlers/usage.ts";
import { workspaceHandlers } from "./handlers/workspaces.ts";

export const consoleHandlers: HandlersOf<typeof consoleOperations> = {
  ...signInHandlers,
  ...accountHandlers,
  ...workspaceHandlers,
  ...alertHandlers,
  ...keyHandlers,
  ...usageHandlers,
  ...billingHandlers,
  ...memberHandlers,
  ...teamHandlers,
  ...instanceHandlers,
  ...peopleHandlers,
  ...libraryHandlers,
  ...auditHandlers,
};
