// Lets services in the tests start the executable as their worker, which takes a tenth of the time that the source takes.
import { mock } from "bun:test";
import { join } from "node:path";

const path = process.env.TEST_PROGRAM;

if (path) mock.module(join(import.meta.dir, "../../src/platform/own-program.ts"), () => ({ ownProgram: () => [path] }));
