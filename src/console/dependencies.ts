// What the service passes to the console.
import type { SignInObserver } from "../accounts/sign-in/evidence.ts";
import type { Config } from "../config.ts";
import type { LibraryChanges } from "../library/changes.ts";
import type { ExportFiles } from "../library/export/export-files.ts";
import type { FeedCursors } from "../library/feed/cursor.ts";
import type { FormatProcesses } from "../library/import/format-processes.ts";
import type { FailedAuthentications } from "../metering/keys/failed-authentications.ts";
import type { Clock, Database } from "../platform/database/database.ts";
import type { Downloads } from "../platform/http/downloads.ts";
import type { ReportFailure } from "../platform/http/failure.ts";
import type { Uploads } from "../platform/http/uploads.ts";
import type { Pause } from "../platform/jobs.ts";
import type { Log } from "../platform/log.ts";
import type { Turns } from "../platform/turns.ts";

export interface ConsoleDependencies {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  /** Signs cookies, and encrypts what only this instance may read. */
  readonly instanceKey: string;
  /** The address of the console, for links: `https://host[:port]`. */
  readonly origin: string;
  /** The address of the API, for the commands that the pages show. */
  readonly baseUrl: string;
  /** Absolute path of the CA certificate that clients need; undefined if they trust the service already. */
  readonly caPath: string | undefined;
  /** Counts wrong access tokens together with wrong API keys. */
  readonly failedAuthentications: FailedAuthentications;
  readonly uploads: Uploads;
  readonly downloads: Downloads;
  readonly turns: Turns;
  /** Reads and writes the files of imports and exports. */
  readonly formats: FormatProcesses;
  readonly exports: ExportFiles;
  /** Tells of commits that may have changed libraries. */
  readonly changes: LibraryChanges;
  readonly feedCursors: FeedCursors;
  /** When the scheduled backups were made, newest first; null if the service makes none. */
  readonly backupTimes: () => readonly number[] | null;
  readonly log: Log;
  /** Undefined where metrics are off. */
  readonly signIns: SignInObserver | undefined;
  /** How sign-in waits for its delays. Tests pass their own. */
  readonly pause: Pause | undefined;
  readonly report: ReportFailure;
}
