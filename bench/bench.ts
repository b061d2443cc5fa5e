// The benchmark: `npm run bench`. Measures the service and baselines alternately in one run, and prints one table.
// Options: --quick for a short run; --only reads,writes for some parts; --search-sizes 2000,200000 for other workspaces that are searched;
// --json for programs; --profile for where the time of a call goes, with --call and --engine for another call or PostgreSQL.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { misused, readOptions } from "./arguments.ts";
import { generator } from "./load.ts";
import { describeMachine, originOf } from "./machine.ts";
import { createRun, parts } from "./parts.ts";
import { fullPlan, type Plan, quickPlan } from "./plan.ts";
import { stopAll } from "./processes.ts";
import { profile } from "./profile.ts";
import { clearProgress } from "./progress.ts";
import { createPaint, formatReport, type Report, type Result } from "./report.ts";

async function measure(directory: string, plan: Plan, names: readonly string[]): Promise<Report> {
  const machineBefore = describeMachine(directory);
  const run = createRun(directory, plan);
  const results: Result[] = [];
  const seconds: string[] = [];
  for (const name of names) {
    const startedAt = performance.now();
    results.push(...((await parts[name]?.(run)) ?? []));
    seconds.push(`${name} ${Math.round((performance.now() - startedAt) / 1_000)}`);
  }
  return {
    ...originOf(new Date()),
    machine: machineBefore,
    conditions: [
      `${plan.snippets.toLocaleString("en-US")} snippets unless stated otherwise; ${plan.rounds} alternating rounds`,
      `load from ${generator}, over TLS, everything on this machine`,
      `seconds: ${seconds.join(", ")}`,
    ],
    results,
  };
}

const usage = `Usage: npm run bench -- [OPTION]…
  --only reads,search        these parts: ${Object.keys(parts).join(", ")}; default: all
  --search-sizes 2000,…      the workspaces that are searched, by their number of snippets
  --quick                    smaller and rougher
  --json                     for programs
  --profile                  shows where an operation spends its time
  --call snippet             the operation that is profiled
  --engine sqlite            the engine that is profiled, sqlite or postgres
TMPDIR selects the disk.`;
const values = readOptions(
  {
    quick: { type: "boolean" },
    json: { type: "boolean" },
    only: { type: "string" },
    "search-sizes": { type: "string" },
    profile: { type: "boolean" },
    call: { type: "string", default: "snippet" },
    engine: { type: "string", default: "sqlite" },
  },
  usage,
);
const names = values.only?.split(",") ?? Object.keys(parts);
const unknown = names.filter((name) => !(name in parts));
if (unknown.length > 0) misused(`no part ${unknown.join(", ")}\n\n${usage}`);

const directory = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const cleanUp = () => {
  stopAll();
  clearProgress();
  rmSync(directory, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    cleanUp();
    process.exit(1);
  });

try {
  const searchSizes = values["search-sizes"]?.split(",").map(Number);
  const plan = { ...(values.quick ? quickPlan : fullPlan), ...(searchSizes && { searchSizes }) };
  if (values.profile) {
    const lines = await profile(directory, plan, values);
    clearProgress();
    console.log(lines.join("\n"));
  } else {
    const report = await measure(directory, plan, names);
    clearProgress();
    const isColored = process.stdout.isTTY && !process.env.NO_COLOR;
    console.log(
      values.json ? JSON.stringify(report, null, 2) : formatReport(report, createPaint(isColored)).join("\n"),
    );
  }
} catch (error) {
  clearProgress();
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  cleanUp();
}
