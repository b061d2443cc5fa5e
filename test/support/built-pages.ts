// Serves the console's pages and the documentation that `npm test` has built for the executable: each takes a second in each process of the
// tests. A file run alone builds them, as the program does from its source, and so do `test/web/page.test.ts` and `test/docs/site.test.ts`.
import { mock } from "bun:test";
import { join } from "node:path";
import type { builtPages } from "../../src/console/built-pages.ts";
import type { builtDocs } from "../../src/docs/built-docs.ts";

const { TEST_PAGES: pagesPath, TEST_DOCS: docsPath } = process.env;

if (pagesPath)
  mock.module(join(import.meta.dir, "../../src/console/built-pages.ts"), () => ({
    builtPages: (async () => {
      const files: [name: string, text: string][] = await Bun.file(pagesPath).json();
      return files.map(([name, text]) => ({ name, bytes: Bun.gunzipSync(Uint8Array.fromBase64(text)) }));
    }) satisfies typeof builtPages,
  }));

if (docsPath)
  mock.module(join(import.meta.dir, "../../src/docs/built-docs.ts"), () => ({
    builtDocs: (() => Bun.file(docsPath).text()) satisfies typeof builtDocs,
  }));
