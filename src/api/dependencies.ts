// What API requests need from the service.
import type { LibraryChanges } from "../library/changes.ts";
import type { FormatProcesses } from "../library/import/format-processes.ts";
import type { FailedAuthentications } from "../metering/keys/failed-authentications.ts";
import type { RefusedRequests } from "../metering/keys/refused-requests.ts";
import type { Database } from "../platform/database/database.ts";
import type { Downloads } from "../platform/http/downloads.ts";
import type { ReportFailure } from "../platform/http/failure.ts";
import type { Uploads } from "../platform/http/uploads.ts";
import type { Turns } from "../platform/turns.ts";
import type { ChangeWaits } from "./change-waits.ts";
import type { Calls } from "./charge-call.ts";

export interface ApiDependencies {
  readonly database: Database;
  /** Admitted calls of a key in any 60 seconds. */
  readonly requestsPerMinute: number;
  readonly calls: Calls;
  readonly failedAuthentications: FailedAuthentications;
  readonly refusedRequests: RefusedRequests;
  readonly uploads: Uploads;
  readonly turns: Turns;
  readonly downloads: Downloads;
  /** Reads and writes the files of imports and exports. */
  readonly formats: FormatProcesses;
  readonly changes: LibraryChanges;
  readonly changeWaits: ChangeWaits;
  readonly report: ReportFailure;
}
