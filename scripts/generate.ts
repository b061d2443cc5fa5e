// Writes what is made from the operations table: openapi.json and the client's types and methods. With --check it writes nothing
// and fails when a file is stale.
import { join } from "node:path";
import { printOperations } from "../sdk/generator/operations.ts";
import { openApi } from "../src/contract/openapi.ts";

const root = join(import.meta.dir, "..");
const isCheck = process.argv.includes("--check");

const files = [
  { path: "openapi.json", text: `${JSON.stringify(openApi("/api"), null, 2)}\n` },
  { path: "sdk/src/operations.generated.ts", text: format("sdk/src/operations.generated.ts", printOperations()) },
];

const stale: string[] = [];
for (const { path, text } of files) {
  const file = Bun.file(join(root, path));
  if ((await file.exists()) && (await file.text()) === text) continue;
  stale.push(path);
  if (!isCheck) await file.write(text);
}
for (const path of stale) console.log(`${path} ${isCheck ? "is stale: run scripts/generate.ts" : "written"}`);
if (isCheck && stale.length > 0) process.exit(1);

/** The text in the project's own format. */
function format(path: string, text: string): string {
  const biome = join(root, "node_modules/.bin/biome");
  const { success, stdout, stderr } = Bun.spawnSync([biome, "format", `--stdin-file-path=${path}`], {
    cwd: root,
    stdin: Buffer.from(text),
  });
  if (!success) throw new Error(`${path} can not be formatted: ${stderr}`);
  return stdout.toString();
}
