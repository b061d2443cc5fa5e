// The long proofs: `npm run prove`. Runs each promise on each engine, then once more beside a planted fault, which must fail.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { misused, readOptions } from "../bench/arguments.ts";
import { describeMachine, originOf } from "../bench/machine.ts";
import { clearProgress, showProgress } from "../bench/progress.ts";
import { createPaint } from "../bench/report.ts";
import { type PostgresServer, startPostgres } from "../test/support/postgres-server.ts";
import { environmentOf, type Fault } from "./planted-fault.ts";
import { promises } from "./promises.ts";
import {
  type Control,
  controlsOf,
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
import { formatTable, isBroken, type ProofRun, type Row, type Seen } from "./report.ts";
import { endProcess, processesWith } from "./server-processes.ts";

const root = join(import.meta.dir, "..");
const [exitFailed, exitInterrupted] = [1, 130];
const shortMinutes = 1;
/** Most controls end within seconds: they stop as soon as the fault is seen. */
const controlMinutes = 2;
/** A run ends itself; one that does not is killed so much later. */
const marginMinutes = 12;
const seedsCount = 2 ** 31;
const outputLinesMax = 40;
/** For what a run leaves to helpers that outlive it: they stop its servers and unmount its disks. */
const helpersMilliseconds = 60_000;

const usage = `Usage: npm run prove -- [OPTION]…
  --only P1,P28      these promises; default: all
  --engine ENGINE    sqlite or postgres; default: both
  --minutes M        the time limit of each run; default: its own
  --short            a smoke test of all
  --seed N           repeats a run; default: a new seed
  --report FILE      writes the closing table to a file, too; as JSON if its name ends in .json
TEST_DIRECTORY is where the data is; default: the system's temporary directory.
TEST_DATABASE_URL names a PostgreSQL to use; default: a new one.`;
const values = readOptions(
  {
    only: { type: "string" },
    engine: { type: "string" },
    seed: { type: "string" },
    minutes: { type: "string" },
    short: { type: "boolean", default: false },
    report: { type: "string" },
  },
  usage,
);
const chosen = chosenPromises(values.only);
const engines = chosenEngines(values.engine);
const seed = numberOf("seed", values.seed) ?? Math.floor(Math.random() * seedsCount);
const minutes = numberOf("minutes", values.minutes);
const form = values.short ? "short" : "long";
const paint = createPaint(process.stdout.isTTY && !process.env.NO_COLOR);

/** Everything that a run makes is in it. Every process that it starts has its path in the environment. */
const directory = mkdtempSync(join(process.env.TEST_DIRECTORY || tmpdir(), "commonplace-prove-"));
// PostgreSQL runs as its own user, who must be able to enter the directory.
chmodSync(directory, 0o755);
process.env.TEST_DIRECTORY = directory;

const running = new Set<number>();
/** How far each engine is in the present step. */
const progress = new Map<EngineName, { readonly detail: string; readonly share: number | undefined }>();
let postgres: Promise<PostgresServer> | undefined;
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, async () => {
    if (isInterrupted) return;
    isInterrupted = true;
    clearProgress();
    await cleanUp();
    process.exit(exitInterrupted);
  });

const startedAt = performance.now();
const machine = describe();
const steps = chosen.flatMap(stepsOf);
console.log(`${machine}\n${describeDuration()}`);
const rows: Row[] = [];
try {
  for (const { promise, engines } of steps) {
    progress.clear();
    rows.push(...(await Promise.all(engines.map((engine) => proveOn(promise, engine)))));
  }
} finally {
  await cleanUp();
}
console.log(["", ...formatTable(rows, paint)].join("\n"));
if (values.report !== undefined) writeFileSync(values.report, closingReport(values.report));
process.exit(rows.some(isBroken) ? exitFailed : 0);

/** What `--report` writes: a table for people, or JSON for `npm run report`. */
function closingReport(path: string): string {
  if (!path.endsWith(".json")) return `${[machine, "", ...formatTable(rows, createPaint(false))].join("\n")}\n`;
  const minutes = Math.round((performance.now() - startedAt) / 60_000);
  const run: ProofRun = { ...originOf(new Date()), machine: machine.replace("\n", ", "), minutes, rows };
  return `${JSON.stringify(run, null, 2)}\n`;
}

/** A promise on the engines that run at the same time. */
interface Step {
  readonly promise: Promised;
  readonly engines: readonly EngineName[];
}
function stepsOf(promise: Promised): Step[] {
  const named = engines.filter((name) => promise.engines.includes(name));
  return promise.isSideBySide && named.length > 1
    ? [{ promise, engines: named }]
    : named.map((name) => ({ promise, engines: [name] }));
}

function describeDuration(): string {
  const made = steps.filter(({ promise }) => promise.missing?.() === undefined);
  const most = made.reduce((sum, { promise }) => sum + minutesOf(promise, form), 0);
  const controls = made.flatMap(({ promise, engines: [engine = "sqlite"] }) => controlsOf(promise, engine));
  return `at most ${Math.ceil(most)} min for the proofs, and ${controls.length * controlMinutes} min for the controls, most of which take seconds`;
}

function chosenPromises(only: string | undefined): readonly Promised[] {
  const ids = only?.split(",") ?? promises.map(({ id }) => id);
  const unknown = ids.filter((id) => !promises.some((promise) => promise.id === id));
  if (unknown.length > 0)
    misused(`there is no proof of ${unknown.join(", ")}, only of ${promises.map(({ id }) => id).join(", ")}`);
  return promises.filter(({ id }) => ids.includes(id));
}

function chosenEngines(engine: string | undefined): readonly EngineName[] {
  const named = engineNames.filter((name) => engine === undefined || name === engine);
  if (named.length === 0) misused("--engine must be sqlite or postgres");
  return named;
}

function numberOf(name: string, text: string | undefined): number | undefined {
  const value = text === undefined ? undefined : Number(text);
  if (value !== undefined && !(value >= 0)) misused(`--${name} is a number`);
  return value;
}

/** What the numbers were made with. */
function describe(): string {
  const { cpu, cores, memoryGibibytes, system, bun, fsyncMilliseconds } = describeMachine(directory);
  return [
    `${cpu}, ${cores} cores, ${memoryGibibytes} GiB, ${system}, fsync ${fsyncMilliseconds.toPrecision(2)} ms`,
    `Bun ${bun}, seed ${seed}`,
  ].join("\n");
}

function minutesOf(promise: Promised, form: Form): number {
  if (form === "control") return controlMinutes;
  return minutes ?? (form === "short" ? shortMinutes : promise.minutes);
}

/** Runs a promise and then its control, and prints what came of both. */
async function proveOn(promise: Promised, engine: EngineName): Promise<Row> {
  const { id, sentence } = promise;
  const skipped = promise.missing?.();
  const known = { id, sentence, engine, seed };
  if (skipped !== undefined) {
    console.log(`\n${id} on ${engine}: skipped: ${skipped}`);
    return { ...known, skipped };
  }
  const startedAt = performance.now();
  const lines = [`\n${id} on ${engine}: ${sentence}`];
  const outcome = await runOne(promise, engine, form, [], {}, lines);
  lines.push(...outcome.notes.map((note) => `  ${note}`));
  if (outcome.failure !== undefined) lines.push(paint.bad(`  FAILED\n${indent(outcome.failure)}`));
  const { runs, inputs } = outcome;
  const minutesUsed = `at most ${minutesOf(promise, form)} min`;
  lines.push(`  ${runs.toLocaleString("en-US")} runs, ${inputs.toLocaleString("en-US")} inputs, ${minutesUsed}`);
  if (outcome.failure !== undefined)
    lines.push(
      `  to repeat it: npm run prove -- --only ${id} --engine ${engine} --seed ${seed}${values.short ? " --short" : ""}`,
    );
  const control = await runControls(promise, engine, lines);
  clearProgress();
  console.log(lines.join("\n"));
  return { ...known, outcome, control, seconds: Math.round((performance.now() - startedAt) / 1_000) };
}

/** @returns the first that was not found, if there is one */
async function runControls(promise: Promised, engine: EngineName, lines: string[]): Promise<Seen> {
  const seen: Seen[] = [];
  for (const control of controlsOf(promise, engine)) seen.push(await runControl(promise, engine, control, lines));
  return seen.find(({ isSeen }) => !isSeen) ?? { isSeen: true };
}

async function runControl(
  promise: Promised,
  engine: EngineName,
  { plants, faults = [], environment = {}, shows }: Control,
  lines: string[],
): Promise<Seen> {
  const { failure } = await runOne(promise, engine, "control", faults, environment);
  const isSeen = failure !== undefined && shows.test(failure);
  lines.push(isSeen ? `  control (${plants}): fault found` : paint.bad(`  control (${plants}): FAULT NOT FOUND`));
  if (isSeen) return { isSeen };
  const instead = failure ?? "the run found nothing";
  lines.push(indent(instead));
  return { isSeen, instead };
}

/** Runs a proof in a process of its own. */
async function runOne(
  promise: Promised,
  engine: EngineName,
  form: Form,
  faults: readonly Fault[],
  environment: Readonly<Record<string, string>> = {},
  facts: string[] = [],
): Promise<Outcome> {
  const order: Order = { id: promise.id, engine, form, seed, minutes: minutesOf(promise, form) };
  const child = Bun.spawn([process.execPath, "test", "./prove/run-one.ts"], {
    cwd: root,
    env: {
      ...process.env,
      ...(engine === "postgres" && (await serverForAll())),
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
  running.add(child.pid);
  const timer = setTimeout(() => stopRun(child.pid), (order.minutes + marginMinutes) * 60_000);
  let outcome: Outcome | undefined;
  const output: string[] = [];
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const line of linesOf(stream)) {
      const report = line.startsWith(reportPrefix)
        ? (JSON.parse(line.slice(reportPrefix.length)) as Report)
        : undefined;
      if (report?.kind === "outcome") outcome = report;
      else if (report?.kind === "progress") show(promise, engine, report.detail, report.share);
      else if (report?.kind === "facts") facts.push(`  ${report.facts.join(", ")}`);
      else if (report === undefined && line.trim() !== "") output.push(line);
    }
  };
  show(promise, engine, form === "control" ? "control" : "starting");
  await Promise.all([read(child.stdout), read(child.stderr), child.exited]);
  clearTimeout(timer);
  stopRun(child.pid);
  if (isInterrupted) await new Promise(() => {});
  const ended = `the run ended without a result (status ${child.exitCode ?? child.signalCode})`;
  return outcome ?? { runs: 0, inputs: 0, notes: [], failure: [ended, ...output.slice(-outputLinesMax)].join("\n") };
}

/** Shows how far the engines are that run now. */
function show(promise: Promised, engine: EngineName, detail: string, share?: number): void {
  progress.set(engine, { detail, share });
  const details = [...progress].map(([name, { detail }]) => `${name} ${detail}`);
  const shares = [...progress.values()].map((each) => each.share ?? 0);
  showProgress(promise.id, details.join(" · "), Math.min(...shares));
}

/** Ends a run and every process that it started in its group. */
function stopRun(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
  running.delete(pid);
}

/** Leaves no process and no file behind. */
async function cleanUp(): Promise<void> {
  for (const pid of running) stopRun(pid);
  await (await postgres?.catch(() => undefined))?.stop();
  const until = performance.now() + helpersMilliseconds;
  while (processesWith(directory).length > 0 && performance.now() < until) await Bun.sleep(100);
  for (const pid of processesWith(directory)) endProcess(pid);
  rmSync(directory, { recursive: true, force: true });
}

/** The PostgreSQL of this run of all proofs, with its default settings. */
async function serverForAll(): Promise<Record<string, string>> {
  if (process.env.TEST_DATABASE_URL) return {};
  postgres ??= startPostgres();
  return { TEST_DATABASE_URL: (await postgres).url, TEST_DATABASE_DISPOSABLE: "yes" };
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
