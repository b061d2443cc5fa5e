// Serves the console's pages that `npm test` has bundled for the executable: bundling them takes a second in each process of the tests.
// A file run alone bundles them, as the program does from its source, and so does `test/web/page.test.ts`.
import { mock } from "bun:test";
import { join } from "node:path";
import type { builtPages } from "../../src/console/built-pages.ts";

const path = process.env.TEST_PAGES;

if (path)
  mock.module(join(import.meta.dir, "../../src/console/built-pages.ts"), () => ({
    builtPages: (async () => {
      const files: [name: string, text: string][] = await Bun.file(path).json();
      return files.map(([name, text]) => ({ name, bytes: Bun.gunzipSync(Uint8Array.fromBase64(text)) }));
    }) satisfies typeof builtPages,
  }));
