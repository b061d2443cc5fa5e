// The benchmark: `npm run bench`. Measures the service and yardsticks alternately in one run, and prints one table.
// Options: --quick for a short run; --only embedded, shared, sizes, console or pages; --json for programs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureConsole } from "./console.ts";
import { measureEmbedded } from "./embedded.ts";
import { generator } from "./load.ts";
import { describeMachine } from "./machine.ts";
import type { Plan } from "./measure.ts";
import { measurePages } from "./pages.ts";
import { stopAll } from "./processes.ts";
import { clearProgress } from "./progress.ts";
import { createPaint, formatReport, type Report, type Result } from "./report.ts";
import { measureShared } from "./shared.ts";
import { measureSizes } from "./sizes.ts";

const fullPlan: Plan = {
  snippets: 100_000,
  sizes: [10_000, 100_000, 1_000_000],
  rounds: 5,
  seconds: 4,
  singleSeconds: 1,
  batchSeconds: 2,
  starts: 10,
};
const quickPlan: Plan = {
  snippets: 100_000,
  sizes: [1_000, 10_000, 100_000],
  rounds: 2,
  seconds: 1,
  singleSeconds: 1,
  batchSeconds: 1,
  starts: 3,
};

const measurements: Readonly<Record<string, (directory: string, plan: Plan) => Promise<Result[]>>> = {
  embedded: measureEmbedded,
  shared: measureShared,
  sizes: measureSizes,
  console: measureConsole,
  pages: measurePages,
};

async function measure(directory: string, plan: Plan, only: string | undefined): Promise<Report> {
  const machineBefore = describeMachine(directory);
  const results: Result[] = [];
  for (const [name, run] of Object.entries(measurements)) {
    if (only !== undefined && only !== name) continue;
    results.push(...(await run(join(directory, name), plan)));
  }
  return {
    machine: machineBefore,
    conditions: [
      `${plan.snippets.toLocaleString("en-US")} snippets where nothing else is said; ${plan.rounds} rounds in turn; load from ${generator}, over TLS, everything on this machine`,
    ],
    results,
  };
}

const { values } = parseArgs({
  options: { quick: { type: "boolean" }, json: { type: "boolean" }, only: { type: "string" } },
});
const directory = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const cleanUp = () => {
  stopAll();
  clearProgress();
  rmSync(directory, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    cleanUp();
    process.exit(1);
  });

try {
  const report = await measure(directory, values.quick ? quickPlan : fullPlan, values.only);
  clearProgress();
  const isColored = process.stdout.isTTY && !process.env.NO_COLOR;
  console.log(values.json ? JSON.stringify(report, null, 2) : formatReport(report, createPaint(isColored)).join("\n"));
} catch (error) {
  clearProgress();
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  cleanUp();
}
