// Builds the package: one ES module and its declarations, in sdk/dist or the directory that the command line names.
import { rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { formatAmount } from "../src/operations/format.ts";
import manifest from "./package.json" with { type: "json" };

const directory = import.meta.dir;
const outdir = resolve(process.argv[2] ?? join(directory, "dist"));
rmSync(outdir, { recursive: true, force: true });

const built = await Bun.build({
  entrypoints: [join(directory, "src/index.ts")],
  outdir,
  target: "browser",
  format: "esm",
});
if (!built.success) throw new AggregateError(built.logs, "The module could not be built");

const compiler = join(directory, "../node_modules/.bin/tsc");
const { success, stdout } = Bun.spawnSync([compiler, "--project", directory, "--outDir", outdir]);
if (!success) throw new Error(`The type declarations could not be built:\n${stdout}`);

const files = [...new Bun.Glob("**/*").scanSync({ cwd: outdir })];
const declarations = files.filter((name) => name.endsWith(".d.ts"));
const sizeOf = (names: readonly string[]): string =>
  formatAmount(
    names.reduce((sum, name) => sum + Bun.file(join(outdir, name)).size, 0),
    "bytes",
  ).padStart(8);
const place = relative(process.cwd(), outdir);
console.log(
  `Built the TypeScript client (${manifest.name} ${manifest.version}) in ${place.startsWith("..") ? outdir : place}`,
);
console.log(`  index.js  ${sizeOf(["index.js"])}`);
console.log(`  *.d.ts    ${sizeOf(declarations)}  ${declarations.length} files`);
