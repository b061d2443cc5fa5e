// The list of migrations, oldest first. A released one is never changed; a change of the schema is a new one at the end.
import type { Migration } from "../migration.ts";
import { first } from "./0001-first.ts";
import { usageDays } from "./0002-usage-days.ts";
import { workspaceStatistics } from "./0003-workspace-statistics.ts";
import { people } from "./0004-people.ts";
import { consoleTables } from "./0005-console.ts";
import { jobRuns } from "./0006-job-runs.ts";
import { requestLog } from "./0007-request-log.ts";
import { ledgerJournal } from "./0008-ledger-journal.ts";

export const migrations: readonly Migration[] = [
  first,
  usageDays,
  workspaceStatistics,
  people,
  consoleTables,
  jobRuns,
  requestLog,
  ledgerJournal,
];
