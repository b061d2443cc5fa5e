// The list of migrations, oldest first. A released one is never changed; a change of the schema is a new one at the end.
import type { Migration } from "../migration.ts";
import { first } from "./0001-first.ts";
import { workspaceStatistics } from "./0002-workspace-statistics.ts";

export const migrations: readonly Migration[] = [first, workspaceStatistics];
