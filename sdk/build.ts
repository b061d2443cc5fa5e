// Builds the package: one ES module and its declarations, in sdk/dist or the directory that the command line names.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";

const directory = import.meta.dir;
const outdir = resolve(process.argv[2] ?? join(directory, "dist"));
rmSync(outdir, { recursive: true, force: true });

const built = await Bun.build({
  entrypoints: [join(directory, "src/index.ts")],
  outdir,
  target: "browser",
  format: "esm",
});
if (!built.success) throw new AggregateError(built.logs, "the module can not be built");

const compiler = join(directory, "../node_modules/.bin/tsc");
const { success, stdout } = Bun.spawnSync([compiler, "--project", directory, "--outDir", outdir]);
if (!success) throw new Error(`the declarations can not be made:\n${stdout}`);
