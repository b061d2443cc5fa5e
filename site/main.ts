// Builds the documentation.
//
//   npm run docs              writes it to dist/docs, for any web server
//   bun site/main.ts --bundle prints it for the service, which starts this from its source
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildDocs } from "./build.ts";
import { bundleDocs } from "./bundle.ts";

if (process.argv.includes("--bundle")) await Bun.write(Bun.stdout, await bundleDocs());
else {
  const directory = join(import.meta.dir, "../dist/docs");
  const files = await buildDocs();
  rmSync(directory, { recursive: true, force: true });
  for (const { path, text } of files) await Bun.write(join(directory, path), text);
  console.log(`Wrote ${files.length} files to dist/docs. Put them on any web server.`);
}
