// Runs one proof on one engine, in a process of its own under Bun's test runner: `bun test ./prove/run-one.ts`, started by prove.ts.
import { test } from "bun:test";
import { Sql } from "../src/platform/database/sql.ts";
import { engine, openNode } from "../test/support/engine.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import { promises } from "./promises.ts";
import { type Order, orderVariable, type Report, type Run, reportPrefix } from "./proof.ts";

const order = JSON.parse(process.env[orderVariable] ?? "null") as Order;
const marginMilliseconds = 10 * 60_000;
const messageLengthMax = 6_000;

const report = (line: Report): void => {
  process.stdout.write(`\n${reportPrefix}${JSON.stringify(line)}\n`);
};

/** Settings that decide what a commit is worth. */
const settings = {
  sqlite: ["journal_mode", "synchronous", "wal_autocheckpoint", "foreign_keys"].map((name) => `pragma ${name}`),
  postgres: ["fsync", "synchronous_commit", "full_page_writes", "wal_sync_method"].map((name) => `show ${name}`),
};
const version = { sqlite: "select sqlite_version() as version", postgres: "show server_version" };

/** Reads them on a connection that is opened as the service opens its own. */
async function readFacts(): Promise<string[]> {
  const database = await openNode(temporaryDirectory());
  const read = (statement: string) =>
    database.transaction(async (transaction) =>
      Object.values((await transaction.first<Record<string, unknown>>(new Sql([statement], []))) ?? {}).join(),
    );
  try {
    const facts = [`${engine.name} ${await read(version[engine.name])}`];
    for (const statement of settings[engine.name])
      facts.push(`${statement.replace(/^\w+ /, "")} ${await read(statement)}`);
    return facts;
  } finally {
    await database.close();
  }
}

/** The message with its stack, and those of its causes. */
function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? `\ncaused by ${describe(error.cause)}` : "";
  return `${error instanceof Error && !text.includes(error.message) ? `${error.message}\n` : ""}${text}${cause}`;
}

test(
  `${order.id} on ${order.engine}`,
  async () => {
    const promise = promises.find(({ id }) => id === order.id);
    if (!promise) throw new Error(`no proof of ${order.id}`);
    report({ kind: "facts", facts: await readFacts() });
    const made = { runs: 0, inputs: 0 };
    const startedAt = performance.now();
    const run: Run = {
      engine: order.engine,
      form: order.form,
      seed: order.seed,
      made,
      isOver: (share = 1) => performance.now() >= startedAt + share * order.minutes * 60_000,
      show: (detail, share) => report({ kind: "progress", detail, ...(share !== undefined && { share }) }),
    };
    try {
      const prove = await promise.load();
      const notes = await prove(run);
      // A run that did nothing proves nothing.
      if (made.runs === 0 || made.inputs === 0) throw new Error("the time was up before anything was made");
      report({ kind: "outcome", notes, ...made });
    } catch (error) {
      report({ kind: "outcome", notes: [], ...made, failure: describe(error).slice(0, messageLengthMax) });
    }
  },
  order.minutes * 60_000 + marginMilliseconds,
);
