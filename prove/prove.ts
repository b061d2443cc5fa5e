// The long proofs: `npm run prove`. Runs each promise on each engine, then once more beside a planted fault, which must fail.
// Options: --only P1,P28; --engine sqlite or postgres; --seed N; --minutes M, the time limit of each run; --short for a smoke test of all.
// TEST_DIRECTORY is where the data is, by default the system's temporary directory; TEST_DATABASE_URL names a PostgreSQL to use.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine } from "../bench/machine.ts";
import { clearProgress, showProgress } from "../bench/progress.ts";
import { createPaint } from "../bench/report.ts";
import { type PostgresServer, startPostgres } from "../test/support/postgres-server.ts";
import { environmentOf, type Fault } from "./planted-fault.ts";
import { promises } from "./promises.ts";
import {
  type EngineName,
  engineNames,
  type Form,
  type Order,
  type Outcome,
  orderVariable,
  type Promised,
  type Report,
  reportPrefix,
} from "./proof.ts";
import { formatTable, isBroken, type Row, type Seen } from "./report.ts";

const root = join(import.meta.dir, "..");
const [exitFailed, exitMisused, exitInterrupted] = [1, 2, 130];
const shortMinutes = 1;
const controlMinutes = 5;
/** A run ends itself; one that does not is killed so much later. */
const marginMinutes = 12;
const seedsCount = 2 ** 31;
const outputLinesMax = 40;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    engine: { type: "string" },
    seed: { type: "string" },
    minutes: { type: "string" },
    short: { type: "boolean", default: false },
  },
});
const chosen = chosenPromises(values.only);
const engines = chosenEngines(values.engine);
const seed = numberOf("seed", values.seed) ?? Math.floor(Math.random() * seedsCount);
const minutes = numberOf("minutes", values.minutes);
const paint = createPaint(process.stdout.isTTY && !process.env.NO_COLOR);

let running: number | undefined;
let postgres: PostgresServer | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    stopRun();
    clearProgress();
    // The server that was started for the run ends when this process does.
    process.exit(exitInterrupted);
  });

console.log(describe());
const rows: Row[] = [];
try {
  for (const promise of chosen)
    for (const engine of engines.filter((name) => promise.engines.includes(name)))
      rows.push(await proveOn(promise, engine));
} finally {
  await postgres?.stop();
}
console.log(["", ...formatTable(rows, paint)].join("\n"));
process.exit(rows.some(isBroken) ? exitFailed : 0);

function chosenPromises(only: string | undefined): readonly Promised[] {
  const ids = only?.split(",") ?? promises.map(({ id }) => id);
  const unknown = ids.filter((id) => !promises.some((promise) => promise.id === id));
  if (unknown.length > 0)
    misused(`no proof of ${unknown.join(", ")}; there are ${promises.map(({ id }) => id).join(", ")}`);
  return promises.filter(({ id }) => ids.includes(id));
}

function chosenEngines(engine: string | undefined): readonly EngineName[] {
  const named = engineNames.filter((name) => engine === undefined || name === engine);
  if (named.length === 0) misused("--engine is sqlite or postgres");
  return named;
}

function numberOf(name: string, text: string | undefined): number | undefined {
  const value = text === undefined ? undefined : Number(text);
  if (value !== undefined && !(value >= 0)) misused(`--${name} is a number`);
  return value;
}

function misused(message: string): never {
  console.error(`prove: ${message}`);
  process.exit(exitMisused);
}

/** What the numbers were made with. */
function describe(): string {
  const directory = mkdtempSync(join(process.env.TEST_DIRECTORY || tmpdir(), "commonplace-prove-"));
  const { cpu, cores, memoryGibibytes, system, bun, fsyncMilliseconds } = describeMachine(directory);
  rmSync(directory, { recursive: true });
  return [
    `${cpu}, ${cores} cores, ${memoryGibibytes} GiB, ${system}, fsync ${fsyncMilliseconds.toPrecision(2)} ms`,
    `Bun ${bun}, seed ${seed}`,
  ].join("\n");
}

function minutesOf(promise: Promised, form: Form): number {
  if (form === "control") return controlMinutes;
  return minutes ?? (form === "short" ? shortMinutes : promise.minutes);
}

async function proveOn(promise: Promised, engine: EngineName): Promise<Row> {
  const { id, sentence } = promise;
  const skipped = promise.missing?.();
  const known = { id, sentence, engine, seed };
  if (skipped !== undefined) {
    console.log(`\n${id} on ${engine}: skipped: ${skipped}`);
    return { ...known, skipped };
  }
  const form = values.short ? "short" : "long";
  console.log(`\n${id} on ${engine}: ${sentence}\n  at most ${minutesOf(promise, form)} min, then its control`);
  const startedAt = performance.now();
  const outcome = await runOne(promise, engine, form, []);
  for (const note of outcome.notes) console.log(`  ${note}`);
  if (outcome.failure !== undefined) console.log(paint.bad(`  FAILED\n${indent(outcome.failure)}`));
  console.log(`  ${outcome.runs.toLocaleString("en-US")} runs, ${outcome.inputs.toLocaleString("en-US")} inputs`);
  if (outcome.failure !== undefined)
    console.log(
      `  again: npm run prove -- --only ${id} --engine ${engine} --seed ${seed}${values.short ? " --short" : ""}`,
    );
  const control = await runControl(promise, engine);
  return { ...known, outcome, control, seconds: Math.round((performance.now() - startedAt) / 1_000) };
}

async function runControl(promise: Promised, engine: EngineName): Promise<Seen> {
  const { plants, faults = [], environment = {}, shows } = promise.control(engine);
  const { failure } = await runOne(promise, engine, "control", faults, environment);
  const isSeen = failure !== undefined && shows.test(failure);
  console.log(isSeen ? `  control, ${plants}: seen to fail` : paint.bad(`  control, ${plants}: NOT SEEN to fail`));
  if (isSeen) return { isSeen };
  const instead = failure ?? "the run found nothing";
  console.log(indent(instead));
  return { isSeen, instead };
}

/** Runs a proof in a process of its own. */
async function runOne(
  promise: Promised,
  engine: EngineName,
  form: Form,
  faults: readonly Fault[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const title = `${promise.id} on ${engine}${form === "control" ? ", control" : ""}`;
  const order: Order = { id: promise.id, engine, form, seed, minutes: minutesOf(promise, form) };
  const child = Bun.spawn([process.execPath, "test", "./prove/run-one.ts"], {
    cwd: root,
    env: {
      ...process.env,
      ...(engine === "postgres" && (await serverFor(promise))),
      ...environmentOf(faults),
      ...environment,
      TEST_ENGINE: engine,
      [orderVariable]: JSON.stringify(order),
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // With a group of its own, so that it ends with every process that it started.
    detached: true,
  });
  running = child.pid;
  const timer = setTimeout(stopRun, (order.minutes + marginMinutes) * 60_000);
  let outcome: Outcome | undefined;
  const output: string[] = [];
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const line of linesOf(stream)) {
      const report = line.startsWith(reportPrefix)
        ? (JSON.parse(line.slice(reportPrefix.length)) as Report)
        : undefined;
      if (report?.kind === "outcome") outcome = report;
      else if (report?.kind === "progress") showProgress(title, report.detail, report.share);
      else if (report?.kind === "facts" && form !== "control") console.log(`  ${report.facts.join(", ")}`);
      else if (report === undefined && line.trim() !== "") output.push(line);
    }
  };
  showProgress(title, "starting");
  await Promise.all([read(child.stdout), read(child.stderr), child.exited]);
  clearTimeout(timer);
  stopRun();
  clearProgress();
  const ended = `the run ended without a result (status ${child.exitCode ?? child.signalCode})`;
  return outcome ?? { runs: 0, inputs: 0, notes: [], failure: [ended, ...output.slice(-outputLinesMax)].join("\n") };
}

/** Ends the run and every process that it started. */
function stopRun(): void {
  if (running === undefined) return;
  try {
    process.kill(-running, "SIGKILL");
  } catch {
    // It has ended.
  }
  running = undefined;
}

/** The PostgreSQL of this run of all proofs, with its default settings. */
async function serverFor({ id }: Promised): Promise<Record<string, string>> {
  if (process.env.TEST_DATABASE_URL) return {};
  showProgress(id, "starting PostgreSQL");
  postgres ??= await startPostgres();
  return { TEST_DATABASE_URL: postgres.url, TEST_DATABASE_DISPOSABLE: "yes" };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ");
}
