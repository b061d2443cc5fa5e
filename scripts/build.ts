// Builds dist/commonplace: one executable with the runtime, the program and everything it serves.
//
//   npm run build                                         for this machine
//   npm run build -- --target bun-linux-arm64             for another one; Bun fetches that runtime from the npm registry
//   npm run build -- --target bun-linux-arm64 --runtime PATH     the same with a local runtime, without the network
//   npm run build -- --outdir DIRECTORY                    in another directory than dist
//   npm run build -- --keep-pages                         keeps dist/pages.json and dist/docs.json, which the tests serve
import { copyFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundleDocs } from "../site/bundle.ts";
import { compressedScalar } from "../src/api/reference/scalar.ts";
import { buildConsole } from "../src/console/build-pages.ts";
import { formatAmount } from "../src/operations/format.ts";
import { readCommit } from "../src/platform/program.ts";
import { signExecutable } from "./mach-o.ts";

// The bundler, too, reads it: pages for development are larger and slower.
process.env.NODE_ENV = "production";

const startedAt = performance.now();
const root = join(import.meta.dir, "..");
const { values } = parseArgs({
  options: {
    target: { type: "string" },
    runtime: { type: "string" },
    outdir: { type: "string" },
    "keep-pages": { type: "boolean" },
  },
});

const licensesFile = "THIRD-PARTY.md";
const directory = resolve(values.outdir ?? join(root, "dist"));
const suffix = values.target?.includes("windows") ? ".exe" : "";
const outfile = join(directory, `commonplace${values.target ? values.target.replace(/^bun/, "") : ""}${suffix}`);
mkdirSync(directory, { recursive: true });

const compile: Bun.CompileBuildOptions = {
  outfile,
  ...(values.target !== undefined && { target: readTarget(values.target) }),
  ...(values.runtime !== undefined && { executablePath: values.runtime }),
  // Settings come from the environment only: files in the working directory must not change them.
  autoloadDotenv: false,
  autoloadBunfig: false,
};
// The console's pages are bundled, the reference's script is compressed, and the documentation is built now, so that the executable needs
// neither their sources nor the bundler. This cannot run inside the build below: each would wait for the other.
const scalarFile = join(directory, "scalar.js.br");
const pagesFile = join(directory, "pages.json");
const docsFile = join(directory, "docs.json");
const [consoleModule, scalarModule, docsModule] = [await bundledConsole(), await bundledScalar(), await bundledDocs()];
const bundled: Bun.BunPlugin = {
  name: "pages",
  setup(build) {
    build.onLoad({ filter: /\/src\/console\/built-pages\.ts$/ }, () => ({ contents: consoleModule, loader: "ts" }));
    build.onLoad({ filter: /\/src\/api\/reference\/scalar\.ts$/ }, () => ({ contents: scalarModule, loader: "ts" }));
    build.onLoad({ filter: /\/src\/docs\/built-docs\.ts$/ }, () => ({ contents: docsModule, loader: "ts" }));
  },
};
const { success, logs } = await Bun.build({
  entrypoints: [join(root, "src/main.ts")],
  compile,
  plugins: [bundled],
  format: "esm",
  define: { builtFromCommit: JSON.stringify(readCommit()) },
  // Compiles ahead of time: the program starts in a third of the time.
  bytecode: true,
  // Names and the source map are kept, so that stack traces in the log point to this source.
  minify: { whitespace: true, syntax: true, identifiers: false },
  sourcemap: "inline",
});
for (const log of logs) console.error(log);
if (!success) process.exit(1);
signExecutable(outfile, values.target);
// The map is in the executable; Bun also writes it to a file.
rmSync(`${outfile}.map`, { force: true });
rmSync(scalarFile);
if (!values["keep-pages"]) for (const file of [pagesFile, docsFile]) rmSync(file);
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
const platform = values.target?.replace(/^bun-/, "") ?? `${process.platform}-${process.arch}`;
console.log(
  `Built ${relative(root, outfile)} for ${platform} in ${seconds} s (${formatAmount(statSync(outfile).size, "bytes")})`,
);
copyFileSync(join(root, licensesFile), join(directory, licensesFile));
console.log("Copy this one file to a server and run: commonplace serve");
console.log(`If you pass it on, add ${licensesFile}: it has the licenses of what the executable contains.`);

/** A module whose `builtPages` reads the files bundled now from a file in the executable: as code, they would be in it three times. */
async function bundledConsole(): Promise<string> {
  const files = (await buildConsole()).map(({ name, bytes }) => [name, Bun.gzipSync(bytes).toBase64()]);
  await Bun.write(pagesFile, JSON.stringify(files));
  return `import path from ${pathFrom("src/console/built-pages.ts", pagesFile)} with { type: "file" };
export const builtPages = async () =>
  (await Bun.file(path).json()).map(([name, text]) => ({ name, bytes: Bun.gunzipSync(Uint8Array.fromBase64(text)) }));`;
}

/** A module whose `compressedScalar` reads the current script from a file in the executable. */
async function bundledScalar(): Promise<string> {
  await Bun.write(scalarFile, await compressedScalar());
  return `import path from ${pathFrom("src/api/reference/scalar.ts", scalarFile)} with { type: "file" };
export const compressedScalar = () => Bun.file(path).bytes();`;
}

/** A module whose `builtDocs` reads what is built now from a file in the executable. */
async function bundledDocs(): Promise<string> {
  await Bun.write(docsFile, await bundleDocs());
  return `import path from ${pathFrom("src/docs/built-docs.ts", docsFile)} with { type: "file" };
export const builtDocs = () => Bun.file(path).text();`;
}

/** The path of a file as a module imports it. An absolute one would be in the source map, so each clone would build another executable. */
function pathFrom(module: string, file: string): string {
  return JSON.stringify(relative(join(root, dirname(module)), file));
}

/** Exits when the target is not a platform of Bun. */
function readTarget(text: string): Bun.Build.CompileTarget {
  if (!/^bun-(linux|darwin|windows)-(x64|arm64)(-musl)?$/.test(text)) {
    console.error(`--target must be a platform such as bun-linux-arm64, not "${text}"`);
    process.exit(1);
  }
  // The pattern above matches exactly the values of the type.
  return text as Bun.Build.CompileTarget;
}
