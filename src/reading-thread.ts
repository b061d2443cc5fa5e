// The thread for long reads. `ReadingThread` starts it.
import { longOperation } from "./api/read-aside.ts";
import { librarySearch } from "./console/library/search.ts";
import { serveReads } from "./platform/database/serve-reads.ts";

serveReads([longOperation, librarySearch]);
