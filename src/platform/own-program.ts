// How this program starts itself again, as a worker.
import { join } from "node:path";

/** The command line without arguments. */
export const ownProgram = (): readonly string[] =>
  Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, join(import.meta.dir, "../main.ts")];
