// Where tests put their files. `npm test` names a file system in memory if there is one with room: the suite commits tens of thousands of
// times, and would wait for the disk in turn. What a crash leaves is the same there, since processes are killed and not the machine.
import { tmpdir } from "node:os";

export const temporaryRoot = (): string => process.env.TEST_DIRECTORY || tmpdir();
