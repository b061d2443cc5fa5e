// Builds dist/commonplace: one executable with the runtime, the program and everything it serves inside.
//
//   npm run build                                         for this machine
//   npm run build -- --target bun-linux-arm64             for another one; Bun fetches that runtime from the npm registry
//   npm run build -- --target bun-linux-arm64 --runtime PATH     the same from a runtime that is here, without the network
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildConsole } from "../src/console/build-pages.ts";

const root = join(import.meta.dir, "..");
const { values } = parseArgs({ options: { target: { type: "string" }, runtime: { type: "string" } } });

const directory = join(root, "dist");
const suffix = values.target?.includes("windows") ? ".exe" : "";
const outfile = join(directory, `commonplace${values.target ? values.target.replace(/^bun/, "") : ""}${suffix}`);
mkdirSync(directory, { recursive: true });

const compile: Bun.CompileBuildOptions = {
  outfile,
  ...(values.target !== undefined && { target: readTarget(values.target) }),
  ...(values.runtime !== undefined && { executablePath: values.runtime }),
  // Settings come from the environment alone: a file that happens to lie where the service is started must not change them.
  autoloadDotenv: false,
  autoloadBunfig: false,
};
// The console's pages are bundled now, so that neither they nor what bundles them have to be inside. Before the build, not within it: the
// one would wait for the other.
const contents = await bundledConsole();
const bundled: Bun.BunPlugin = {
  name: "console",
  setup(build) {
    build.onLoad({ filter: /\/src\/console\/build-pages\.ts$/ }, () => ({ contents, loader: "ts" }));
  },
};
const { success, logs } = await Bun.build({
  entrypoints: [join(root, "src/main.ts")],
  compile,
  plugins: [bundled],
  format: "esm",
  // Compiled ahead: the program starts in a third of the time.
  bytecode: true,
  // Names stay whole and the map goes along, so that the place of a failure in the log is a place in this source.
  minify: { whitespace: true, syntax: true, identifiers: false },
  sourcemap: "inline",
});
for (const log of logs) console.error(log);
if (!success) process.exit(1);
// The map is inside; Bun leaves another beside.
rmSync(`${outfile}.map`, { force: true });
console.log(`${outfile.slice(root.length + 1)}  ${(statSync(outfile).size / 1_000_000).toFixed(1)} MB`);

/** A module that answers `buildConsole` with the files as they are now. */
async function bundledConsole(): Promise<string> {
  const files = (await buildConsole()).map(({ name, bytes }) => [name, bytes.toBase64()]);
  return `const files = ${JSON.stringify(files)};
export const buildConsole = async () => files.map(([name, text]) => ({ name, bytes: Uint8Array.fromBase64(text) }));`;
}

/** Ends the build when it is no platform of Bun's. */
function readTarget(text: string): Bun.Build.CompileTarget {
  if (!/^bun-(linux|darwin|windows)-(x64|arm64)(-musl)?$/.test(text)) {
    console.error(`--target must be a platform such as bun-linux-arm64, not "${text}"`);
    process.exit(1);
  }
  // The pattern above is what the type spells out.
  return text as Bun.Build.CompileTarget;
}
