// Builds cpl: one module for Node.js, and with --compile one executable with the runtime, in cli/dist.
//
//   npm run cli                                          the module, which npx runs
//   npm run cli -- --compile                             the executable as well, for this machine
//   npm run cli -- --compile --target bun-darwin-arm64   for another one; with --runtime PATH, without the network
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { signExecutable } from "../scripts/mach-o.ts";
import { formatAmount } from "../src/operations/format.ts";

const { values } = parseArgs({
  options: {
    compile: { type: "boolean" },
    target: { type: "string" },
    runtime: { type: "string" },
    outdir: { type: "string" },
  },
});
const directory = resolve(values.outdir ?? join(import.meta.dir, "dist"));
mkdirSync(directory, { recursive: true });
const entrypoints = [join(import.meta.dir, "src/main.ts")];

/** Its main file for Node.js loads its parts in a way that a bundler does not see. */
const parser = join(import.meta.dir, "../node_modules/jsonc-parser/lib/esm/main.js");
const plugins: Bun.BunPlugin[] = [
  {
    name: "jsonc-parser",
    setup: (build) => void build.onResolve({ filter: /^jsonc-parser$/ }, () => ({ path: parser })),
  },
];

const modulePath = join(directory, "cpl.js");
await build({ entrypoints, outdir: directory, naming: "cpl.js", target: "node", banner: "#!/usr/bin/env node" });
chmodSync(modulePath, 0o755);
report(modulePath);

if (values.compile) {
  const suffix = values.target?.includes("windows") ? ".exe" : "";
  const outfile = join(directory, `cpl${values.target?.replace(/^bun/, "") ?? ""}${suffix}`);
  await build({
    entrypoints,
    // Settings come from the environment only: files in the working directory must not change them.
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      // The compiler checks the name of the platform.
      ...(values.target !== undefined && { target: values.target as Bun.Build.CompileTarget }),
      ...(values.runtime !== undefined && { executablePath: values.runtime }),
    },
    bytecode: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
  });
  signExecutable(outfile, values.target);
  rmSync(`${outfile}.map`, { force: true });
  report(outfile);
}

// The licenses of the packages that are in it.
copyFileSync(join(import.meta.dir, "../THIRD-PARTY.md"), join(directory, "THIRD-PARTY.md"));

async function build(options: Bun.BuildConfig): Promise<void> {
  const { success, logs } = await Bun.build({ format: "esm", plugins, ...options });
  for (const log of logs) console.error(log);
  if (!success) process.exit(1);
}

function report(path: string): void {
  console.log(`Built ${path} (${formatAmount(statSync(path).size, "bytes")})`);
}
