// Writes the database of this version, on both engines, to test/fixtures/released, where every later version finds it and upgrades it:
// `npm run keep-release`. Until the version has a tag, it replaces what is there.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { version } from "../src/platform/program.ts";

const root = join(import.meta.dir, "..");

const tag = `v${version}`;
if (Bun.spawnSync(["git", "-C", root, "tag", "--list", tag]).stdout.toString().trim() === tag)
  fail(`${tag} is released, and what it left in a database never changes. Set the next version in package.json first.`);

const directory = join(root, "test/fixtures/released", version);
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
for (const engine of ["sqlite", "postgres"]) {
  console.log(`Filling a database of ${engine}`);
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, "test", "./prove/keep-release.ts"], {
    cwd: root,
    env: { ...process.env, TEST_ENGINE: engine, KEEP_RELEASE: version, TEST_DATABASE_URL: "" },
    stderr: "pipe",
    stdout: "pipe",
  });
  if (!success) fail(`${stdout}${stderr}`);
}
Bun.spawnSync([join(root, "node_modules/.bin/biome"), "format", "--write", directory]);
console.log(`Wrote ${directory.slice(root.length + 1)}`);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
