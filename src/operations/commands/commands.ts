// The operator's commands in the order in which the help lists them. Each noun has a file of its own.
import { auditCommands } from "./audit.ts";
import { backupCommands } from "./backup.ts";
import { certificateTrust } from "./certificate.ts";
import type { Command } from "./command.ts";
import { databaseCommands } from "./database.ts";
import { doctor } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { health } from "./health.ts";
import { importCommands } from "./import.ts";
import { instanceKeyCommands } from "./instance-key.ts";
import { invoiceCommands } from "./invoice.ts";
import { keyCommands } from "./key.ts";
import { personCommands } from "./person.ts";
import { personDeletionCommands } from "./person-deletion.ts";
import { quotaCommands } from "./quota.ts";
import { searchCommands } from "./search.ts";
import { setupLink } from "./setup-link.ts";
import { teamCommands } from "./team.ts";
import { teamDeletionCommands } from "./team-deletion.ts";
import { trashCommands } from "./trash.ts";
import { usage } from "./usage.ts";
import { workspaceCommands } from "./workspace.ts";
import { workspaceAlertsCommand } from "./workspace-alerts.ts";
import { workspaceDeletionCommands } from "./workspace-deletion.ts";

export const operatorCommands: readonly Command[] = [
  health,
  doctor,
  setupLink,
  ...workspaceCommands,
  workspaceAlertsCommand,
  ...workspaceDeletionCommands,
  ...teamCommands,
  ...teamDeletionCommands,
  ...trashCommands,
  ...importCommands,
  exportCommand,
  ...personCommands,
  ...personDeletionCommands,
  ...keyCommands,
  ...quotaCommands,
  usage,
  ...invoiceCommands,
  ...auditCommands,
  ...searchCommands,
  ...databaseCommands,
  ...backupCommands,
  ...instanceKeyCommands,
  certificateTrust,
];
