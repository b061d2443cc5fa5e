// The benchmark: `npm run bench`. Measures the service beside yardsticks, in turn and in one run, and prints one table.
// Options: --quick for a short look, --json for programs.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { generator } from "./load.ts";
import { machine } from "./machine.ts";
import { batches, loneReads, type Plan, reads, starts } from "./measure.ts";
import { startBareServer, startService, stopAll } from "./processes.ts";
import { progress, progressEnds } from "./progress.ts";
import { lines, paint, type Report } from "./report.ts";
import { accessOf, recordAnswer, seed, tls, writeBatches, writeReads } from "./seed.ts";

const whole: Plan = { snippets: 100_000, rounds: 5, seconds: 4, loneSeconds: 1, batchSeconds: 2, starts: 10 };
const short: Plan = { snippets: 100_000, rounds: 2, seconds: 1, loneSeconds: 1, batchSeconds: 1, starts: 3 };

/** The whole run, in a directory that is thrown away after it. */
async function measure(directory: string, plan: Plan): Promise<Report> {
  const data = join(directory, "data");
  const [database, copy] = [join(data, "commonplace.db"), join(directory, "copy.db")];
  const [readsPath, batchesPath] = [join(directory, "reads"), join(directory, "batches")];
  const answerPath = join(directory, "answer.json");
  const tell = (step: string) => (text: string) => progress(step, text);

  const before = machine(directory);
  const first = await startService(data);
  const access = accessOf(first);
  const ids = await seed(access, plan.snippets, (done) =>
    progress("Creating snippets", done.toLocaleString("en-US"), done / plan.snippets),
  );
  writeReads(readsPath, access, ids);
  writeBatches(batchesPath, access);
  await recordAnswer(answerPath, access, ids[0] ?? "");
  await first.stop();
  copyFileSync(database, copy);

  const begin = { service: () => startService(data), bare: () => startBareServer(join(data, "tls"), answerPath) };
  const { pathname } = new URL(access.baseUrl);
  const starting = await starts(
    plan,
    begin,
    async ({ port }) => {
      const headers = { Authorization: `Bearer ${access.key}` };
      const url = `https://127.0.0.1:${port}${pathname}/snippet?id=${ids[0]}`;
      const response = await fetch(url, { headers, keepalive: false, tls });
      if (response.status !== 200) throw new Error(`GET /snippet: ${await response.text()}`);
    },
    tell("Starting"),
  );

  const sides = { service: await begin.service(), bare: await begin.bare() };
  progress("Memory", "a second of nothing");
  await Bun.sleep(1_000);
  const reading = await reads(sides, plan, readsPath, tell("GET /snippet"));
  const alone = await loneReads(sides, plan, readsPath, tell("GET /snippet, one at a time"));
  await sides.bare.stop();
  const writing = await batches(sides.service, plan, batchesPath, copy, tell("POST /snippets"));
  await sides.service.stop();

  return {
    machine: before,
    conditions: [
      `${plan.snippets.toLocaleString("en-US")} snippets; ${plan.rounds} rounds in turn; load from ${generator}, over TLS, everything on this machine`,
    ],
    results: [...reading, ...alone, ...writing, ...starting],
  };
}

const { values } = parseArgs({ options: { quick: { type: "boolean" }, json: { type: "boolean" } } });
const directory = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const cleanUp = () => {
  stopAll();
  progressEnds();
  rmSync(directory, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    cleanUp();
    process.exit(1);
  });

try {
  const report = await measure(directory, values.quick ? short : whole);
  progressEnds();
  const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;
  console.log(values.json ? JSON.stringify(report, null, 2) : lines(report, paint(isColoured)).join("\n"));
} catch (error) {
  progressEnds();
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  cleanUp();
}
