// The journal of the ledger on SQLite: where rows wait, who sees them, and what a crash leaves.
import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createRunCall } from "../../src/api/charge-call.ts";
import { operations } from "../../src/contract/operations.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { journalOf } from "../../src/platform/database/sqlite-journal.ts";
import { parseInput } from "../../src/platform/http/parse-input.ts";
import { hashSecret } from "../../src/platform/secrets/secrets.ts";
import { openNode } from "../support/engine.ts";
import "../support/once.ts";
import { startService } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";

/** Rows by table, as they lie in the file. */
function countRows(dataDirectory: string): { ledger: number; journal: number } {
  const connection = new Connection(join(dataDirectory, "commonplace.db"), { readonly: true });
  const count = (table: string) =>
    connection.query<{ total: number }, []>(`select count(*) as total from ${table}`).get()?.total ?? 0;
  const counts = { ledger: count("ledger"), journal: count(journalOf("ledger")) };
  connection.close();
  return counts;
}

const readTag = ({ call, key }: Awaited<ReturnType<typeof startService>>) =>
  call("GET", "/tag", { key: key.secret, query: { id: never } });

test("a call alone goes to the ledger at once; calls together wait in the journal, and move when nothing runs", async () => {
  const started = await startService({});
  await readTag(started);
  expect(countRows(started.dataDirectory)).toEqual({ ledger: 1, journal: 0 });
  const journaled: number[] = [];
  while (Math.max(0, ...journaled) === 0) {
    await Promise.all(Array.from({ length: 40 }, () => readTag(started)));
    journaled.push(countRows(started.dataDirectory).journal);
  }
  while (countRows(started.dataDirectory).journal > 0) await Bun.sleep(5);
  expect(countRows(started.dataDirectory).ledger).toBe(1 + 40 * journaled.length);
});

test("other transactions find all rows in the ledger, also those that read", async () => {
  const started = await startService({});
  for (let round = 1; round <= 5; round += 1) {
    const calls = Array.from({ length: 40 }, () => readTag(started));
    await Promise.all(calls);
    const { database } = started.service;
    const count = sql`select count(*) as total from ledger where workspace_id = ${started.workspace.id}`;
    expect(await database.read((transaction) => transaction.first<{ total: number }>(count))).toEqual({
      total: 40 * round,
    });
  }
});

test("rows that a crash left in the journal are in the ledger for the next program", async () => {
  const started = await startService({});
  await readTag(started);
  await started.service.stop();
  const connection = new Connection(join(started.dataDirectory, "commonplace.db"));
  connection.run(`insert into ${journalOf("ledger")} select * from ledger`);
  connection.run("delete from ledger");
  connection.close();
  const database = await openNode(started.dataDirectory);
  expect(countRows(started.dataDirectory)).toEqual({ ledger: 1, journal: 0 });
  await database.close();
});

/** Reads for three seconds in a process of its own, and prints the messages of the reads that failed. */
const readerProgram = `
  const { openDatabase } = await import(process.env.SOURCE + "/platform/database/open.ts");
  const { sql } = await import(process.env.SOURCE + "/platform/database/sql.ts");
  const dataDirectory = process.env.DIRECTORY;
  const path = dataDirectory + "/commonplace.db";
  const database = await openDatabase({ dataDirectory, database: { engine: "sqlite", path }, databaseConnections: 1 });
  const failures = new Set();
  for (const until = performance.now() + 3_000; performance.now() < until; )
    await database
      .read((transaction) => transaction.first(sql\`select id from workspaces\`))
      .catch((error) => failures.add(error.message + ": " + error.cause?.message));
  console.log(JSON.stringify([...failures]));
  await database.close();`;

test("another process reads while calls fill the journal, and no read fails", async () => {
  const started = await startService({});
  const node = await openNode(started.dataDirectory, () => started.clock.now);
  const report = () => {};
  const run = createRunCall(node, { requestsPerMinute: 1_000_000, report });
  const input = parseInput(operations.getTag, `?tagId=${never}`, new Uint8Array());
  const key = { secretHash: hashSecret(started.key.secret) };
  const keepCalling = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const origin = { requestId: crypto.randomUUID(), clientAddress: "203.0.113.7", receivedAt: performance.now() };
      await run({ key, name: "getTag", input, origin });
    }
  };
  const ending = new AbortController();
  const calling = Promise.all(Array.from({ length: 16 }, () => keepCalling(ending.signal)));
  const reader = Bun.spawn([process.execPath, "-e", readerProgram], {
    env: { ...process.env, SOURCE: join(import.meta.dir, "../../src"), DIRECTORY: started.dataDirectory },
    stdout: "pipe",
  });
  try {
    expect(JSON.parse(await new Response(reader.stdout).text())).toEqual([]);
  } finally {
    ending.abort();
    await calling;
    await node.close();
  }
});
