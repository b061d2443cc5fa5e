// The documentation that this process serves: built now, but read from the executable or, in tests, from what was built for it.
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

/**
 * What `bundleDocs` in site/bundle.ts returns. A process of its own builds it: it takes a second and 200 MB, which end with that process.
 * @throws an error with what it wrote to standard error
 */
export async function builtDocs(): Promise<string> {
  // It knows no settings and no secrets.
  const builder = Bun.spawn([process.execPath, join(root, "site/main.ts"), "--bundle"], {
    cwd: root,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [text, errors] = await Promise.all([new Response(builder.stdout).text(), new Response(builder.stderr).text()]);
  if ((await builder.exited) !== 0) throw new Error(`the documentation could not be built: ${errors}`);
  return text;
}
