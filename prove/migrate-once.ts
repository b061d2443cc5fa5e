// Opens a database once, as the service does at its start, and ends: the process that P9 kills. MIGRATE_DATABASE is its location as JSON.
import { openDatabase } from "../src/platform/database/open.ts";

const { dataDirectory, database } = JSON.parse(process.env.MIGRATE_DATABASE ?? "{}");
try {
  const opened = await openDatabase({ dataDirectory, database, databaseConnections: 1 });
  await opened.close();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
